import assert from "node:assert/strict";
import { test } from "node:test";
import { placesOf } from "../../frontend/src/lights/places.ts";
import { Tokens, keyOf } from "../../frontend/src/tokens/spans.ts";
import { SPLIT, tokensOf } from "./helpers.js";

const tokens = (...keys) => ({ kind: "tokens", keys });
const word = (...keys) => ({ kind: "word", keys });
const text = (whole) => ({ kind: "text", keys: [whole] });

test("a token is the same in every tokenizer that writes its text in another way", () => {
  const same = [" the", "\u2581the"].map((pieces) => keyOf(pieces));
  assert.deepEqual(same, [" the", " the"]);
  assert.deepEqual(["##ing", "low</w>", "</w>", "##"].map((pieces) => keyOf(pieces)), ["ing", "low", "</w>", "##"]);
});

test("a chip and a token of a text have the same key, with parts of characters as without", () => {
  assert.deepEqual(new Tokens(SPLIT).keys(), [keyOf([["a", 0], ["E3 81", 1]]), keyOf([["93", 1]])]);
  assert.deepEqual(tokensOf({ texts: ["<s>", "x"], labels: { 0: "<unk>" } }).keys(), ["<unk>", "x"]);
});

test("bytes of a character are no letters", () => {
  assert.notEqual(keyOf([["E3", 1]]), keyOf("E3"));
});

test("a token is found wherever it is", () => {
  assert.deepEqual(placesOf(["a", "b", "a"], tokens("a")), [[0, 1], [2, 3]]);
  assert.deepEqual(placesOf(["a", "b"], tokens("ab")), []);
});

test("a pair is found where its tokens are neighbours, with nothing between them", () => {
  const keys = ["i", "ght", "i", "x", "ght", "i", "ght"];
  assert.deepEqual(placesOf(keys, tokens("i", "ght")), [[0, 2], [5, 7]]);
  assert.deepEqual(placesOf(keys, tokens("i", "ght"), { 6: "\u200b" }), [[0, 2]]);
  assert.deepEqual(placesOf(["a", "a", "a"], tokens("a", "a")), [[0, 2], [1, 3]]);
});

test("a word is found as a whole word only", () => {
  const keys = [" a", " a", "nd", ",", " a", ".", "3", "4", "3"];
  assert.deepEqual(placesOf(keys, word(" a")), [[0, 1], [4, 5]]);
  assert.deepEqual(placesOf(keys, word(" a", "nd")), [[1, 3]]);
  assert.deepEqual(placesOf(keys, word("3")), []);
});

test("a text is found in whatever tokens it is", () => {
  const keys = [".", '"', '""', ".", '"""', '."""', "."];
  assert.deepEqual(placesOf(keys, text('."""')), [[0, 3], [3, 5], [5, 6]]);
  assert.deepEqual(placesOf(["", "a"], text("a")), [[1, 2]]);
  assert.deepEqual(placesOf([""], text("")), []);
});
