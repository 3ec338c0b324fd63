// Choices in Streamlit's own widgets, read from the messages that carry them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { base64, choicesIn, withActions } from "../../frontend/src/bridge/widget_messages.ts";
import { numbers } from "./helpers.js";

/** A run encoded by Python's own library: a widget of each kind, a long text and a long page name. */
const MESSAGE = bytesOf(
  "WrEFCgZ0ZXh0PWES2QMKEwoPJCRJRC0wYS1wcmVzc2VkEAEKGwoPJCRJRC0wYi1jb3B5IGFzSggKBuaXpeacrAoXCgwkJElELTBjLXNpemUhAAAA" +
    "AAAA+D8KEgoMJCRJRC0wZC12aWV3UgJ7fQoQCgwkJElELTBlLWZpbGVqAAoUCgwkJElELTBmLW1lbnVyBAoCamEKvQIKDCQkSUQtMTAtdGV4dDKs" +
    `Anh4${"eHh4".repeat(99)}eAoQCgwkJElELTExLXN0ZXAoBRrIAXBw${"cHBw".repeat(66)}MAE=`,
);
const STOP = bytesOf("OAE="); // a message that requests no run

/** @param {string} text */
function bytesOf(text) {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** @param {ReturnType<typeof choicesIn>} choices */
function idsOf(choices) {
  return choices?.map(({ id }) => id.replace(/^\$\$ID-..-/, ""));
}

test("values come before what was clicked, components and files are no choices", () => {
  assert.deepEqual(idsOf(choicesIn(MESSAGE)), ["copy as", "size", "text", "step", "pressed", "menu"]);
  assert.deepEqual(choicesIn(MESSAGE)?.filter(({ isTrigger }) => isTrigger).length, 2);
  assert.equal(choicesIn(STOP), null);
});

test("a cleared number, of which only the id is sent, is a choice", () => {
  const cleared = Uint8Array.from([0x5a, 0x07, 0x12, 0x05, 0x0a, 0x03, 0x0a, 0x01, 0x61]); // nested fields 11, 2, 1, 1
  assert.deepEqual(choicesIn(cleared), [{ id: "a", bytes: cleared.slice(6), isTrigger: false, isChoice: true }]);
});

test("a choice is held as the browser sends it", () => {
  const [copy] = choicesIn(MESSAGE) ?? [];
  assert.equal(base64(copy.bytes), "Cg8kJElELTBiLWNvcHkgYXNKCAoG5pel5pys");
});

test("actions are added behind a message and nothing in it changes", () => {
  const actions = ["tab", [[1, "chose", "日本"]]];
  const both = withActions(MESSAGE, "address: encode", actions);
  assert.deepEqual(both.subarray(0, MESSAGE.length), MESSAGE);
  assert.deepEqual(choicesIn(both), choicesIn(MESSAGE));
  const added = new TextDecoder().decode(both.subarray(MESSAGE.length));
  assert.ok(added.includes("bpe-lab events: address: encode"));
  assert.ok(added.includes(JSON.stringify([{ event: "acts", value: actions }])));
});

test("whatever bytes are sent, reading them ends", () => {
  const next = numbers(7);
  for (let each = 0; each < 2_000; each += 1) {
    const cut = MESSAGE.slice(0, next() % MESSAGE.length);
    for (let at = 0; at < 3 && cut.length; at += 1) cut[next() % cut.length] = next() % 256;
    choicesIn(cut);
  }
});

test("what Back brings again is no choice", async () => {
  /** @type {Record<string, () => void>} */
  const listeners = {};
  Object.assign(globalThis, {
    addEventListener: (name, listener) => (listeners[name] = listener),
    document: { addEventListener: () => {} },
    WebSocket: class {
      send() {}
    },
  });
  const { choicesInTab, watchChoices } = await import("../../frontend/src/bridge/choices.ts");
  watchChoices();
  choicesInTab.touched.add("st-key-copy-as");
  choicesInTab.noted.set("$$ID-0b-copy as", "a value");
  listeners.popstate();
  assert.equal(choicesInTab.touched.size + choicesInTab.noted.size, 0);
});
