import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { runDueTimersOnUnload } from "../../frontend/src/bridge/due_timers.ts";

const own = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
let unload = null;

beforeEach(() => {
  globalThis.addEventListener = (name, listener) => name === "beforeunload" && (unload = listener);
  runDueTimersOnUnload();
});

afterEach(() => {
  Object.assign(globalThis, own);
  delete globalThis.addEventListener;
});

test("what a timer without a delay would do is done before the page unloads, once and in order", async () => {
  const done = [];
  setTimeout((value) => done.push(value), 0, "first");
  setTimeout(() => done.push("second"));
  unload();
  assert.deepEqual(done, ["first", "second"]);
  await new Promise((resolve) => own.setTimeout(resolve, 5));
  assert.deepEqual(done, ["first", "second"]);
});

test("timers with a delay, timers that ran and timers that were cleared are not run when the page unloads", async () => {
  const done = [];
  const late = setTimeout(() => done.push("late"), 1000);
  clearTimeout(setTimeout(() => done.push("cleared"), 0));
  setTimeout(() => done.push("ran"), 0);
  await new Promise((resolve) => own.setTimeout(resolve, 5));
  unload();
  clearTimeout(late);
  clearTimeout();
  assert.deepEqual(done, ["ran"]);
});
