// @ts-check
// Selection in a text by clicks, drags and keys.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Choice, chosenText, restText, segmented } from "../../frontend/src/views/text_marks/choosing.ts";

test("characters are counted as Python counts them, and a letter with its accent is one to click on", () => {
  const { characters, words, length } = segmented("🙂 cafe\u0301 x");
  assert.equal(length, 9);
  assert.deepEqual(
    characters.map(({ at, text }) => [at, text]),
    [[0, "🙂"], [1, " "], [2, "c"], [3, "a"], [4, "f"], [5, "e\u0301"], [7, " "], [8, "x"]],
  );
  assert.deepEqual(words, [[2, 7], [8, 9]]);
});

test("a click takes the word, between words the character, on a mark the mark", () => {
  const choice = new Choice("told Anna, Tom");
  choice.click(6, []);
  assert.deepEqual(choice.range, [5, 9]);
  choice.click(9, []);
  assert.deepEqual(choice.range, [9, 10]);
  choice.click(6, [[0, 9, "PER"]]);
  assert.deepEqual(choice.range, [0, 9]);
  assert.equal(choice.text, "told Anna");
});

test("a drag takes characters in either direction", () => {
  const choice = new Choice("told Anna");
  choice.drag(7, 2);
  assert.deepEqual(choice.range, [2, 8]);
  choice.drag(3, 3);
  assert.deepEqual(choice.range, [3, 4]);
});

test("a click with Shift extends to the whole word", () => {
  const choice = new Choice("told Anna Tom");
  choice.extend(6);
  choice.extend(11);
  assert.deepEqual(choice.range, [5, 13]);
  choice.extend(0);
  assert.deepEqual(choice.range, [0, 13]);
});

test("arrows go from word to word and stay in the text, Home and End to the ends", () => {
  const choice = new Choice("told Anna Tom");
  choice.step(1);
  assert.equal(choice.text, "told");
  choice.step(1);
  choice.step(1);
  choice.step(1);
  assert.equal(choice.text, "Tom");
  choice.step(-1);
  assert.equal(choice.text, "Anna");
  choice.step(-Infinity);
  assert.equal(choice.text, "told");
  choice.step(Infinity);
  assert.equal(choice.text, "Tom");
  const last = new Choice("told Anna");
  last.step(-1);
  assert.equal(last.text, "Anna");
});

test("with Shift the end moves by a character, and one stays", () => {
  const choice = new Choice("cafe\u0301 a");
  choice.grow(1);
  assert.equal(choice.text, "cafe\u0301");
  choice.grow(1);
  assert.equal(choice.text, "cafe\u0301 ");
  for (let times = 0; times < 9; times++) choice.grow(-1);
  assert.equal(choice.text, "c");
  for (let times = 0; times < 9; times++) choice.grow(1);
  assert.equal(choice.text, "cafe\u0301 a");
});

test("a text without words has nothing to step to", () => {
  const choice = new Choice("... ");
  choice.step(1);
  choice.grow(1);
  assert.equal(choice.range, null);
  assert.equal(choice.text, "");
  assert.equal(new Choice("").isMarked([[0, 1, "PER"]]), false);
});

test("whether a mark is over what is chosen", () => {
  const choice = new Choice("told Anna");
  choice.click(6, []);
  assert.equal(choice.isMarked([[8, 12, "PER"]]), true);
  assert.equal(choice.isMarked([[0, 5, "PER"], [9, 12, "PER"]]), false);
});

test("the line below says what is chosen, counted from 1", () => {
  const choice = new Choice("told Anna");
  assert.equal(chosenText(choice), "");
  choice.click(6, []);
  assert.equal(chosenText(choice), "“Anna”, characters 6–9");
  choice.drag(0, 0);
  assert.equal(chosenText(choice), "“t”, character 1");
  assert.equal(restText(0), "");
  assert.equal(restText(1234), "… 1,234 more characters");
});
