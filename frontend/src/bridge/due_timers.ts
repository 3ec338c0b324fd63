// Timers without a delay, run early when the page is left. Streamlit sends the value of a widget from such a timer, so a
// reload, a link or Back right after a key would otherwise drop the value before `choices.ts` has recorded it.

import { closest } from "../page/elements.ts";

const due = new Map<number, () => void>();

/** Call, and run at once what this would do in timers without a delay: the browser may draw a frame before them. */
export function withDueTimers(call: () => void) {
  const before = new Set(due.keys());
  call();
  for (const [id, run] of [...due]) {
    if (before.has(id) || !due.has(id)) continue;
    clearTimeout(id);
    run();
  }
}

/** Keep a list of the timers without a delay, and run those that are left when the page is about to be left. */
export function runDueTimersOnLeaving() {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const setDue = (handler: TimerHandler, delay?: number, ...values: unknown[]) => {
    if (delay || typeof handler !== "function") return set(handler, delay, ...values);
    const run = () => {
      due.delete(id);
      handler(...values);
    };
    const id = set(run);
    due.set(id, run);
    return id;
  };
  const clearDue = (id?: number) => {
    if (id !== undefined) due.delete(id);
    clear(id);
  };
  Object.assign(globalThis, { setTimeout: setDue, clearTimeout: clearDue });
  const runAll = () => {
    for (const [id, run] of [...due]) {
      if (!due.has(id)) continue; // another one has led here again
      clear(id);
      run();
    }
  };
  addEventListener("beforeunload", runAll);
  // Before the URL changes, where the browser says so; a click on a link comes before it in any browser.
  const { navigation } = globalThis as { navigation?: EventTarget };
  navigation?.addEventListener("navigate", runAll);
  document.addEventListener("click", (event) => closest(event, "a[href]") && runAll(), { capture: true });
}
