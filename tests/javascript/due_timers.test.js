import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { runDueTimersOnLeaving, withDueTimers } from "../../frontend/src/bridge/due_timers.ts";

const own = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
class Element {
  constructor(isLink) {
    this.isLink = isLink;
  }

  closest() {
    return this.isLink ? this : null;
  }
}

const leaving = {}; // by event
const listen = { addEventListener: (name, listener) => (leaving[name] = listener) };

beforeEach(() => {
  Object.assign(globalThis, { Element, ...listen, document: listen, navigation: listen });
  runDueTimersOnLeaving();
});

afterEach(() => {
  Object.assign(globalThis, own);
  for (const name of ["addEventListener", "document", "navigation", "Element"]) delete globalThis[name];
});

test("what a timer without a delay would do is done before the page unloads, once and in order", async () => {
  const done = [];
  setTimeout((value) => done.push(value), 0, "first");
  setTimeout(() => done.push("second"));
  leaving.beforeunload();
  assert.deepEqual(done, ["first", "second"]);
  await new Promise((resolve) => own.setTimeout(resolve, 5));
  assert.deepEqual(done, ["first", "second"]);
});

test("what is due is also done before a link is followed and before the address changes", () => {
  for (const event of ["click", "navigate"]) {
    const done = [];
    setTimeout(() => done.push(event), 0);
    leaving[event]({ target: new Element(true) });
    assert.deepEqual(done, [event]);
  }
});

test("a click elsewhere leaves the timers alone, and one that leads to another click is run once", () => {
  const done = [];
  setTimeout(() => {
    done.push("first");
    leaving.navigate();
  }, 0);
  setTimeout(() => done.push("second"), 0);
  leaving.click({ target: new Element(false) });
  assert.deepEqual(done, []);
  leaving.navigate();
  assert.deepEqual(done, ["first", "second"]);
});

test("timers with a delay, timers that ran and timers that were cleared are not run when the page unloads", async () => {
  const done = [];
  const late = setTimeout(() => done.push("late"), 1000);
  clearTimeout(setTimeout(() => done.push("cleared"), 0));
  setTimeout(() => done.push("ran"), 0);
  await new Promise((resolve) => own.setTimeout(resolve, 5));
  leaving.beforeunload();
  clearTimeout(late);
  clearTimeout();
  assert.deepEqual(done, ["ran"]);
});

test("what a call would do in a timer without a delay is done at once, and nothing that was due before", async () => {
  const done = [];
  let late;
  setTimeout(() => done.push("before"), 0);
  withDueTimers(() => {
    late = setTimeout(() => done.push("late"), 1000);
    setTimeout(() => done.push("due"), 0);
  });
  clearTimeout(late);
  assert.deepEqual(done, ["due"]);
  await new Promise((resolve) => own.setTimeout(resolve, 5));
  assert.deepEqual(done, ["due", "before"]);
});
