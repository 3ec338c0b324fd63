// Redrawing a part of a long line: the cells kept at its beginning and its end are those of the new text.

import assert from "node:assert/strict";
import { test } from "node:test";

import { linesOf } from "../../frontend/src/views/interlinear/cells.ts";
import { sharedCells } from "../../frontend/src/views/interlinear/changes.ts";
import { Row, boundariesOf } from "../../frontend/src/views/interlinear/rows.ts";
import { numbers, placesOf, tokensBody } from "./helpers.js";

const next = numbers(20_261_130);
const random = (below) => next() % below;
const LETTERS = ["a", "b", " ", "é", "語"];

const textOf = (length) => Array.from({ length }, () => LETTERS[random(LETTERS.length)]).join("");

/** Cuts the UTF-8 of a text after each byte that is a multiple of `every` from the left, or after a space. */
function rowOf(text, every, bare) {
  const bytes = Buffer.from(text);
  const [begin, end, texts] = [[], [], []];
  let from = 0;
  const add = (start, stop) => {
    begin.push(start);
    end.push(stop);
    texts.push(bytes.subarray(start, stop).toString("latin1"));
  };
  for (let at = 1; at <= bytes.length; at++) {
    if (at < bytes.length && bytes[at - 1] !== 32 && at - from < every) continue;
    add(from, at);
    if (bare && bytes[at - 1] === 32) add(at, at);
    from = at;
  }
  return new Row({ ...tokensBody({ texts }), name: String(every), ...placesOf(begin, end), unshared: [] });
}

function versionOf(text) {
  const rows = [rowOf(text, 3, false), rowOf(text, 5, true)];
  return { rows, lines: linesOf(text, 0, boundariesOf(rows)) };
}

const cellsIn = (cells, shift) =>
  cells.map(({ start, end, text, mark, split }) => [start - shift, end - shift, text, mark, split]);
const tokensIn = (row, start, end, shift) =>
  row.tokensIn(start, end).map((at) => [row.begin[at] - shift, row.end[at] - shift, row.texts[at]]);

/** What the chunk of some cells shows. */
function shown({ rows }, cells, shift) {
  const [start, end] = [cells[0].start, cells.at(-1).end];
  return [cellsIn(cells, shift), ...rows.map((row) => tokensIn(row, start, end, shift))];
}

test("the cells that stay have the same marks and tokens in both texts, and most of a long line stays", () => {
  let [stay, all] = [0, 0];
  for (let round = 0; round < 1_000; round++) {
    const text = textOf(40 + random(60));
    const place = random(text.length + 1);
    const gone = [0, 0, 1, 4][random(4)];
    const edited = text.slice(0, place) + (random(4) ? textOf(random(4)) : "\n") + text.slice(place + gone);
    const [before, after] = [versionOf(text), versionOf(edited)];
    if (text === edited || !after.lines.length) continue;
    const { first, last } = sharedCells(before, before.lines, after, after.lines);
    const [from, to] = [before.lines[0].cells, after.lines[0].cells];
    const [old, now] = [before.lines.at(-1).cells, after.lines.at(-1).cells];
    const shift = now.at(-1).end - old.at(-1).end;
    // the cells before the last ones that stay: a token without text is drawn at the end of what it follows
    if (first > 1)
      assert.deepEqual(shown(before, from.slice(0, first - 1), 0), shown(after, to.slice(0, first - 1), 0));
    if (last) assert.deepEqual(shown(before, old.slice(-last), 0), shown(after, now.slice(-last), shift));
    stay += first + last;
    all += to.length + (now === to ? 0 : now.length);
  }
  assert.ok(stay > 0.7 * all, `${stay} of ${all}`);
});

test("of a line in which directions mix, nothing stays", () => {
  const [before, after] = [versionOf("aaaa עברית aaaa"), versionOf("aaaa עברית aaab")];
  assert.deepEqual(sharedCells(before, before.lines, after, after.lines), { first: 0, last: 0 });
});
