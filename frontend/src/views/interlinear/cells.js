// @ts-check
// Lines of text as cells: grapheme clusters as drawn, with the bytes that each covers.

import { asSign, isRtl, joins, startsRtl } from "../../tokens/direction.js";
import { leadingMarks, shownPieces } from "../../tokens/marks.js";

/**
 * A grapheme cluster, or a mark. `split`: number of boundaries inside it; `sign`: a character that
 * only sets a direction, drawn by name.
 * @typedef {{ text: string, mark: string, start: number, end: number, split: number, sign: string }} Cell
 */
/** @typedef {{ cells: Cell[], rtl: boolean, mixed: boolean }} Line */

const ASCII = /^\p{ASCII}*$/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * Length of a text in bytes of UTF-8; a lone surrogate counts as three.
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
 * @returns {string[]} grapheme clusters
 */
function graphemes(text) {
  return ASCII.test(text) ? [...text] : Array.from(segmenter.segment(text), (part) => part.segment);
}

/**
 * Cells of a line.
 * @param {string} line
 * @param {number} start byte at which the line starts
 * @param {Set<number>} boundaries of any tokenizer, in bytes
 * @param {Set<string>} [fontless] characters without a font
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
      circle = text; // base of the following marks, in the same cell
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
 * Lines of a text, each with its newline.
 * @param {string} text
 * @param {number} start byte at which the text starts
 * @param {Set<number>} boundaries
 * @param {Set<string>} [fontless] characters without a font
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
