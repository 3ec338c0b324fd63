// @ts-check
// Content of a batch grid: lines of a row, kinds of cells, sentences.

import { shownNumber } from "../../page/numbers.js";
import { t, tn } from "../../i18n/words.js";

/**
 * `kinds`: a token of a text, a special token of the template, or a pad token. `rest`: number of ids not drawn.
 * `removed`: text removed by truncation: its name, number of tokens, and beginning.
 * @typedef {{ name: string, piece: string, chips: ChipWire[], kinds: CellKind[], ids: number[], types: number[],
 *   attention: number[], special: number[], rest: number, removed: [name: string, tokens: number, text: string][],
 *   pieces: number, hidden: number }} RowWire
 */
/** @typedef {"text" | "special" | "pad"} CellKind */
/** @typedef {{ rows: RowWire[], added: number[] }} BatchBody */
/** @typedef {{ title: string, className: string, values: number[] }} Line a line of numbers below the tokens */

/**
 * Lines below the tokens of a row.
 * @param {RowWire} row
 * @returns {Line[]}
 */
export function linesOf({ ids, types, attention, special }) {
  return [
    { title: t("id"), className: "ids", values: ids },
    { title: t("type id"), className: "types", values: types },
    { title: t("attention mask"), className: "mask attention", values: attention },
    { title: t("special-tokens mask"), className: "mask special-mask", values: special },
  ];
}

/**
 * Words before the text that truncation removed.
 * @param {string} name of the text, "" for the only one
 * @param {number} tokens
 */
export function removedText(name, tokens) {
  const count = shownNumber(tokens);
  if (!name) return tn("{count} token removed", "{count} tokens removed", tokens, { count });
  return tn("{count} token of {text} removed", "{count} tokens of {text} removed", tokens, { count, text: name });
}

/**
 * Sentence about the overflowing pieces of a row; "" if nothing overflows.
 * @param {number} pieces
 * @param {number} hidden number of them that are not drawn
 */
export function overflowText(pieces, hidden) {
  if (!pieces) return "";
  const counts = { count: shownNumber(pieces), drawn: shownNumber(pieces - hidden) };
  if (hidden === pieces) {
    return tn("{count} overflowing piece: not drawn", "{count} overflowing pieces: not drawn", pieces, counts);
  }
  if (!hidden) return tn("{count} overflowing piece: below", "{count} overflowing pieces: below", pieces, counts);
  return t("{count} overflowing pieces: the first {drawn} below", counts);
}
