// Entries of the tab's history: actions just before leaving one are repeated on the return to it.

import assert from "node:assert/strict";
import { test } from "node:test";

const CHOICE = [3, "chose", ["an id", "a value"]];
const LEFT = { address: "/encode?text=a", done: { "address: page encode": [CHOICE] } };

const stored = new Map([["bpe-lab-actions", JSON.stringify({ here: [LEFT], elsewhere: [], entry: "second" })]]);
globalThis.sessionStorage = {
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, value) => stored.set(key, value),
  removeItem: (key) => stored.delete(key),
};
globalThis.addEventListener = () => {};
globalThis.setTimeout = () => 0; // nothing is resent
globalThis.PerformanceNavigationTiming = class {
  type = "back_forward";
};
globalThis.performance.getEntriesByType = () => [new globalThis.PerformanceNavigationTiming()];

const { actionsOfTab, markInAddress, markInPages, outboxOf } = await import("../../frontend/src/bridge/outbox.ts");
const { forgetWritten, keepLate, repeatUndone, showEntry, watchHistory } = await import("../../frontend/src/bridge/entries.ts");

/** Show an entry of the tab's history. */
function go(entry, address) {
  const [pathname, search = ""] = address.split("?");
  globalThis.history = { state: { bpeLabEntry: entry } };
  globalThis.location = { pathname, search };
}

/** Load a document at an entry; return what is then pending for Encode's page. */
function load(entry, address) {
  go(entry, address);
  const all = actionsOfTab();
  all.of.clear();
  watchHistory();
  all.left = null; // the next document reads the storage only
  return outboxOf("address: page encode").waiting.map(([, ...action]) => action);
}

test("a choice before Back is made at its own entry, when Forward loads it, and once", () => {
  assert.deepEqual(load("first", "/compare"), []);
  assert.deepEqual(load("third", "/encode"), [], "another visit to the same page");
  assert.deepEqual(load("second", "/encode?text=a"), [CHOICE.slice(1)]);
  assert.deepEqual(load("second", "/encode?text=a"), []);
});

/** Load a document at an entry and follow its history; return the listener for Back. */
function followed(entry, address) {
  let onPop = () => {};
  globalThis.addEventListener = (_name, listener) => (onPop = listener);
  load(entry, address);
  watchHistory();
  return () => onPop();
}

/** The address of the page that is shown, with the queries of the other pages. */
function write(answers, replaced) {
  keepLate(markInPages(answers, (path) => path !== globalThis.location.pathname));
  markInAddress(answers, replaced);
}

test("what is done on a page that was left is kept for a reload until the queries of the pages have come", () => {
  followed("panel", "/algorithms");
  const { tab } = actionsOfTab();
  outboxOf("bar").add("chose", "open");
  go("training", "/");
  showEntry();
  const kept = () => JSON.parse(sessionStorage.getItem("bpe-lab-actions") ?? "{}").elsewhere ?? [];
  markInAddress([tab, { bar: 1 }], "/");
  assert.deepEqual(kept(), [{ address: "/algorithms", done: { bar: [[1, "chose", "open"]] } }]);
  write([tab, { bar: 1 }], "/");
  assert.deepEqual(kept(), []);
});

test("what a return to an entry undoes is done again there, before what is still pending, and once", () => {
  const onPop = followed("compare", "/compare?at=1");
  const { tab } = actionsOfTab();
  const why = outboxOf("why");
  why.add("next", null);
  why.add("next", null);
  why.answered([tab, 1]);
  go("train", "/");
  showEntry();
  write([tab, { why: 1 }], "/");
  go("compare", "/compare?at=1");
  onPop();
  why.add("open", 7);
  repeatUndone([tab, { why: 1 }]);
  assert.deepEqual(why.waiting, [[4, "next", null], [5, "next", null], [6, "open", 7]]);
  repeatUndone([tab, { why: 1 }]);
  assert.equal(why.waiting.length, 3);
});

test("what a newer action has replaced since the return is not done again after it", () => {
  const onPop = followed("train", "/?step=1");
  const { tab } = actionsOfTab();
  const player = outboxOf("player");
  player.add("move", 236, true);
  go("pipeline", "/pipeline");
  player.answered([tab, 1]);
  showEntry();
  write([tab, { player: 1 }], "/pipeline");
  go("train", "/?step=1");
  onPop();
  player.add("move", 176, true);
  player.add("chose", ["a", 1]);
  player.answered([tab, 3]);
  repeatUndone([tab, { player: 1 }]);
  assert.deepEqual(player.waiting, []);
});

test("what a page that was left tells only after the return is forgotten when the URL contains it", () => {
  const onPop = followed("train", "/?step=178");
  const { tab } = actionsOfTab();
  const player = outboxOf("player");
  const visit = () => {
    go("encode", "/encode");
    showEntry();
    go("train", "/?step=178");
    onPop();
  };
  const written = (number) => {
    player.answered([tab, number]);
    showEntry();
    forgetWritten([tab, { player: number }]);
    markInAddress([tab, { player: number }], "/?step=178");
  };
  player.add("move", 66, true);
  player.answered([tab, 1]);
  visit();
  keepLate(markInPages([tab, { player: 1 }], (path) => path === "/")); // by the address of /encode
  repeatUndone([tab, { player: 1 }]);
  assert.deepEqual(player.waiting, [[2, "move", 66]]);
  written(2);
  player.add("move", 26, true);
  written(3);
  visit();
  repeatUndone([tab, { player: 3 }]);
  assert.deepEqual(player.waiting, []);
});

test("a newer choice replaces those of the same widget only", () => {
  const onPop = followed("train", "/?step=1");
  const { tab } = actionsOfTab();
  const bar = outboxOf("bar");
  const of = (id) => ([name]) => name === id;
  bar.add("chose", ["width", 1], of("width"));
  bar.add("chose", ["seed", 1], of("seed"));
  go("pipeline", "/pipeline");
  bar.answered([tab, 2]);
  showEntry();
  write([tab, { bar: 2 }], "/pipeline");
  go("train", "/?step=1");
  onPop();
  bar.add("chose", ["width", 2], of("width"));
  bar.answered([tab, 3]);
  repeatUndone([tab, { bar: 2 }]);
  assert.deepEqual(bar.waiting, [[4, "chose", ["seed", 1]]]);
});

test("what opened another place is not opened again on the return", () => {
  const onPop = followed("lesson", "/compare?via=one");
  const { tab } = actionsOfTab();
  const strip = outboxOf("strip pager");
  strip.add("answered", null);
  strip.add("open", 1);
  go("next lesson", "/?via=two");
  showEntry();
  write([tab, { "strip pager": 2 }], "/");
  go("lesson", "/compare?via=one");
  onPop();
  repeatUndone([tab, { "strip pager": 2 }]);
  assert.deepEqual(strip.waiting, [[3, "answered", null]]);
});

test("what a page of a later visit still sends is done again on the return to either visit", () => {
  for (const visit of ["first visit", "second visit"]) {
    const onPop = followed("first visit", "/?step=1");
    const { tab } = actionsOfTab();
    const player = outboxOf("player");
    player.add("step", 2);
    go("vocabulary", "/vocabulary");
    showEntry();
    write([tab, {}], "/vocabulary");
    go("second visit", "/?step=1");
    showEntry();
    write([tab, {}], "/");
    go("algorithms", "/algorithms");
    player.answered([tab, 1]);
    showEntry();
    write([tab, { player: 1 }], "/algorithms");
    go(visit, "/?step=1");
    onPop();
    repeatUndone([tab, { player: 1 }]);
    assert.deepEqual(player.waiting, [[2, "step", 2]], visit);
  }
});
