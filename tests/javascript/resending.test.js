// When unacknowledged actions are sent again.

import assert from "node:assert/strict";
import { test } from "node:test";

import { mountedOutbox } from "../../frontend/src/bridge/outbox.ts";

test("the time in which the page is busy does not count: the answer waits as long", (t) => {
  Object.assign(globalThis, { document: { querySelector: () => ({}) }, location: { pathname: "/", search: "" } });
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const now = t.mock.method(performance, "now", () => 0);
  let sent = 0;
  mountedOutbox("busy", { parentElement: {}, setTriggerValue: () => (sent += 1) }).act("typed", "a");
  t.mock.timers.tick(100);
  now.mock.mockImplementation(() => 60_000);
  t.mock.timers.tick(100); // a check, a minute late
  assert.equal(sent, 1);
  for (let times = 0; times < 10; times += 1) t.mock.timers.tick(100);
  assert.equal(sent, 2);
});
