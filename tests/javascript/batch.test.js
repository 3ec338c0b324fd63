import assert from "node:assert/strict";
import { test } from "node:test";
import { linesOf, overflowText, removedText } from "../../frontend/src/views/batch/lines.ts";
import { withWord } from "../../frontend/src/views/live_text/inserting.ts";

test("below the tokens of a row are its ids, type ids and both masks", () => {
  const lines = linesOf({ ids: [5, 6], types: [0, 1], attention: [1, 0], special: [0, 1] });
  assert.deepEqual(
    lines.map(({ title, values }) => [title, values]),
    [
      ["id", [5, 6]],
      ["type id", [0, 1]],
      ["attention mask", [1, 0]],
      ["special-tokens mask", [0, 1]],
    ],
  );
});

test("what truncation removed is counted, of a pair by text", () => {
  assert.equal(removedText("", 1), "1 token removed");
  assert.equal(removedText("B", 2000), "2,000 tokens of B removed");
});

test("overflowing pieces are told with where they are", () => {
  assert.equal(overflowText(0, 0), "");
  assert.equal(overflowText(1, 0), "1 overflowing piece: below");
  assert.equal(overflowText(49, 46), "49 overflowing pieces: the first 3 below");
  assert.equal(overflowText(2, 2), "2 overflowing pieces: not drawn");
});

test("a word is inserted where the caret is, with spaces around it where there are none", () => {
  assert.deepEqual(withWord("", 0, 0, "<s>:0"), { text: "<s>:0", caret: 5 });
  assert.deepEqual(withWord("$A:0", 0, 0, "<s>:0"), { text: "<s>:0 $A:0", caret: 5 });
  assert.deepEqual(withWord("$A:0", 4, 4, "<s>:0"), { text: "$A:0 <s>:0", caret: 10 });
  assert.deepEqual(withWord("a  b", 2, 2, "c"), { text: "a c b", caret: 3 });
});

test("a word takes the place of what is selected", () => {
  assert.deepEqual(withWord("<s>:0 $A:0", 0, 5, "[CLS]:0"), { text: "[CLS]:0 $A:0", caret: 7 });
});
