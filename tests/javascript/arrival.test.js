// A remote's key is held until the page that it went to is drawn.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Arrival } from "../../frontend/src/presenter/arrival.ts";

test("a page that was busy since its run has ended is not taken for drawn", (t) => {
  globalThis.window = globalThis;
  globalThis.document = { documentElement: { dataset: {} } };
  t.mock.timers.enable({ apis: ["setInterval"] });
  const now = t.mock.method(performance, "now", () => 0);
  let place = "one";
  const gone = [];
  const arrival = new Arrival({ place: () => place, isDrawn: () => true, go: (way) => gone.push(way) });
  arrival.expect();
  arrival.hold(1);
  place = "two";
  now.mock.mockImplementation(() => 5_000);
  t.mock.timers.tick(50);
  assert.deepEqual(gone, []);
  t.mock.timers.tick(50);
  assert.deepEqual(gone, [1]);
  delete globalThis.window;
  delete globalThis.document;
});
