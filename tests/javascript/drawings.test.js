// The smaller views: the lattice, the steps of a word, the lanes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Columns, idClass, partText } from "../../frontend/src/views/lanes/columns.ts";
import { LatticeGeometry, drawingOrder, passedNodes, spokenEdge } from "../../frontend/src/views/lattice/geometry.ts";
import { endText, jointText, spokenStep } from "../../frontend/src/views/steps/words.ts";
import { Tokens } from "../../frontend/src/tokens/spans.ts";
import { SPLIT, tokensOf } from "./helpers.js";

// ab: the pieces a, b and ab, of which ab is the best
const EDGES = [[0, 1, -2, -2, 1, 0], [1, 2, -3, -5, 0, 0], [0, 2, -1, -1, 1, 1]];
const LATTICE = { length: 2, edges: EDGES, chips: [], lanes: [0, 0, 1], totals: [0, -2, -1] };
const SIZES = EDGES.map(() => [40, 30]);

test("lattice: nodes are as far apart as the widest label needs", () => {
  const geometry = new LatticeGeometry(LATTICE, SIZES);
  assert.equal(geometry.slot, 54);
  assert.deepEqual([0, 1, 2].map((node) => geometry.x(node)), [18, 72, 126]);
  assert.equal(new LatticeGeometry(LATTICE, EDGES.map(() => [900, 30])).slot, 150);
});

test("lattice: pieces of one character are on the line, longer ones above it", () => {
  const geometry = new LatticeGeometry(LATTICE, SIZES);
  assert.equal(geometry.path(0), `M18 ${geometry.base}H72`);
  assert.ok(geometry.path(2).startsWith(`M18 ${geometry.base}V`));
  assert.ok(geometry.label(2).top < geometry.label(0).top);
});

test("lattice: the best path is drawn last and passes its nodes", () => {
  assert.deepEqual(drawingOrder(EDGES), [1, 0, 2]);
  assert.deepEqual([...passedNodes(EDGES)], [0, 2]);
  assert.equal(
    spokenEdge(EDGES[2], [7, "ab"]),
    '"ab" -1.00, the score of characters 1 to 2, -1.00 up to its end, on the best path',
  );
  assert.equal(
    spokenEdge([0, 1, 12, 12, 1, 1, 1], [0, "ÿ"]),
    '"ÿ" 12.00, the score of character 1, not a piece, 12.00 up to its end, on the best path',
  );
});

test("steps: a step says what merges now and what has to wait", () => {
  const steps = { chips: [[0, "l"], [1, "o"], [2, "w"]], rows: [[[0, 1, 2], [4, 2], [1], []], [[0], [], [], []]] };
  assert.equal(
    spokenStep(steps, 0, 1),
    'Step 0: "l", "o", "w". Merges now: "o" and "w", rank 3. Possible later: "l" and "o", rank 5.',
  );
  assert.equal(spokenStep(steps, 1, 0), 'Step 1: "l". Done. ');
  assert.equal(jointText(1200, true).title, "1,200 is the lowest: merges now");
  assert.deepEqual([endText(0), endText(2)], ["Nothing to merge.", "Nothing left to merge: these are the tokens."]);
});

test("lanes: a split character is one, over the bytes of both its tokens", () => {
  const columns = new Columns(new Tokens(SPLIT));
  assert.deepEqual(columns.bytes.map(({ hex }) => hex), ["61", "E3", "81", "93"]);
  assert.deepEqual(columns.bytes.map(({ token }) => token), [0, 0, 0, 1]);
  assert.deepEqual(columns.chars.map(({ text, first, count, of }) => [text, first, count, of]), [["a", 0, 1, 1], ["こ", 1, 3, 3]]);
  assert.deepEqual(columns.tokens, [{ first: 0, count: 3 }, { first: 3, count: 1 }]);
  assert.deepEqual(columns.chars.map((char) => columns.owners(char)), [1, 2]);
});

test("lanes: a character that the window begins within says what is hidden of it", () => {
  const { chars } = new Columns(tokensOf({ texts: [""], heads: { 0: 0 }, parts: [["こ", 3, 3, 3, "93"]] }));
  assert.deepEqual(chars, [{ text: "こ", first: 0, count: 1, of: 3, hidden: 2 }]);
});

test("lanes: blocks tile the columns, and end after a newline or near a token's end", () => {
  const blocks = (texts, width, more = {}) => new Columns(tokensOf({ texts, ...more })).blocks(width);
  assert.deepEqual(blocks(["ab\n", "cd"], 10), [{ from: 0, to: 3 }, { from: 3, to: 5 }]);
  assert.deepEqual(blocks(["abc", "def"], 4), [{ from: 0, to: 3 }, { from: 3, to: 6 }]);
  assert.deepEqual(blocks(["abcdef"], 4), [{ from: 0, to: 4 }, { from: 4, to: 6 }]);
  assert.deepEqual(blocks(["aこ"], 3), [{ from: 0, to: 1 }, { from: 1, to: 4 }], "a character stays whole");
  assert.deepEqual(blocks(["", "a"], 4), [{ from: 0, to: 2 }], "a token of no bytes has a column");
  assert.deepEqual(blocks([], 4), []);
});

test("lanes: text of no token has columns too", () => {
  const { bytes } = new Columns(tokensOf({ texts: ["a"], gaps: { 0: " ", 1: "\n" } }));
  assert.deepEqual(bytes, [{ hex: "20", token: -1 }, { hex: "61", token: 0 }, { hex: "0A", token: -1 }]);
});

test("a line of bytes goes in the direction of its text, in all blocks that it takes", () => {
  const directions = (texts) => {
    const columns = new Columns(tokensOf({ texts }));
    return columns.directions(columns.blocks(4));
  };
  assert.deepEqual(directions(["abc", "de\n", "1 ", "ש", "abcd", "\n", "x ש"]), [false, false, true, true, true, false]);
  assert.deepEqual(directions(["abc", "def"]), [false, false]);
});

test("lanes: names of parts and ids fit the room", () => {
  const part = ["こ", 1, 2, 3, "E3 81"];
  assert.deepEqual([partText(part, false), partText(part, true)], ["bytes 1\u20132 of 3", "1\u20132 of 3"]);
  assert.deepEqual([idClass(9_999, 1), idClass(10_000, 1), idClass(100_000, 1), idClass(100_000, 2)], ["", "narrow", "tight", ""]);
});
