// The calls of a component's script, which Streamlit ends in an order of its own.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { callAt, onNextCall } from "../../frontend/src/bridge/calls.js";

/** @type {string[]} */
let seen;
const script = ({ parentElement, data }) => {
  seen.push(`draws ${data}`);
  onNextCall(parentElement, () => seen.push(`${data} no longer listens`));
  return () => seen.push(`${data} is gone`);
};

beforeEach(() => {
  seen = [];
});

test("a call ends what the one before it began, and the place is ended by the newest", () => {
  const place = {};
  callAt(script, { parentElement: place, data: "a" });
  const end = callAt(script, { parentElement: place, data: "b" });
  end();
  assert.deepEqual(seen, ["draws a", "a no longer listens", "draws b", "b no longer listens", "b is gone"]);
});

test("a call that was overtaken ends nothing of the newer one", () => {
  const place = {};
  const overtaken = callAt(script, { parentElement: place, data: "a" });
  const end = callAt(script, { parentElement: place, data: "b" });
  overtaken();
  assert.deepEqual(seen, ["draws a", "a no longer listens", "draws b"]);
  end();
  assert.deepEqual(seen.slice(3), ["b no longer listens", "b is gone"]);
  overtaken();
  end();
  assert.equal(seen.length, 5);
});

test("two places have nothing to do with each other", () => {
  const end = callAt(script, { parentElement: {}, data: "a" });
  callAt(script, { parentElement: {}, data: "b" });
  end();
  assert.deepEqual(seen, ["draws a", "draws b", "a no longer listens", "a is gone"]);
});

test("a script that ends nothing is called as well, and may be called for a place of before", () => {
  const place = {};
  const end = callAt(() => void seen.push("drawn"), { parentElement: place });
  end();
  onNextCall(place, () => assert.fail("nobody is there"));
  callAt(script, { parentElement: place, data: "a" });
  assert.deepEqual(seen, ["drawn", "draws a"]);
});
