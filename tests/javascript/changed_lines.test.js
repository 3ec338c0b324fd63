// Redrawing the lines that differ between two texts: the lines that are kept are those of the new text.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Tokens } from "../../frontend/src/tokens/spans.ts";
import { changedLines } from "../../frontend/src/views/token_flow/pieces.ts";

const BLOCK = 4; // tokens from which on a block ends with its line

let seed = 20_240_517;
function random(below) {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
}

function tokensOf(texts, window) {
  const shown = texts.slice(0, window);
  const ids = shown.map((text) => text.codePointAt(0) ?? 0);
  const none = { heads: {}, tails: {}, parts: [], gaps: {}, labels: {}, notes: {}, special: [], words: [] };
  return new Tokens({ first: 0, total: texts.length, ids, texts: shown, char: 0, steps: [], ...none });
}

function blocksOf(tokens, start = 0, end = tokens.length) {
  const blocks = [];
  let isOpen = false;
  for (let at = start; at < end; at++) {
    if (!isOpen) blocks.push({ at });
    isOpen = !(tokens.texts[at].endsWith("\n") && at + 1 - blocks.at(-1).at >= BLOCK);
  }
  return blocks;
}

function edited(texts) {
  const place = random(texts.length);
  return texts.toSpliced(place, random(4), ...textOf(random(4)));
}

function textOf(length) {
  return Array.from({ length }, () => ["a", "b", "c", "d\n"][random(4)]);
}

test("the lines that stay and those that take their place are the new text's, also where its end is not shown", () => {
  let kept = 0;
  for (let round = 0; round < 3_000; round++) {
    const old = textOf(8 + random(60));
    const window = 8 + random(70);
    const [before, after] = [tokensOf(old, window), tokensOf(random(10) ? edited(old) : textOf(random(600)), window)];
    const blocks = blocksOf(before);
    const { first, next, last, start, end, rest, shift } = changedLines(before, after, blocks);
    assert.equal(start, blocks[first].at);
    for (let at = 0; at < start; at++) assert.equal(after.texts[at], before.texts[at]);
    for (let at = end; at < rest; at++) assert.equal(after.texts[at], before.texts[at - shift]);
    const now = [
      ...blocks.slice(0, first),
      ...blocksOf(after, start, end),
      ...blocks.slice(next, last).map(({ at }) => ({ at: at + shift })),
      ...blocksOf(after, rest),
    ];
    for (const { at } of now.slice(1)) assert.ok(after.texts[at - 1].endsWith("\n"), "a block begins a line");
    assert.equal(blocks[next]?.at ?? before.length, next < blocks.length ? end - shift : before.length);
    if (last < blocks.length) assert.equal(rest, blocks[last].at + shift);
    kept += rest - end;
  }
  assert.ok(kept > 10_000);
});

test("a token more at the beginning of a long text leaves all but the first and the last lines", () => {
  const lines = Array.from({ length: 400 }, (_, number) => ["line", ` ${number}`, "\n"]).flat();
  const [before, after] = [tokensOf(lines, 600), tokensOf(["x", ...lines], 600)];
  const { end, rest } = changedLines(before, after, blocksOf(before));
  assert.ok(end < 10);
  assert.ok(rest > 590);
});
