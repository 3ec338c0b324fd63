// @ts-check
// Words by the dictionary of the browser.

import assert from "node:assert/strict";
import { test } from "node:test";

import { wordLengths } from "../../frontend/src/views/word_breaks/lengths.ts";

test("words are those of the dictionary, counted as Python counts characters", () => {
  assert.equal(wordLengths("外国人参政権"), "2,2,2");
  assert.equal(wordLengths("乒乓球拍卖完了"), "3,2,2");
  assert.equal(wordLengths("𠮷 low。"), "1,1,3,1");
  assert.equal(wordLengths(""), "");
});
