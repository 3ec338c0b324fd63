// @ts-check
// What the grid of a batch says and how it is divided: the lines of a row, its kinds of cells, sentences.

import { shownNumber } from "../numbers.js";

/**
 * `kinds`: a token of a text, a special token of the template, or a pad token. `rest`: ids that are not drawn.
 * `removed`: for each text what truncation removed: its name, the number of tokens, the beginning of their text.
 * @typedef {{ name: string, piece: string, chips: ChipWire[], kinds: CellKind[], ids: number[], types: number[],
 *   attention: number[], special: number[], rest: number, removed: [name: string, tokens: number, text: string][],
 *   pieces: number, hidden: number }} RowWire
 */
/** @typedef {"text" | "special" | "pad"} CellKind */
/** @typedef {{ rows: RowWire[], added: number[] }} BatchBody */
/** @typedef {{ title: string, className: string, values: number[] }} Line a line of numbers below the tokens */

/**
 * The lines below the tokens of a row.
 * @param {RowWire} row
 * @returns {Line[]}
 */
export function linesOf({ ids, types, attention, special }) {
  return [
    { title: "id", className: "ids", values: ids },
    { title: "type id", className: "types", values: types },
    { title: "attention mask", className: "mask attention", values: attention },
    { title: "special-tokens mask", className: "mask special-mask", values: special },
  ];
}

/**
 * @param {number} count
 * @param {string} noun
 */
export function many(count, noun) {
  return `${shownNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/**
 * What is said before the text that truncation removed.
 * @param {string} name of the text, "" for the only one
 * @param {number} tokens
 */
export function removedText(name, tokens) {
  return `${many(tokens, "token")}${name ? ` of ${name}` : ""} removed`;
}

/**
 * What is said of the overflowing pieces of a row; "" where nothing overflows.
 * @param {number} pieces
 * @param {number} hidden how many of them are not drawn
 */
export function overflowText(pieces, hidden) {
  if (!pieces) return "";
  const drawn = hidden === pieces ? "not drawn" : hidden ? `the first ${shownNumber(pieces - hidden)} below` : "below";
  return `${many(pieces, "overflowing piece")}: ${drawn}`;
}
