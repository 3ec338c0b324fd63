import assert from "node:assert/strict";
import { test } from "node:test";
import { GAP, LEVEL, edgePath, layoutOf, leavesOf, mirrored, parentsOf, readingOrder, scaleThatFits } from "../../frontend/src/views/tree/layout.ts";

// ((a b) c), level by level
const TREE = { left: [1, 3, -1, -1, -1], right: [2, 4, -1, -1, -1] };
const SIZES = [30, 20, 10, 10, 10].map((width) => [width, 24]);

test("every node knows its parent and its level", () => {
  assert.deepEqual(parentsOf(TREE), { parents: [-1, 0, 0, 1, 1], levels: [1, 2, 2, 3, 3] });
});

test("a tree is read as the token, its left half, its right half", () => {
  assert.deepEqual(readingOrder(TREE), [0, 1, 3, 4, 2]);
});

test("base symbols are in one row at the bottom, without overlap", () => {
  const { centres, tops, width, bottom } = layoutOf(TREE, SIZES);
  const leaves = leavesOf(TREE, centres);
  assert.deepEqual(leaves, [3, 4, 2]);
  assert.deepEqual(new Set(leaves.map((at) => tops[at])), new Set([2 * (24 + LEVEL)]));
  for (let i = 1; i < leaves.length; i++) assert.ok(centres[leaves[i]] - centres[leaves[i - 1]] >= 10 + GAP);
  assert.equal(width, 10 + GAP + 10 + GAP + 10);
  assert.equal(bottom, tops[2] + 24);
});

test("a merge is above the middle of what it joined, and inside its own place", () => {
  const { centres } = layoutOf(TREE, SIZES);
  assert.equal(centres[1], (centres[3] + centres[4]) / 2);
  const wide = layoutOf({ left: [1, -1, -1], right: [2, -1, -1] }, [[100, 24], [10, 24], [10, 24]]);
  assert.deepEqual([wide.width, wide.centres[0]], [100, 50]);
});

test("the tree of a token that is read from right to left has its first half on the right", () => {
  const layout = mirrored(layoutOf(TREE, SIZES));
  assert.deepEqual(leavesOf(TREE, layout.centres), [2, 4, 3]);
  assert.deepEqual(readingOrder(TREE), [0, 1, 3, 4, 2], "the keys go through it as it is read");
});

test("an edge is straight down, or bends with round corners", () => {
  assert.equal(edgePath(5, 0, 5, 40), "M5 0V40");
  assert.equal(edgePath(0, 0, 20, 40), "M0 0V11q0 6 6 6H14q6 0 6 6V40");
  assert.equal(edgePath(20, 0, 0, 40), "M20 0V11q0 6 -6 6H6q-6 0 -6 6V40");
});

test("a tree is as large as it is where it fits, else as large as fits, and never too small to be read", () => {
  assert.equal(scaleThatFits([400, 300], [400, Infinity]), 1);
  assert.equal(scaleThatFits([500, 300], [400, Infinity]), 0.8);
  assert.equal(scaleThatFits([300, 400], [400, 300]), 0.75);
  assert.equal(scaleThatFits([9000, 300], [400, Infinity]), 0.7);
});
