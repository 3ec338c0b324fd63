// @ts-check
// Invisible characters. The table is the core's: marks.py shows the same in plain text.

import TABLE from "../../../bpe_core/text/marks.json" with { type: "json" };

/** @typedef {{ from: number, to: number, text: string, mark: string }} ShownPiece */

/** Shown for a space. */
export const SPACE = TABLE.signs[" "];
/** Shown for a token that has no text. */
export const NOTHING = TABLE.nothing;
/** The base of a combining mark that follows nothing. */
export const CIRCLE = TABLE.circle;

const NAMES = new Map(Object.entries(TABLE.names).map(([code, name]) => [parseInt(code, 16), name]));
const PLAIN = /^[\x21-\x7e]*$/;
const NEEDS_CARE = /[\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]|^\p{M}/u;
// Emoji sequences come first: inside one, joiners and selectors belong to the picture and stay as they are.
const CARE = new RegExp(
  [
    "(?<emoji>\\u{1f3f4}[\\u{e0020}-\\u{e007e}]+\\u{e007f}|[#*0-9]\\ufe0f\\u20e3" +
      "|\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]*" +
      "(?:\\u200d\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]*)*)",
    "(?<space> )",
    "(?<newline>\\n)",
    "(?<tab>\\t)",
    "(?<wide>\\u3000)",
    "(?<hidden>[\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}\\u20e3])",
  ].join("|"),
  "gu",
);

/**
 * The name an invisible character is shown by: NBSP, ZWJ, VS16, U+0007.
 * @param {string} char
 * @returns {string}
 */
export function nameOf(char) {
  const code = char.codePointAt(0) ?? 0;
  const name = NAMES.get(code);
  if (name !== undefined) return name;
  const within = (/** @type {{ first: string, last: string }} */ { first, last }) =>
    parseInt(first, 16) <= code && code <= parseInt(last, 16);
  const numbered = TABLE.numbered.find(within);
  if (numbered) return numbered.name + (code - parseInt(numbered.first, 16) + numbered.from);
  if (within(TABLE.tags)) return TABLE.tags.name + String.fromCharCode(code - parseInt(TABLE.tags.offset, 16));
  return codePoint(char);
}

/**
 * @param {string} char
 * @returns {string} "U+0041"
 */
export function codePoint(char) {
  return "U+" + (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}

/**
 * Whether every character shows itself, so that no mark is needed.
 * @param {string} text
 */
export function isPlain(text) {
  return PLAIN.test(text);
}

/** @type {Set<string>} */
const NONE = new Set();

/**
 * Divides text into what is shown; `mark` is the class of a drawn mark, "" for text that shows itself.
 * @param {string} text
 * @param {Set<string>} [fontless] characters that are shown by their code points, since no font has them
 * @returns {ShownPiece[]}
 */
export function shownPieces(text, fontless = NONE) {
  const pieces = visiblePieces(text);
  if (!fontless.size || PLAIN.test(text)) return pieces;
  const shown = pieces.flatMap((piece) => (piece.mark ? [piece] : withCodePoints(piece, fontless)));
  return shown.filter(({ mark }, at) => mark !== "m circle" || shown[at + 1]?.mark !== "m name fontless");
}

/**
 * @param {ShownPiece} piece that has no mark
 * @param {Set<string>} fontless
 * @returns {ShownPiece[]}
 */
function withCodePoints({ from, text }, fontless) {
  /** @type {ShownPiece[]} */
  const pieces = [];
  let at = from;
  for (const char of text) {
    const isShown = !fontless.has(char);
    const last = pieces.at(-1);
    if (isShown && last && !last.mark) {
      last.text += char;
      last.to += char.length;
    } else if (isShown) pieces.push({ from: at, to: at + char.length, text: char, mark: "" });
    else pieces.push({ from: at, to: at + char.length, text: codePoint(char), mark: "m name fontless" });
    at += char.length;
  }
  return pieces;
}

/**
 * @param {string} text
 * @returns {ShownPiece[]}
 */
function visiblePieces(text) {
  if (PLAIN.test(text) || !NEEDS_CARE.test(text)) return [{ from: 0, to: text.length, text, mark: "" }];
  /** @type {ShownPiece[]} */
  const pieces = [];
  const add = (/** @type {number} */ from, /** @type {number} */ to, /** @type {string} */ shown, /** @type {string} */ mark) => {
    // a combining mark without a base (first, or after a drawn mark) gets a dotted circle
    const bare = !mark && (!pieces.length || Boolean(pieces.at(-1)?.mark)) && /^\p{M}/u.test(shown);
    if (bare) pieces.push({ from, to: from, text: CIRCLE, mark: "m circle" });
    if (to > from) pieces.push({ from, to, text: shown, mark: bare ? "" : mark });
  };
  let done = 0;
  for (const match of text.matchAll(CARE)) {
    const { emoji, space, newline, tab, wide } = match.groups ?? {};
    if (emoji) continue;
    const at = match.index;
    const end = at + match[0].length;
    if (at > done) add(done, at, text.slice(done, at), "");
    if (space) add(at, end, SPACE, "m sp");
    else if (newline) add(at, end, TABLE.signs["\n"], "m nl");
    else if (tab) add(at, end, TABLE.signs["\t"], "m tab");
    else if (wide) add(at, end, wide, "m wide");
    else add(at, end, nameOf(match[0]), "m name");
    done = end;
  }
  if (done < text.length) add(done, text.length, text.slice(done), "");
  return pieces;
}
