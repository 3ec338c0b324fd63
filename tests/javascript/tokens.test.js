import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readHead, readPayload } from "../../frontend/src/bridge/payload.ts";
import { Tokens, chipReading, colour, coloursOf, hexOf, quoted } from "../../frontend/src/tokens/spans.ts";
import { SPLIT, numbers, tokensOf } from "./helpers.js";

const framed = (head, body) => new TextEncoder().encode(`${JSON.stringify(head)}\n${JSON.stringify(body)}`);

test("the body of a payload is parsed only when it is a new one", () => {
  const data = framed({ rev: "a", label: "Tokens" }, { text: "x\ny" });
  assert.deepEqual(readPayload(data, null), { head: { rev: "a", label: "Tokens" }, body: { text: "x\ny" } });
  assert.equal(readPayload(data, "a").body, null);
  assert.deepEqual(readHead(data), { rev: "a", label: "Tokens" });
});

test("an id has the colour that Python gives it", () => {
  const colours = JSON.parse(readFileSync(new URL("colours.json", import.meta.url), "utf-8"));
  for (const [id, index] of Object.entries(colours)) assert.equal(colour(Number(id)), index);
});

test("neighbours have the colours that Python gives them", () => {
  const rows = JSON.parse(readFileSync(new URL("neighbour_colours.json", import.meta.url), "utf-8"));
  for (const { ids, bare, colours } of rows) assert.deepEqual([...coloursOf(ids, (at) => bare.includes(at))], colours);
});

test("no two neighbours share a colour, and a token keeps that of its id wherever it can", () => {
  const random = numbers(7);
  for (let round = 0; round < 200; round++) {
    const few = 1 + (random() % 12); // with few ids, many repeat directly
    const ids = Array.from({ length: 120 }, () => random() % few);
    const bare = new Set(ids.flatMap((_, at) => (random() % 4 ? [] : [at])));
    const colours = coloursOf(ids, (at) => bare.has(at));
    let withText = -1; // the last token before this one that covers text
    ids.forEach((id, at) => {
      const taken = [colours[at - 1], colours[withText]];
      assert.ok(!taken.includes(colours[at]), `${ids}: ${at}`);
      if (!taken.includes(colour(id))) assert.equal(colours[at], colour(id));
      if (!bare.has(at)) withText = at;
    });
  }
});

test("another token on the left changes no colour behind the next one that keeps its own", () => {
  const ids = [97, 98, 98, 99, 98, 100];
  const before = coloursOf(ids, () => false);
  const after = coloursOf([98, ...ids.slice(1)], () => false);
  assert.deepEqual([...before.slice(3)], [...after.slice(3)]);
  assert.notEqual(before[1], after[1]);
});

test("bytes are written in hex", () => {
  assert.equal(hexOf("aこ"), "61 E3 81 93");
  assert.equal(hexOf(""), "");
});

test("a token that ends within a character says which bytes it holds", () => {
  const tokens = new Tokens(SPLIT);
  assert.deepEqual(tokens.partNames(0), ["bytes 1\u20132 of 3 of こ"]);
  assert.deepEqual(tokens.partNames(1), ["byte 3 of 3 of こ"]);
  assert.deepEqual([tokens.hex(0), tokens.hex(1)], ["61 E3 81", "93"]);
  assert.equal(tokens.reading(0), "aこ");
});

test("a token's characters are counted from the start of the text", () => {
  const tokens = tokensOf({ texts: ["ab", "c", ""], char: 10, steps: [2, 1] });
  assert.deepEqual([0, 1, 2].map((at) => tokens.charStart(at)), [10, 12, 13]);
  assert.deepEqual([0, 1, 2].map((at) => tokens.range(at)), ["characters 11\u201312", "character 13", "no characters"]);
});

test("a screen reader hears the number, the id, the text and the note", () => {
  const tokens = tokensOf({ ids: [5, 6], texts: [" a", "b"], first: 40, notes: { 1: "merge 3" }, labels: { 1: "<b>" } });
  assert.equal(tokens.spoken(0), 'token 41, id 5, " a"');
  assert.equal(tokens.spoken(1), "token 42, id 6, <b>, merge 3");
});

test("a text is quoted as in code, and a long one cut", () => {
  assert.equal(quoted('a"\n\u200b'), '"a\\"\\n\\u{200b}"');
  assert.equal(quoted("é"), '"é"');
  assert.equal(quoted("a\ufe0f ❤️\u3000"), '"a\\u{fe0f} ❤️\\u{3000}"');
  assert.equal(quoted("\u0301\u0302x\u0301"), '"\\u{301}\\u{302}x\u0301"');
  assert.equal(quoted("x".repeat(1500)), `"${"x".repeat(200)}" \u2026 (1,500 characters)`);
});

test("a chip is read as its text, or as its pieces", () => {
  assert.equal(chipReading([7, " a"]), '" a"');
  assert.equal(chipReading([7, [["93", 1], ["a", 0]], "", 0]), "93 a");
});
