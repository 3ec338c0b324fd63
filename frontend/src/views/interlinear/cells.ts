// Lines of text as cells: grapheme clusters as drawn, with the bytes that each covers.

import { asSign, isRtl, joins, startsRtl } from "../../tokens/direction.ts";
import { leadingMarks, shownPieces } from "../../tokens/marks.ts";

/** A grapheme cluster, or a mark. */
export interface Cell {
  text: string;
  mark: string;
  start: number;
  end: number;
  /** Number of boundaries inside it. */
  split: number;
  /** A character that only sets a direction, drawn by name. */
  sign: string;
}

export interface Line {
  cells: Cell[];
  rtl: boolean;
  mixed: boolean;
  isParagraph: boolean; // whether empty lines follow it
}

const ASCII = /^\p{ASCII}*$/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Length of a text in bytes of UTF-8; a lone surrogate counts as three. */
export function byteLength(text: string) {
  let bytes = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** @returns grapheme clusters */
function graphemes(text: string): string[] {
  return ASCII.test(text) ? [...text] : Array.from(segmenter.segment(text), (part) => part.segment);
}

/**
 * Cells of a line.
 * @param start byte at which the line starts
 * @param boundaries of any tokenizer, in bytes
 * @param fontless characters without a font
 */
export function cellsOf(line: string, start: number, boundaries: Set<number>, fontless?: Set<string>): Cell[] {
  const cells: Cell[] = [];
  let at = start;
  const add = (text: string, mark: string, source: string) => {
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

function countInside(boundaries: Set<number>, start: number, end: number) {
  let count = 0;
  for (let byte = start + 1; byte < end; byte++) if (boundaries.has(byte)) count++;
  return count;
}

/**
 * Lines of a text, each with its newline and those of the empty lines that follow: they take no rows of their own.
 * @param start byte at which the text starts
 * @param fontless characters without a font
 */
export function linesOf(text: string, start: number, boundaries: Set<number>, fontless?: Set<string>): Line[] {
  let at = start;
  return (text.match(/[^\n]*(?:\n(?:\r?\n)*)|[^\n]+$/g) ?? []).map((line) => {
    const cells = cellsOf(line, at, boundaries, fontless);
    at = cells[cells.length - 1].end;
    return { cells, rtl: startsRtl(line), mixed: isRtl(line), isParagraph: /\n\r?\n/.test(line) };
  });
}
