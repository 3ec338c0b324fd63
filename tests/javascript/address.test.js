// The address bar's view, mounted and unmounted as by Streamlit.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.location = { pathname: "/encode", search: "", href: "http://localhost/encode" };
globalThis.history = { state: null, replaceState() {} };
globalThis.sessionStorage = { getItem: () => null, setItem() {}, removeItem() {} };
globalThis.document = { documentElement: { dataset: {} }, addEventListener() {}, querySelector: () => null };
/** @type {Map<string, (() => void)[]>} */
const listeners = new Map();
globalThis.addEventListener = (name, listener) => listeners.set(name, [...(listeners.get(name) ?? []), listener]);
globalThis.PerformanceNavigationTiming = class {};

const { Address } = await import("../../frontend/src/views/address/address.ts");
const { watchHistory } = await import("../../frontend/src/bridge/entries.ts");
const { actionsOfTab, outboxOf } = await import("../../frontend/src/bridge/outbox.ts");

const SAID = {
  query: "", whole: true, path: "encode", paths: ["", "encode"], place: "", name: "page encode", page: "encode",
  others: {}, order: ["a", 1],
};
const data = new TextEncoder().encode(`${JSON.stringify(SAID)}\n{}`);

test("what is chosen is sent also after the same address was shown again", () => {
  const parentElement = {};
  /** @type {unknown[]} */
  const sent = [];
  const component = { data, parentElement, setTriggerValue: (_name, value) => sent.push(value) };
  const outbox = outboxOf("address: page encode");
  const view = new Address(parentElement);
  view.update(component);
  assert.notEqual(outbox.tell, null);
  view.end();
  assert.equal(outbox.tell, null);
  const again = new Address(parentElement);
  again.update(component);
  outbox.act("chose", ["id", "value"]);
  again.end(); // otherwise it would be resent forever
  assert.equal(sent.length, 1);
});

test("what Back undid is done again, though its address is drawn after a newer one", () => {
  globalThis.history = { state: { bpeLabEntry: "compare" }, replaceState() {} };
  globalThis.location = { pathname: "/encode", search: "", href: "http://localhost/encode" };
  watchHistory();
  const parentElement = {};
  const why = outboxOf("why");
  why.add("next", null);
  why.answered([actionsOfTab().tab, 1]);
  for (const listener of listeners.get("popstate") ?? []) listener();
  const view = new Address(parentElement);
  const shown = (more) => {
    const text = `${JSON.stringify({ ...SAID, ...more })}\n{}`;
    view.update({ data: new TextEncoder().encode(text), parentElement, setTriggerValue() {} });
  };
  shown({ order: ["a", 3] });
  shown({ order: ["a", 2], undone: [actionsOfTab().tab, { why: 1 }] });
  const { waiting } = why;
  view.end(); // otherwise it would be resent forever
  assert.deepEqual(waiting, [[2, "next", null]]);
});
