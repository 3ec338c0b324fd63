import assert from "node:assert/strict";
import { test } from "node:test";
import { MOST, QUIET, Settling } from "../../ui/components/copy_link/settled.js";

test("an app that stays idle has settled after a moment", () => {
  const settling = new Settling(1_000);
  assert.ok(!settling.isDone(1_000, true));
  assert.ok(!settling.isDone(1_000 + QUIET - 1, true));
  assert.ok(settling.isDone(1_000 + QUIET, true));
});

test("a run that begins late is waited for", () => {
  const settling = new Settling(0);
  assert.ok(!settling.isDone(QUIET - 10, false));
  assert.ok(!settling.isDone(QUIET + 10, true));
  assert.ok(settling.isDone(2 * QUIET - 10, true));
});

test("what never comes to rest is not waited for forever", () => {
  const settling = new Settling(0);
  for (let now = 0; now < MOST; now += 30) assert.ok(!settling.isDone(now, false));
  assert.ok(settling.isDone(MOST, false));
});
