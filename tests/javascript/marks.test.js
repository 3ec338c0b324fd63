import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { codePoint, isPlain, nameOf, shownPieces } from "../../ui/components/tokens/marks.js";

const NAMES = JSON.parse(readFileSync(new URL("character_names.json", import.meta.url), "utf-8"));
const shown = (text) => shownPieces(text).map((piece) => piece.text);
const marks = (text) => shownPieces(text).map((piece) => piece.mark);

test("an invisible character has the name that Python gives it", () => {
  for (const [char, name] of Object.entries(NAMES)) assert.equal(nameOf(char), name);
});

test("white space is shown as marks, what else is invisible by its name", () => {
  assert.deepEqual(shown("a b\n\t\u200b"), ["a", "\u00b7", "b", "\u21b5", "\u21e5", "ZWSP"]);
  assert.deepEqual(marks("a b\n\t\u200b"), ["", "m sp", "", "m nl", "m tab", "m name"]);
  assert.deepEqual(shown("\r\n"), ["CR", "\u21b5"]);
});

test("text that shows itself is one piece", () => {
  assert.deepEqual(shownPieces("plain"), [{ from: 0, to: 5, text: "plain", mark: "" }]);
  assert.deepEqual(shown("\u3053\u3093"), ["\u3053\u3093"]);
  assert.ok(isPlain("a-z~"));
  assert.ok(!isPlain("a b"));
});

test("a combining mark without a base gets a dotted circle", () => {
  assert.deepEqual(shown("\u0301"), ["\u25cc", "\u0301"]);
  assert.deepEqual(shown(" \u0301"), ["\u00b7", "\u25cc", "\u0301"]);
  assert.deepEqual(shown("e\u0301"), ["e\u0301"]);
});

test("the joiners and selectors of an emoji belong to the picture", () => {
  for (const emoji of ["👨‍👩‍👧", "👍🏽", "1️⃣", "🏴\u{e0067}\u{e0062}\u{e007f}"]) assert.deepEqual(shown(emoji).join(""), emoji);
  assert.deepEqual(shown("a\u200db"), ["a", "ZWJ", "b"]);
});

test("the pieces tile the text, whatever is in it", () => {
  for (const text of ["a b\u0301\u200b\n👍🏽 \u3000x", "\ud800 alone", "\u0000\u0007\u001b", ""]) {
    const pieces = shownPieces(text).filter(({ from, to }) => to > from);
    assert.equal(pieces.map(({ from, to }) => text.slice(from, to)).join(""), text);
  }
});

test("a code point is written with at least four digits", () => {
  assert.deepEqual([codePoint("A"), codePoint("\u{1f600}")], ["U+0041", "U+1F600"]);
});
