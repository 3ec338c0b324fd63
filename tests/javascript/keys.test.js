// Which key goes where.

import assert from "node:assert/strict";
import { test } from "node:test";

import { belongsTo } from "../../ui/components/keys.js";

/** An element that some selectors name: the test's own, since Node has no page. */
function el(...names) {
  return { matches: (selector) => names.some((name) => selector.split(/,\s*(?![^(]*\))/).some((each) => each.trim().startsWith(name))) };
}

const body = el("body");

test("with the focus nowhere a key is the page's", () => {
  assert.ok(!belongsTo([body], null, "ArrowRight"));
  assert.ok(!belongsTo([body], null, " "));
});

test("a key in a text field is the field's, however the focus came there", () => {
  const field = el("textarea");
  assert.ok(belongsTo([field, body], null, "ArrowRight"));
  assert.ok(belongsTo([field, body], [field, body], " "));
});

test("after a click on a row the keys are the page's, after the keyboard's own way to it they are the table's", () => {
  const table = el("[role=grid]");
  const row = el("row");
  assert.ok(!belongsTo([table, body], [row, table, body], "ArrowRight"));
  assert.ok(belongsTo([table, body], null, "ArrowRight"));
});

test("a pointer that was pressed elsewhere says nothing about the focus", () => {
  assert.ok(belongsTo([el("[role=grid]"), body], [el("text"), body], "ArrowRight"));
});

test("Space presses the button that the keyboard has moved to, and arrows are still the page's", () => {
  const button = el("button");
  assert.ok(belongsTo([button, body], null, " "));
  assert.ok(!belongsTo([button, body], null, "ArrowRight"));
  assert.ok(!belongsTo([button, body], [button, body], " "));
});

test("after a click on a label Space is the page's", () => {
  const box = { matches: (selector) => selector.includes("summary, input") }; // a checkbox
  assert.ok(belongsTo([box, body], null, " "));
  assert.ok(!belongsTo([box, body], [{ control: box }, body], " "));
});
