import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { codePoint, isPlain, markedText, nameOf, shownPieces, showsItself } from "../../frontend/src/tokens/marks.ts";

const NAMES = JSON.parse(readFileSync(new URL("character_names.json", import.meta.url), "utf-8"));
const SCOTLAND = "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}";
const shown = (text) => shownPieces(text).map((piece) => piece.text);
const marks = (text) => shownPieces(text).map((piece) => piece.mark);

test("an invisible character has the name that Python gives it", () => {
  for (const [char, name] of Object.entries(NAMES)) assert.equal(nameOf(char), name);
});

test("white space is shown as marks, what else is invisible by its name", () => {
  assert.deepEqual(shown("a b\n\t\u200b"), ["a", "\u00b7", "b", "\u21b5", "\u21e5", "ZWSP"]);
  assert.deepEqual(marks("a b\n\t\u200b"), ["", "m sp", "", "m nl", "m tab", "m name"]);
  assert.deepEqual(shown("\r\n\u3000"), ["CR", "\u21b5", "\u25a1"]);
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
  for (const emoji of ["👨‍👩‍👧", "👍🏽", "1️⃣", "❤️", "🏳️\u200d🌈", SCOTLAND]) {
    assert.deepEqual(shown(emoji), [emoji]);
  }
  assert.deepEqual(shown("a\u200db"), ["a", "ZWJ", "b"]);
  assert.deepEqual(shown("👩\u200d"), ["👩", "ZWJ"]);
});

test("a selector that changes no emoji is named, alone, doubled, and after any base", () => {
  const cases = { "\ufe0f": "[VS16]", "a\ufe0f": "a[VS16]", "❤️\ufe0f": "❤️[VS16]", "👩\ufe0f": "👩[VS16]", "❤\ufe0e": "❤[VS15]" };
  for (const [text, expected] of Object.entries(cases)) assert.equal(markedText(text), expected);
  assert.equal(markedText("葛\u{e0100}\u{e0101}"), "葛[VS17][VS18]");
  assert.equal(markedText("\u1820\u180b\u180e"), "\u1820[FVS1][MVS]");
  assert.equal(markedText("1\ufe0f"), "1[VS16]");
});

test("tags are named where they make no flag, and where it is cut", () => {
  assert.equal(markedText(SCOTLAND.slice(0, 6)), "🏴[TAG g][TAG b]");
  assert.equal(markedText(`🍎${SCOTLAND.slice(2, 4)}`), "🍎[TAG g]");
});

test("fillers, blanks and controls do not show themselves", () => {
  for (const char of "\u115f\u1160\u3164\uffa0\u17b4\u2800\ufffc\ufff9\u034f\u2066\u20e3\u0378 \u3000") {
    assert.ok(!showsItself(char), codePoint(char));
  }
  for (const char of "a葛❤\u0301\u{1f3fb}") assert.ok(showsItself(char), codePoint(char));
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
