import assert from "node:assert/strict";
import { test } from "node:test";
import { whenIdle } from "../../frontend/src/bridge/idle.ts";

const inWindow = (window, act) => {
  globalThis.window = window;
  try {
    return act();
  } finally {
    delete globalThis.window;
  }
};

test("what can wait is done when the browser is at rest, after its time at the latest", () => {
  const asked = [];
  let done = 0;
  inWindow({ requestIdleCallback: (then, options) => asked.push([then, options]) }, () => whenIdle(() => done++, 200));
  assert.deepEqual([done, asked.length, asked[0][1]], [0, 1, { timeout: 200 }]);
  asked[0][0]();
  assert.equal(done, 1);
});

test("it can be taken back", () => {
  const taken = [];
  const window = { requestIdleCallback: () => 7, cancelIdleCallback: (number) => taken.push(number) };
  inWindow(window, () => whenIdle(() => assert.fail(), 200)());
  assert.deepEqual(taken, [7]);
});

test("a browser that does not say when it is at rest does it a while later", async () => {
  await new Promise((done) => inWindow({}, () => whenIdle(done, 200)));
  inWindow({}, () => whenIdle(() => assert.fail(), 200)());
  await new Promise((done) => setTimeout(done, 80));
});
