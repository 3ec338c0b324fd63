// The address bar's view, mounted and unmounted as by Streamlit.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.location = { pathname: "/encode", search: "", href: "http://localhost/encode" };
globalThis.history = { state: null, replaceState() {} };
globalThis.sessionStorage = { getItem: () => null, setItem() {}, removeItem() {} };
globalThis.document = { documentElement: { dataset: {} }, addEventListener() {}, querySelector: () => null };
globalThis.addEventListener = () => {};
globalThis.PerformanceNavigationTiming = class {};

const { Address } = await import("../../frontend/src/views/address/address.ts");
const { outboxOf } = await import("../../frontend/src/bridge/outbox.ts");

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
