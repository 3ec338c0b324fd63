// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { shownPieces } from "../../frontend/src/tokens/marks.ts";
import { needsFont, noticeOf, SCRIPTS, scriptIn, scriptOf } from "../../frontend/src/tokens/scripts.ts";

const TIBETAN = "\u0f56\u0f7c\u0f51";

test("ASCII, invisible characters and the joiners of emoji need no font", () => {
  assert.deepEqual([..."low lower"].filter(needsFont), []);
  assert.deepEqual([..."\u00a0\u200b\u{1f469}\u200d\u{1f680}\ufe0f"].filter(needsFont), ["\u{1f469}", "\u{1f680}"]);
  assert.deepEqual([..."東京"].filter(needsFont), ["東", "京"]);
});

test("a character's script is called as people write it", () => {
  assert.equal(scriptOf("\u0f56"), "Tibetan");
  assert.equal(scriptOf("\u{1e900}"), "Adlam");
  assert.equal(scriptOf("\u{13000}"), "Egyptian Hieroglyphs");
  assert.equal(scriptOf("\u{1f680}"), "");
});

test("a script is called as the language calls it, and as Unicode does where that has no word", () => {
  assert.equal(scriptIn("Egyptian Hieroglyphs", "en"), "Egyptian Hieroglyphs");
  assert.equal(scriptIn("Egyptian Hieroglyphs", "en-XA"), "Egyptian Hieroglyphs");
  const names = ["ja", "zh"].map((language) => scriptIn("Tibetan", language));
  assert.deepEqual(names, ["\u30c1\u30d9\u30c3\u30c8\u6587\u5b57", "\u85cf\u6587"]);
  assert.equal(scriptIn("of nobody", "ja"), "of nobody");
  assert.match(noticeOf([...TIBETAN], "ja"), /^No font here for \u30c1\u30d9\u30c3\u30c8\u6587\u5b57: 3 /);
});

test("the code of a script is that of the same characters", () => {
  const all = Array.from({ length: 0x20000 }, (_, code) => (code >> 11 === 0x1b ? "" : String.fromCodePoint(code))).join("");
  const charactersOf = (/** @type {string} */ name) => all.match(new RegExp(`\\p{Script=${name}}+`, "gu"))?.join("");
  let known = 0;
  for (const [name, code] of SCRIPTS) {
    let characters;
    try {
      characters = charactersOf(name);
    } catch {
      continue; // newer than this Node
    }
    known += 1;
    assert.ok(characters, name);
    assert.equal(charactersOf(code), characters, name);
  }
  assert.ok(known > 140);
});

test("the line names the scripts, counts different characters and says what helps", () => {
  assert.equal(noticeOf([]), "");
  assert.equal(
    noticeOf([...TIBETAN]),
    "No font here for Tibetan: 3 different characters are shown by code point. Install one, such as a Noto font.",
  );
  assert.match(noticeOf(["\u0f56", "\u{12000}", "\u{1f680}"]), /^No font here for Tibetan, Cuneiform and some signs: 3 /);
  assert.match(noticeOf(["\u{1f680}"]), /^No font here for these signs: 1 character is shown/);
  assert.match(noticeOf(["\u0f56", "\u{12000}", "\u0e01", "\u0905", "\u0b95"]), /Tibetan, Cuneiform, Thai and 2 more scripts: 5 /);
});

test("characters that no font has are shown by their code points, the others as they are", () => {
  const pieces = shownPieces("a\u0f56b", new Set("\u0f56"));
  assert.deepEqual(
    pieces.map(({ from, to, text, mark }) => [from, to, text, mark]),
    [[0, 1, "a", ""], [1, 2, "U+0F56", "m name fontless"], [2, 3, "b", ""]],
  );
  const beyond = shownPieces("\u{12000}\u{12000}", new Set(["\u{12000}"]));
  assert.deepEqual(beyond.map(({ from, to }) => [from, to]), [[0, 2], [2, 4]]);
});

test("a mark that is shown by its code point stands on no circle", () => {
  assert.deepEqual(shownPieces("\u0f7c").map(({ text }) => text), ["\u25cc", "\u0f7c"]);
  assert.deepEqual(shownPieces("\u0f7c", new Set("\u0f7c")).map(({ text }) => text), ["U+0F7C"]);
});
