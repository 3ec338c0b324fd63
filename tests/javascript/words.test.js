import assert from "node:assert/strict";
import test from "node:test";

import { listOf, partsOf, t, tn } from "../../frontend/src/i18n/words.ts";

test("words are filled with their values, and a place without a value stays", () => {
  assert.equal(t("{done} of {all}", { done: 1, all: 2 }), "1 of 2");
  assert.equal(t("{done} of {all}", { done: 1 }), "1 of {all}");
});

test("a value is never read as a place", () => {
  assert.equal(t("{a}{b}", { a: "{b}", b: "x" }), "{b}x");
});

test("one has a form of its own, and every other number the other", () => {
  const lines = [0, 1, 2].map((n) => tn("{n} line", "{n} lines", n, { n }));
  assert.deepEqual(lines, ["0 lines", "1 line", "2 lines"]);
});

test("a list has its last item after a word", () => {
  assert.deepEqual([[], ["a"], ["a", "b"], ["a", "b", "c"]].map(listOf), ["", "a", "a and b", "a, b and c"]);
});

test("things stand in a sentence where the words say, between texts and bold ones", () => {
  const chip = { chips: [] };
  const parts = partsOf("**Merge {rank}.** It joins {pair}, **{times} times**.", { rank: 3, pair: chip, times: 2 });
  assert.deepEqual(parts, [{ strong: "Merge 3." }, " It joins ", chip, ", ", { strong: "2 times" }, "."]);
});

test("stars in a value are no marks", () => {
  assert.deepEqual(partsOf("It is {text}.", { text: "**not bold**" }), ["It is **not bold**."]);
});
