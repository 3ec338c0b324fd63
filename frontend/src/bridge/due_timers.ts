// Timers without a delay, run early when the page unloads. Streamlit sends the value of a widget from such a timer, so a
// reload right after a key would otherwise drop the value before `choices.ts` has recorded it.

const due = new Map<number, () => void>();

/** Keep a list of the timers without a delay, and run those that are left when the page is about to unload. */
export function runDueTimersOnUnload() {
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
  addEventListener("beforeunload", () => {
    for (const [id, run] of [...due]) {
      clear(id);
      run();
    }
  });
}
