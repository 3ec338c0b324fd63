// Entries of the tab's history: a choice made just before Back is resent when Forward loads its page again.

import assert from "node:assert/strict";
import { test } from "node:test";

const CHOICE = ["chose", ["an id", "a value"]];
const LEFT = { address: "/encode?text=a", done: { "address: page encode": [CHOICE] } };

const stored = new Map([["bpe-lab-actions", JSON.stringify({ here: [LEFT], elsewhere: [], entry: "second" })]]);
globalThis.sessionStorage = {
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, value) => stored.set(key, value),
  removeItem: (key) => stored.delete(key),
};
globalThis.addEventListener = () => {};
globalThis.PerformanceNavigationTiming = class {
  type = "back_forward";
};
globalThis.performance.getEntriesByType = () => [new globalThis.PerformanceNavigationTiming()];

const { actionsOfTab, outboxOf } = await import("../../frontend/src/bridge/outbox.ts");
const { watchHistory } = await import("../../frontend/src/bridge/entries.ts");

/** Load a document at an entry of the tab's history; return what is then pending for Encode's page. */
function load(entry, address) {
  const [pathname, search = ""] = address.split("?");
  globalThis.history = { state: { bpeLabEntry: entry } };
  globalThis.location = { pathname, search };
  const all = actionsOfTab();
  all.of.clear();
  watchHistory();
  all.left = null; // the next document reads the storage only
  return outboxOf("address: page encode").waiting.map(([, ...action]) => action);
}

test("a choice before Back is made at its own entry, when Forward loads it, and once", () => {
  assert.deepEqual(load("first", "/compare"), []);
  assert.deepEqual(load("third", "/encode"), [], "another visit to the same page");
  assert.deepEqual(load("second", "/encode?text=a"), [CHOICE]);
  assert.deepEqual(load("second", "/encode?text=a"), []);
});
