import assert from "node:assert/strict";
import { test } from "node:test";
import { byteLength, cellsOf, linesOf } from "../../frontend/src/views/interlinear/cells.ts";
import { Geometry } from "../../frontend/src/views/interlinear/chunk.ts";
import { Row, boundariesOf, furtherText, legendOf } from "../../frontend/src/views/interlinear/rows.ts";
import { placesOf, tokensBody } from "./helpers.js";

const row = (begin, end, more = {}) =>
  new Row({
    ...tokensBody({ texts: begin.map(() => "x"), ...more }),
    name: "a",
    ...placesOf(begin, end),
    unshared: more.unshared ?? [],
  });
/** Cells ten pixels wide, side by side from 100 on. */
const measured = (cells, mixed = false) => {
  const geometry = new Geometry(cells, mixed);
  geometry.measure(100, (at) => ({ left: 100 + 10 * at, right: 110 + 10 * at }));
  return geometry;
};

test("the bytes of a text are those of its UTF-8", () => {
  for (const text of ["", "a", "é", "こ", "👍", "aéこ👍"]) assert.equal(byteLength(text), Buffer.from(text).length);
  assert.equal(byteLength("\ud800"), 3);
});

test("a cell is a character as people see it, with the bytes it covers", () => {
  const spans = (text) => cellsOf(text, 5, new Set()).map(({ text: shown, start, end }) => [shown, start, end]);
  assert.deepEqual(spans("ab\n"), [["a", 5, 6], ["b", 6, 7], ["\u21b5", 7, 8]]);
  assert.deepEqual(spans("e\u0301"), [["e\u0301", 5, 8]]);
  assert.deepEqual(spans("👍🏽"), [["👍🏽", 5, 13]]);
});

test("combining marks after nothing, or after a mark, are a cell on a circle", () => {
  const spans = (text) => cellsOf(text, 0, new Set([1])).map(({ text: shown, mark, start, end }) => [shown, mark, start, end]);
  assert.deepEqual(spans("\u0301\u0302xy"), [["◌\u0301\u0302", "alone", 0, 4], ["x", "", 4, 5], ["y", "", 5, 6]]);
  assert.deepEqual(spans(" \u0301"), [["·", "m sp", 0, 1], ["◌\u0301", "alone", 1, 3]]);
  assert.deepEqual(spans("e\u0301"), [["e\u0301", "", 0, 3]]);
});

test("a cell counts the boundaries inside it, but not in scripts that join", () => {
  assert.deepEqual(cellsOf("aこ", 0, new Set([1, 2, 3, 4])).map((cell) => cell.split), [0, 2]);
  assert.deepEqual(cellsOf("م", 0, new Set([1])).map((cell) => cell.split), [0]);
});

test("lines keep their newlines, and go on counting bytes", () => {
  const lines = linesOf("aé\n\nשלום", 7, new Set());
  assert.deepEqual(lines.map(({ cells }) => [cells[0].start, cells.at(-1).end]), [[7, 12], [12, 20]]);
  assert.deepEqual(lines.map(({ rtl, mixed }) => [rtl, mixed]), [[false, false], [true, true]]);
  assert.deepEqual(linesOf("", 0, new Set()), []);
  const paragraphs = linesOf("a\nb\n\n\r\n\n c", 0, new Set());
  assert.deepEqual(paragraphs.map(({ cells }) => cells.at(-1).end), [2, 8, 10], "empty lines take no rows of their own");
  assert.deepEqual(paragraphs.map(({ isParagraph }) => isParagraph), [false, true, false]);
});

test("a boundary within a character is at its share of the width", () => {
  const geometry = measured(cellsOf("aこb", 0, new Set()));
  assert.deepEqual([0, 1, 4, 5].map((byte) => geometry.x(byte)), [0, 10, 20, 30]);
  assert.ok(Math.abs(geometry.x(2) - (10 + 10 / 3)) < 1e-9);
  assert.deepEqual([1, 2, 4].map((byte) => geometry.isInside(byte)), [false, true, false]);
  assert.deepEqual(geometry.boxes(1, 9), [[10, 30]]);
});

test("where directions mix, neighbours grow together and others are boxes of their own", () => {
  const cells = cellsOf("ab", 0, new Set());
  const together = measured(cells, true);
  assert.deepEqual(together.boxes(0, 2), [[0, 20]]);
  const apart = new Geometry(cells, true);
  apart.measure(0, (at) => ({ left: 50 * at, right: 50 * at + 10 }));
  assert.deepEqual(apart.boxes(0, 2), [[0, 10], [50, 60]]);
});

test("pieces that a later character joins are one box", () => {
  const geometry = new Geometry(cellsOf("abc", 0, new Set()), true);
  const lefts = [0, 20, 10];
  geometry.measure(0, (at) => ({ left: lefts[at], right: lefts[at] + 10 }));
  assert.deepEqual(geometry.boxes(0, 3), [[0, 30]]);
  assert.deepEqual(geometry.boxes(0, 2), [[0, 10], [20, 30]]);
});

test("a token ends in the box of its last character, at the side to which that is read", () => {
  const cells = cellsOf("a שב!", 0, new Set());
  const geometry = new Geometry(cells, true); // as a line from left to right: a, space, ב, ש, !
  const lefts = [0, 10, 30, 20, 40];
  geometry.measure(0, (at) => ({ left: lefts[at], right: lefts[at] + 10 }));
  const space = geometry.boxes(1, 4);
  assert.deepEqual(space, [[10, 20], [30, 40]]);
  assert.deepEqual(geometry.endIn(4, space), { box: 1, rtl: true });
  assert.deepEqual(geometry.endIn(6, geometry.boxes(1, 6)), { box: 0, rtl: true });
  assert.deepEqual(geometry.endIn(1, geometry.boxes(0, 1)), { box: 0, rtl: false });
  assert.deepEqual(geometry.endIn(7, geometry.boxes(4, 7)), { box: 1, rtl: false });
});

test("in a script that runs from right to left, the first bytes of a character are at its right", () => {
  const geometry = measured(cellsOf("ש", 0, new Set()), true);
  assert.deepEqual(geometry.boxes(0, 1), [[5, 10]]);
  assert.deepEqual(geometry.boxes(1, 2), [[0, 5]]);
});

test("a measured place is forgotten when the row moves", () => {
  const geometry = measured(cellsOf("a", 0, new Set()));
  assert.equal(geometry.x(1), 10);
  geometry.measure(90, () => ({ left: 100, right: 130 }));
  assert.equal(geometry.x(1), 40);
});

test("tokens are counted in the line where they start", () => {
  const tokens = row([0, 2, 4, 6, 6], [2, 5, 6, 6, 8]);
  assert.deepEqual([tokens.startingIn(0, 4), tokens.startingIn(4, 6), tokens.startingIn(6, Infinity)], [2, 1, 2]);
  assert.equal(row([], []).startingIn(0, Infinity), 0);
});

test("the tokens of a piece are those with bytes in it, and the empty ones that belong there", () => {
  assert.deepEqual(row([0, 2, 4], [2, 4, 6]).tokensIn(2, 4), [1]);
  assert.deepEqual(row([0, 1], [3, 6]).tokensIn(2, 4), [0, 1]);
  assert.deepEqual(row([0, 3, 3], [3, 3, 6]).tokensIn(0, 3), [0, 1], "a bare </w> is after its word");
  assert.deepEqual(row([0, 3, 3], [3, 3, 6]).tokensIn(3, 6), [2]);
  assert.deepEqual(row([0, 4, 4], [3, 4, 6]).tokensIn(4, 6), [1, 2], "a bare \u2581 is before its word");
});

test("rows full of marks have low ticks, and the legend says what occurs", () => {
  const few = row([0, 1, 2, 3], [1, 2, 3, 4], { unshared: [1] });
  const many = row([0, 1], [1, 2], { unshared: [0, 1], labels: { 1: "<unk>" } });
  assert.deepEqual([few.crowded, many.crowded], [false, true]);
  assert.deepEqual(legendOf([few, many]), [
    { marks: ["edge", "tick"], words: "a boundary not shared by all" },
    { marks: ["named"], words: "a special or unknown token" },
  ]);
  assert.deepEqual(legendOf([row([0, 1], [1, 1], { labels: { 1: "</w>" } })]), [
    { marks: ["dot"], words: "a token that covers no text: </w>" },
  ]);
  assert.deepEqual(legendOf([row([0], [1])]), []);
  assert.deepEqual([...boundariesOf([few])], [0, 1, 2, 3, 4]);
});

test("the button below the lines counts those that start there", () => {
  assert.equal(furtherText({ below: true, unseen: 1 }), "\u2193 1 more line");
  assert.equal(furtherText({ below: true, unseen: 1200 }), "\u2193 1,200 more lines");
  assert.equal(furtherText({ below: true, unseen: 0 }), "\u2193 The line goes on");
  assert.equal(furtherText({ below: false, unseen: 0 }), "The last line");
});
