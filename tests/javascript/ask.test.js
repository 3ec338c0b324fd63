// Questions of lessons: what is right, what is a number, and the score of first answers.

import assert from "node:assert/strict";
import { test } from "node:test";

const stored = new Map();
globalThis.sessionStorage = {
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, value) => stored.set(key, value),
  removeItem: (key) => stored.delete(key),
};

const { cutsOf, isRight, keepAnswer, keptAnswer, noteFirst, numberOf, scoreOf } = await import("../../frontend/src/views/ask/answers.ts");

const CUTS = { kind: "cuts", cells: [..."123456"], by: "x", tokens: [[0, 3, 1], [3, 5, 2], [5, 6, 3]], why: [[], []] };

test("a number is right within what is near", () => {
  const question = { kind: "number", right: 70, near: 20 };
  assert.deepEqual([49, 50, 70, 90, 91].map((given) => isRight(question, given)), [false, true, true, true, false]);
});

test("cuts are right if they are all of the tokenizer's and no others", () => {
  assert.ok(isRight(CUTS, [3, 5]));
  for (const wrong of [[], [3], [3, 4, 5], [1]]) assert.ok(!isRight(CUTS, wrong));
  assert.deepEqual(cutsOf(CUTS, [1, 3]), { common: [3], missed: [5], extra: [1] });
});

test("numbers are read with separators, signs and full-width digits, and nothing else is", () => {
  const read = { "1,205": 1205, " 70 ": 70, "-3": -3, "１１": 11, "12 345": 12345, "1.5": 1.5, 0: 0 };
  for (const [text, number] of Object.entries(read)) assert.equal(numberOf(text), number, text);
  for (const text of ["", "seven", "1,2", "1e5", "0x10", "Infinity", "9".repeat(13)]) assert.equal(numberOf(text), null, text);
});

test("only the first answer to a question counts", () => {
  noteFirst("a", false);
  noteFirst("a", true);
  noteFirst("constructor", true);
  assert.deepEqual(scoreOf(), { tried: 2, hit: 1 });
  stored.set("bpe-lab-score", "not JSON");
  assert.deepEqual(scoreOf(), { tried: 0, hit: 0 });
});

test("an answer is kept until it is taken back, and one that does not fit the question is not found", () => {
  keepAnswer("cuts", [3, 5]);
  keepAnswer("number", 60);
  assert.deepEqual(keptAnswer("cuts", CUTS), [3, 5]);
  assert.equal(keptAnswer("number", { kind: "number", right: 70, near: 20 }), 60);
  assert.equal(keptAnswer("number", CUTS), null);
  assert.equal(keptAnswer("constructor", CUTS), null);
  for (const forged of [[0], [6], [5, 3], [3, 3], ["3"], 3, {}]) {
    stored.set("bpe-lab-answers", JSON.stringify({ cuts: forged }));
    assert.equal(keptAnswer("cuts", CUTS), null, JSON.stringify(forged));
  }
  keepAnswer("cuts", [3]);
  keepAnswer("cuts", null);
  assert.equal(keptAnswer("cuts", CUTS), null);
  const choice = { kind: "choice", choices: ["a", "b"], right: 0, notes: [] };
  for (const [given, is] of [[1, 1], [2, null], [-1, null], [0.5, null], ["1", null]]) {
    keepAnswer("choice", given);
    assert.equal(keptAnswer("choice", choice), is);
  }
});
