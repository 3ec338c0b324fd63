import assert from "node:assert/strict";
import { test } from "node:test";
import { beginsRtl, endsRtl, inNextLine, isRtlLine, mayBeRtl, restOf, strongBefore } from "../../frontend/src/views/token_flow/lines.ts";
import { tokensOf } from "./helpers.js";

test("what is left out is counted below the flow", () => {
  assert.equal(restOf({ first: 0, length: 0, total: 0 }), "No tokens.");
  assert.equal(restOf({ first: 0, length: 5, total: 5 }), "");
  assert.equal(restOf({ first: 10, length: 50_000, total: 100_000 }), "\u2026 and 49,990 more tokens");
});

test("a line runs as its first character with a direction does", () => {
  const tokens = tokensOf({ texts: ["1. ", "שלום", "\n", "a", "שלום"] });
  assert.ok(mayBeRtl(tokens));
  assert.ok(isRtlLine(tokens, 0));
  assert.ok(!isRtlLine(tokens, 3));
  assert.ok(!isRtlLine(tokensOf({ texts: ["1", "\n", "שלום"] }), 0), "the next line is another one");
});

test("the direction of a line is that of the whole line, wherever it is asked for", () => {
  const tokens = tokensOf({ texts: ["1\nשלום", " abc", "!\n", "abc"] });
  assert.deepEqual([1, 2, 3].map((at) => isRtlLine(tokens, at)), [true, true, false]);
});

test("a token begins at the side from which its first character is read", () => {
  const sides = (texts) => texts.map((_, at) => beginsRtl(tokensOf({ texts }), at));
  assert.deepEqual(sides(["abc", " ", "שלום", " ", "עולם", " def"]), [false, false, true, true, true, false]);
  assert.deepEqual(sides(["שלום", " (", "test", ")", " —", " ועוד"]), [true, true, false, true, true, true]);
  assert.deepEqual(sides(["ab", " (", "test", ")", " ש"]), [false, false, false, false, false]);
  assert.deepEqual(sides(["שלום", " 12", ",", "5"]), [true, true, true, false]);
  assert.deepEqual(sides(["שלום", "\n", "(", "a"]), [true, true, false, false], "what is in another line tells nothing");
});

test("a token ends at the side to which its last character is read", () => {
  const sides = (texts) => texts.map((_, at) => endsRtl(tokensOf({ texts }), at));
  assert.deepEqual(sides(["abc ", "שלום", " 12", " ab"]), [false, true, false, false]);
});

test("the last direction before a token is looked for in its line only", () => {
  const tokens = tokensOf({ texts: ["abc", "1\n", "2", "ש!", "3"] });
  assert.deepEqual([0, 1, 2, 3, 4].map((at) => strongBefore(tokens, at)), ["", "c", "", "", "ש"]);
});

test("the key down goes to the nearest token of the next line", () => {
  const boxes = [[0, 0], [50, 0], [0, 20], [40, 22], [90, 20], [0, 40]].map(([left, top]) => ({ left, top, height: 10 }));
  const box = (at) => boxes[at];
  assert.equal(inNextLine(box, 6, 1, 1), 3);
  assert.equal(inNextLine(box, 6, 4, -1), 1);
  assert.equal(inNextLine(box, 6, 5, 1), 5, "there is no line below");
  assert.equal(inNextLine(box, 6, 1, -1), 0, "there is no line above");
});
