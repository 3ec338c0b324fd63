// Timers without a delay, run early when the page is left. Streamlit sends the value of a widget from such a timer, so a
// reload, a link or Back right after a key would otherwise drop the value before `choices.ts` has recorded it.

import { closest } from "../page/elements.ts";

const due = new Map<number, () => void>();

/** Call a function and at once run the timers without a delay that it sets: a frame may be drawn before them. */
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
      if (!due.has(id)) continue; // removed by a timer that ran before it
      clear(id);
      run();
    }
  };
  addEventListener("beforeunload", runAll);
  // Before the URL changes, in browsers that announce it; in any browser a click on a link comes before it.
  const { navigation } = globalThis as { navigation?: EventTarget };
  navigation?.addEventListener("navigate", runAll);
  document.addEventListener("click", (event) => closest(event, "a[href]") && runAll(), { capture: true });
}
