// @ts-check
// Lines of text as cells: what is drawn of them, each a character as people see it, with the bytes that it covers.

import { asSign, isRtl, joins, startsRtl } from "../../tokens/direction.js";
import { leadingMarks, shownPieces } from "../../tokens/marks.js";

/**
 * One character as people see it, or a mark. `split`: how many boundaries lie inside it; `sign`: a character that does
 * nothing but give a direction, whose name is drawn.
 * @typedef {{ text: string, mark: string, start: number, end: number, split: number, sign: string }} Cell
 */
/** @typedef {{ cells: Cell[], rtl: boolean, mixed: boolean }} Line */

const ASCII = /^\p{ASCII}*$/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * How many bytes a text has in UTF-8; half of a character counts as three.
 * @param {string} text
 */
export function byteLength(text) {
  let bytes = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/**
 * @param {string} text
 * @returns {string[]} characters as people see them
 */
function graphemes(text) {
  return ASCII.test(text) ? [...text] : Array.from(segmenter.segment(text), (part) => part.segment);
}

/**
 * The cells of a line.
 * @param {string} line
 * @param {number} start the byte that the line starts at
 * @param {Set<number>} boundaries of any tokenizer, in bytes
 * @param {Set<string>} [fontless] characters that no font has
 * @returns {Cell[]}
 */
export function cellsOf(line, start, boundaries, fontless) {
  /** @type {Cell[]} */
  const cells = [];
  let at = start;
  const add = (/** @type {string} */ text, /** @type {string} */ mark, /** @type {string} */ source) => {
    const bytes = byteLength(source);
    const split = mark || joins(text) ? 0 : countInside(boundaries, at, at + bytes);
    cells.push({ text, mark, start: at, end: at + bytes, split, sign: mark ? asSign(source) : "" });
    at += bytes;
  };
  let circle = "";
  for (const { from, to, text, mark } of shownPieces(line, fontless)) {
    if (mark === "m circle") {
      circle = text; // the base of the marks that follow, in one cell with them
      continue;
    }
    const bare = circle && leadingMarks(text);
    if (bare) add(circle + bare, "alone", bare);
    circle = "";
    if (mark) add(text, mark, line.slice(from, to));
    else for (const cell of graphemes(text.slice(bare.length))) add(cell, "", cell);
  }
  return cells;
}

/**
 * @param {Set<number>} boundaries
 * @param {number} start
 * @param {number} end
 */
function countInside(boundaries, start, end) {
  let count = 0;
  for (let byte = start + 1; byte < end; byte++) if (boundaries.has(byte)) count++;
  return count;
}

/**
 * The lines of a text, each with its newline.
 * @param {string} text
 * @param {number} start the byte that the text starts at
 * @param {Set<number>} boundaries
 * @param {Set<string>} [fontless] characters that no font has
 * @returns {Line[]}
 */
export function linesOf(text, start, boundaries, fontless) {
  let at = start;
  return (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => {
    const cells = cellsOf(line, at, boundaries, fontless);
    at = cells[cells.length - 1].end;
    return { cells, rtl: startsRtl(line), mixed: isRtl(line) };
  });
}
