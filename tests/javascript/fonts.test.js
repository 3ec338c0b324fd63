// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { shownPieces } from "../../ui/components/tokens/marks.js";
import { needsFont, noticeOf, scriptOf } from "../../ui/components/tokens/scripts.js";

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

test("the line names the scripts, counts different characters and says what helps", () => {
  assert.equal(noticeOf([]), "");
  assert.equal(
    noticeOf([...TIBETAN]),
    "No font here for Tibetan: 3 different characters are shown by code point. Install one, such as those called Noto.",
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
