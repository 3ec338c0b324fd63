// @ts-check
// Computations of the bars: the bar below the pointer, the numbered places, and the words for a pair.

import { shownNumber } from "../../page/numbers.js";
import { chipReading } from "../../tokens/spans.js";
import { t } from "../../i18n/words.js";

/** @typedef {"" | "win" | "tie"} PairTone */
/**
 * `step`: step at which the next merge can take these pairs; `places`: number of columns.
 * @typedef {{ step: number, places: number, pairs: [ChipWire, ChipWire][], counts: number[], tones: PairTone[] }} PairsBody
 */

const NUMBERED = 10; // the first place and every tenth are numbered

/** @param {number} places */
export function numberedPlaces(places) {
  return Array.from({ length: places }, (_, at) => at + 1).filter((place) => place === 1 || place % NUMBERED === 0);
}

/**
 * Bar at a fraction of the width; null without one.
 * @param {number} share
 * @param {PairsBody} body
 */
export function barAt(share, { places, counts }) {
  const at = Math.floor(share * places);
  return at >= 0 && at < counts.length ? at : null;
}

/**
 * Meaning of a bar's colour.
 * @param {PairTone} tone
 */
export function meaningOf(tone) {
  return { win: t("the next merge"), tie: t("tied with the next"), "": "" }[tone];
}

/**
 * Accessible name of a bar.
 * @param {PairsBody} body
 * @param {number} at
 */
export function spokenPair({ pairs, counts, tones }, at) {
  const [left, right] = pairs[at];
  const meaning = meaningOf(tones[at]);
  const pair = { left: chipReading(left), right: chipReading(right), count: shownNumber(counts[at]) };
  return meaning ? t("{left} and {right}: {count}, {meaning}", { ...pair, meaning }) : t("{left} and {right}: {count}", pair);
}
