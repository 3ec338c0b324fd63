// Actions are saved in the tab's storage at once, for a reload, and written only when they change.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const stored = new Map();
const written = [];
globalThis.sessionStorage = {
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, value) => {
    written.push(key);
    stored.set(key, value);
  },
  removeItem: (key) => stored.delete(key),
};
globalThis.history = { state: { bpeLabEntry: "entry" } };
globalThis.location = { pathname: "/encode", search: "" };
globalThis.document = { querySelector: () => null };
globalThis.setTimeout = () => 0; // nothing is resent
globalThis.performance.getEntriesByType = () => [new globalThis.PerformanceNavigationTiming()];
globalThis.PerformanceNavigationTiming = class {
  type = "reload";
};

/** A document of this tab: each import with another name is a new one, as after a reload. */
let documents = 0;
const load = () => import(`../../frontend/src/bridge/outbox.ts?document=${(documents += 1)}`);

/** Texts that the next document would send for a field. */
async function restored() {
  const { outboxOf } = await load();
  return outboxOf("field").waiting.map(([, , value]) => value);
}

function show(search) {
  globalThis.location = { pathname: "/encode", search };
}

beforeEach(() => {
  stored.clear();
  written.length = 0;
  show("");
});

test("an action is saved as soon as it is done, and one that was noted is sent under its number and saved once", async () => {
  const { outboxOf } = await load();
  const field = outboxOf("field");
  const sent = [];
  field.mounted({}, (_name, [, actions]) => sent.push(...structuredClone(actions)));
  field.note("typed", ["push", "a"]);
  assert.equal(written.length, 1);
  field.act("typed", ["push", "a"], { replaces: true });
  assert.equal(written.length, 1);
  assert.deepEqual(sent, [[1, "typed", ["push", "a"]]]);
  field.act("typed", ["push", "a"], { replaces: true });
  assert.deepEqual(sent.at(-1), [2, "typed", ["push", "a"]], "what was sent is done once more");
  assert.deepEqual(await restored(), [["push", "a"]]);
});

test("what was done at earlier addresses is restored with what is done now, in order", async () => {
  const { actionsOfTab, markInAddress, outboxOf } = await load();
  const field = outboxOf("field");
  const { tab } = actionsOfTab();
  field.act("typed", "a", { replaces: true });
  show("?text=a");
  markInAddress([tab, { field: 1 }], "/encode");
  field.act("typed", "ab", { replaces: true });
  show("?text=ab");
  markInAddress([tab, { field: 2 }], "/encode?text=a");
  field.act("typed", "abc", { replaces: true });
  const before = new Map(stored);
  assert.deepEqual(await restored(), ["abc"], "at the newest address");
  for (const [search, missing] of Object.entries({ "": ["a", "ab", "abc"], "?text=a": ["ab", "abc"] })) {
    for (const [key, value] of before) stored.set(key, value);
    show(search);
    assert.deepEqual(await restored(), missing);
  }
});

test("a key at the same address writes neither what is saved already nor what was done at earlier addresses", async () => {
  const { actionsOfTab, markInAddress, outboxOf } = await load();
  const field = outboxOf("field");
  const { tab } = actionsOfTab();
  const long = "x".repeat(10_000);
  field.act("typed", long, { replaces: true });
  show("?text=a");
  markInAddress([tab, { field: 1 }], "/encode");
  written.length = 0;
  field.act("typed", `${long}y`, { replaces: true });
  assert.equal(written.length, 1);
  assert.ok((stored.get(written[0]) ?? "").length < 1.5 * long.length);
  markInAddress([tab, { field: 1 }], "/encode?text=a");
  assert.equal(written.length, 1);
});
