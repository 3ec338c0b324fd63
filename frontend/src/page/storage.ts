// Texts kept in the browser or in the tab. Where storage is disabled or full, nothing is kept and nothing is found.

type Store = "localStorage" | "sessionStorage";

/** Text of a key; null without one. */
export function kept(store: Store, key: string): string | null {
  try {
    return globalThis[store].getItem(key);
  } catch {
    return null;
  }
}

/** Value that was kept as JSON; null without a valid one. The caller sets the type. */
export function keptValue<Value>(store: Store, key: string): Value | null {
  try {
    return JSON.parse(kept(store, key) ?? "null");
  } catch {
    return null;
  }
}

/** Keep a text; null removes the key. */
export function keep(store: Store, key: string, text: string | null) {
  try {
    if (text === null) globalThis[store].removeItem(key);
    else globalThis[store].setItem(key, text);
  } catch {
    // the page goes on without it
  }
}
