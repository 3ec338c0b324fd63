// Texts kept in the browser or in the tab. Where storage is disabled or full, nothing is kept and nothing is found. An
// embedded page keeps nothing in the tab: it shares the tab's storage with all other frames of the app.

import { isEmbedded } from "./embedded.ts";

type Store = "localStorage" | "sessionStorage";

/** Storage of the tab; throws where there is none. */
function storeOf(store: Store) {
  if (store === "sessionStorage" && isEmbedded) throw new Error("the tab's storage is another frame's as well");
  return globalThis[store];
}

/** Text of a key; null without one. */
export function kept(store: Store, key: string): string | null {
  try {
    return storeOf(store).getItem(key);
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
    if (text === null) storeOf(store).removeItem(key);
    else storeOf(store).setItem(key, text);
  } catch {
    // the page works without it
  }
}
