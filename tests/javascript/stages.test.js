import assert from "node:assert/strict";
import { test } from "node:test";
import { Links } from "../../frontend/src/views/stages/links.ts";
import { characters, counted, titleOf } from "../../frontend/src/views/stages/words.ts";

/** "Ab c", lowercased: the words ab, c; the tokens a, b, c; the space is dropped; [CLS] comes first. */
function drawn(more = {}) {
  const passage = {
    name: "first",
    text: "Ab c",
    total: 10,
    names: ["", "", "", ""],
    pieces: { s: [0, 1, 2, 3], e: [1, 2, 3, 4], ns: [0, 1, 2, 3], ne: [1, 2, 3, 4], text: ["a", "b", " ", "c"], changed: [0], rest: 0 },
    words: { s: [0, 3], e: [2, 4], ns: [0, 3], ne: [2, 4], text: ["ab", "c"], rest: 2 },
    tokens: {
      s: [0, 1, 3], e: [1, 2, 4], ns: [0, 1, 3], ne: [1, 2, 4], text: ["a", "b", "c"], id: [1, 2, 3], word: [0, 0, 1],
      hex: ["61", "62", "63"], over: ["", "", ""], part: ["", "", ""], special: [], rest: 0,
    },
    decoded: { s: [0, 3], e: [2, 4], first: [0, 2], end: [2, 3], text: ["ab", "c"], rest: 0 },
    loss: [],
    ...more,
  };
  const out = { id: [9, 1, 2, 3], passage: [-1, 0, 0, 0], token: [0, 0, 1, 2], names: { 0: "[CLS]" }, added: [], type: [], types: false, rest: 0 };
  const links = new Links([passage], out);
  for (const kind of ["chars", "pieces", "words", "tokens", "decoded"])
    for (let i = 0; i < links.count(kind, 0); i++) links.add(kind, 0, i);
  out.id.forEach((_, i) => links.add("out", out.passage[i], i));
  return links;
}

const named = (items) => items.map(({ kind, i }) => `${kind} ${i}`).sort();

test("a token is linked to its characters, its word, its id and what it is decoded to", () => {
  const links = drawn();
  const all = ["chars 1", "decoded 0", "out 2", "pieces 1", "tokens 1", "words 0"];
  assert.deepEqual(named(links.linked(links.items.tokens[1])), all);
  assert.deepEqual(named(links.linked(links.items.out[2])), all);
});

test("a character is linked to what became of it, a dropped one to its piece only", () => {
  const links = drawn();
  assert.deepEqual(named(links.linked(links.items.chars[3])), ["chars 3", "decoded 1", "out 3", "pieces 3", "tokens 2", "words 1"]);
  assert.deepEqual(named(links.linked(links.items.chars[2])), ["chars 2", "pieces 2"]);
});

test("a word is linked to all of its tokens, a decoded piece to all that gave it", () => {
  const links = drawn();
  const tokens = (item) => links.linked(item).filter(({ kind }) => kind === "tokens").map(({ i }) => i);
  assert.deepEqual(tokens(links.items.words[0]), [0, 1]);
  assert.deepEqual(tokens(links.items.decoded[0]), [0, 1]);
});

test("a token of the template is linked to nothing else", () => {
  const links = drawn();
  assert.deepEqual(links.linked(links.items.out[0]), [links.items.out[0]]);
  assert.equal(links.range(links.items.out[0]), null);
  assert.equal(titleOf(links.items.out[0], links), "Special token of the template, id 1 of the whole");
  assert.equal(titleOf(links.items.out[1], links), "Token 1");
});

test("the keys up and down lead through the stages", () => {
  const links = drawn();
  assert.equal(links.across(links.items.chars[1], 1).kind, "pieces");
  assert.equal(links.across(links.items.tokens[1], -1).kind, "words");
  assert.equal(links.across(links.items.chars[0], -1), undefined);
});

test("unchanged pieces stay together up to white space, a change, or many of them", () => {
  const links = drawn();
  assert.deepEqual([0, 1, 3].map((from) => links.runEnd(0, from)), [0, 3, 4]);
  const many = Array.from({ length: 30 }, (_, at) => at);
  const pieces = { s: many, e: many.map((at) => at + 1), ns: many, ne: many, text: many.map(() => "x"), changed: [], rest: 0 };
  assert.equal(drawn({ pieces }).runEnd(0, 0), 24);
});

test("what is not drawn is counted", () => {
  const links = drawn();
  assert.deepEqual(["chars", "words", "decoded"].map((kind) => links.rest(kind, 0)), [6, 2, 0]);
});

test("in a chat, a special token that a message wrote is told from the program's own", () => {
  const tokens = { ...drawn().passages[0].tokens, word: [-1, -1, 1] };
  const links = drawn({ tokens, said: [[1, 4]] });
  assert.deepEqual([0, 1, 2].map((t) => links.isForged(0, t)), [false, true, false]);
  assert.deepEqual([0, 1].map((char) => links.isSaid(0, char)), [false, true]);
  assert.ok(!drawn().isSaid(0, 1));
});

test("characters are counted as people count them", () => {
  assert.deepEqual([counted(3, 4), counted(3, 6), counted(3, 3), counted(999, 1001)], ["4", "4\u20136", "\u2013", "1,000\u20131,001"]);
  assert.deepEqual([characters(3, 4), characters(3, 6)], ["character 4", "characters 4\u20136"]);
});

test("tokens that truncation removed are told apart, and decoded pieces without a kept token", () => {
  const links = drawn();
  assert.equal(links.isRemoved("tokens", 0, 2), false);
  links.passages[0].tokens.kept = [1, 2];
  assert.deepEqual([0, 1, 2].map((t) => links.isRemoved("tokens", 0, t)), [true, false, true]);
  assert.deepEqual([0, 1].map((i) => links.isRemoved("decoded", 0, i)), [false, true]);
  assert.equal(links.isRemoved("words", 0, 1), false);
});

test("a pad token is called one", () => {
  const links = drawn();
  links.out.pads = [0];
  assert.equal(titleOf(links.items.out[0], links), "Pad token, id 1 of the whole");
});
