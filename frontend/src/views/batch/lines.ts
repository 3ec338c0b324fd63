// Content of a batch grid: lines of a row, kinds of cells, sentences.

import { shownNumber } from "../../page/numbers.ts";
import { t, tn } from "../../i18n/words.ts";
import type { ChipWire } from "../../tokens/spans.ts";

export interface RowWire {
  name: string;
  piece: string;
  chips: ChipWire[];
  /** A token of a text, a special token of the template, or a pad token. */
  kinds: CellKind[];
  ids: number[];
  types: number[];
  attention: number[];
  special: number[];
  /** Number of ids not drawn. */
  rest: number;
  /** Text removed by truncation: its name, number of tokens, and beginning. */
  removed: [name: string, tokens: number, text: string][];
  pieces: number;
  hidden: number;
}

type CellKind = "text" | "special" | "pad";

export interface BatchBody {
  rows: RowWire[];
  added: number[];
}

/** A line of numbers below the tokens. */
interface Line {
  title: string;
  className: string;
  values: number[];
}

/** Lines below the tokens of a row. */
export function linesOf({ ids, types, attention, special }: RowWire): Line[] {
  return [
    { title: t("id"), className: "ids", values: ids },
    { title: t("type id"), className: "types", values: types },
    { title: t("attention mask"), className: "mask attention", values: attention },
    { title: t("special-tokens mask"), className: "mask special-mask", values: special },
  ];
}

/**
 * Words before the text that truncation removed.
 * @param name of the text, "" for the only one
 */
export function removedText(name: string, tokens: number) {
  const count = shownNumber(tokens);
  if (!name) return tn("{count} token removed", "{count} tokens removed", tokens, { count });
  return tn("{count} token of {text} removed", "{count} tokens of {text} removed", tokens, { count, text: name });
}

/**
 * Sentence about the overflowing pieces of a row; "" if nothing overflows.
 * @param hidden number of them that are not drawn
 */
export function overflowText(pieces: number, hidden: number) {
  if (!pieces) return "";
  const counts = { count: shownNumber(pieces), drawn: shownNumber(pieces - hidden) };
  if (hidden === pieces) {
    return tn("{count} overflowing piece: not drawn", "{count} overflowing pieces: not drawn", pieces, counts);
  }
  if (!hidden) return tn("{count} overflowing piece: below", "{count} overflowing pieces: below", pieces, counts);
  return t("{count} overflowing pieces: the first {drawn} below", counts);
}
