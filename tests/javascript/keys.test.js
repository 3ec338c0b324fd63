// The view that handles each key.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isForFocused } from "../../frontend/src/page/keys.ts";

/** A fake element that matches some selectors, since Node has no DOM. */
function el(...names) {
  return { matches: (selector) => names.some((name) => selector.split(/,\s*(?![^(]*\))/).some((each) => each.trim().startsWith(name))) };
}

const body = el("body");

test("with the focus nowhere a key is the page's", () => {
  assert.ok(!isForFocused([body], null, "ArrowRight"));
  assert.ok(!isForFocused([body], null, " "));
});

test("a key in a text field is the field's, however the focus came there", () => {
  const field = el("textarea");
  assert.ok(isForFocused([field, body], null, "ArrowRight"));
  assert.ok(isForFocused([field, body], [field, body], " "));
});

test("after a click on a row the keys are the page's, after the keyboard's own way to it they are the table's", () => {
  const table = el("[role=grid]");
  const row = el("row");
  assert.ok(!isForFocused([table, body], [row, table, body], "ArrowRight"));
  assert.ok(isForFocused([table, body], null, "ArrowRight"));
});

test("after a press elsewhere the keys are the page's, though a chart leaves the focus in the table", () => {
  assert.ok(!isForFocused([el("[role=grid]"), body], [el("text"), body], "ArrowRight"));
});

test("Space presses the button that the keyboard has moved to, and arrows are still the page's", () => {
  const button = el("button");
  assert.ok(isForFocused([button, body], null, " "));
  assert.ok(!isForFocused([button, body], null, "ArrowRight"));
  assert.ok(!isForFocused([button, body], [button, body], " "));
});

test("after a click on a label Space is the page's", () => {
  const box = { matches: (selector) => selector.includes("summary, input") }; // a checkbox
  assert.ok(isForFocused([box, body], null, " "));
  assert.ok(!isForFocused([box, body], [{ control: box }, body], " "));
});
