import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readHead, readPayload } from "../../frontend/src/bridge/payload.ts";
import { Tokens, chipReading, colour, hexOf, quoted } from "../../frontend/src/tokens/spans.ts";
import { SPLIT, tokensOf } from "./helpers.js";

const framed = (head, body) => new TextEncoder().encode(`${JSON.stringify(head)}\n${JSON.stringify(body)}`);

test("the body of a payload is parsed only when it is a new one", () => {
  const data = framed({ rev: "a", label: "Tokens" }, { text: "x\ny" });
  assert.deepEqual(readPayload(data, null), { head: { rev: "a", label: "Tokens" }, body: { text: "x\ny" } });
  assert.equal(readPayload(data, "a").body, null);
  assert.deepEqual(readHead(data), { rev: "a", label: "Tokens" });
});

test("a token has the colour that Python gives it", () => {
  const colours = JSON.parse(readFileSync(new URL("colours.json", import.meta.url), "utf-8"));
  for (const [key, index] of Object.entries(colours)) assert.equal(colour(key), index, key);
});

test("a token has the colour of its text in all tokenizers, and computes it once", () => {
  const tokens = new Tokens({ ...SPLIT, ids: [1, 2] });
  const others = new Tokens({ ...SPLIT, ids: [77, 5] });
  for (const at of [0, 1]) assert.equal(tokens.colour(at), others.colour(at));
  assert.equal(tokens.colour(0), colour("a\0E3\x0081"));
  assert.equal(tokens.colour(1), colour([["93", 1]]));
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
