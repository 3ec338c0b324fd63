import assert from "node:assert/strict";
import { test } from "node:test";
import { asSign, isBareMark, isRtl, lastStrong, signOf, signsFor, startsRtl } from "../../frontend/src/tokens/direction.ts";

const [LRM, RLM, ALM] = ["\u200e", "\u200f", "\u061c"];

test("the first character with a direction tells that of the line", () => {
  assert.deepEqual([startsRtl("1. שלום"), startsRtl("a שלום"), startsRtl("123")], [true, false, false]);
  assert.deepEqual([startsRtl("،٣ a"), startsRtl("؟ a"), startsRtl("\u05b8 a")], [false, true, false]);
  assert.deepEqual([startsRtl("\u200fabc"), startsRtl("\u200eשלום")], [true, false]);
});

test("a text with one character of such a script runs both ways", () => {
  assert.ok(isRtl("a \u{10900}"));
  assert.ok(isRtl("a ٣"));
  assert.ok(!isRtl("日本語 é 👍🏽 \ud802"));
});

test("a box is put between signs that run as the character does", () => {
  assert.deepEqual(["é", "ש", "ب", "٣", "—", "👍"].map(signOf), [LRM, RLM, ALM, LRM, "", ""]);
  assert.deepEqual(signsFor("ab שלום", () => "x"), [LRM, RLM]);
  assert.deepEqual(signsFor("12 ب", () => "x"), [ALM, ALM]);
  assert.deepEqual(signsFor("!", () => "x"), ["", ""]);
});

test("a mark runs as the character that it is on", () => {
  assert.deepEqual(signsFor("\u05b8", () => "ש"), [RLM, RLM]);
  assert.deepEqual(signsFor("\u0301", () => ""), ["", ""]);
  assert.ok(isBareMark("\u064e"));
  assert.ok(!isBareMark("\u064eب"));
});

test("the last character with a direction is found behind what has none", () => {
  assert.equal(lastStrong("ab שלום 12!"), "ם");
  assert.equal(lastStrong("12 !"), "");
});

test("only what does nothing but give a direction is kept where its name is drawn", () => {
  assert.deepEqual([LRM, RLM, ALM, "\u202e", "\u2067", "\u00a0"].map(asSign), [LRM, RLM, ALM, "", "", ""]);
});
