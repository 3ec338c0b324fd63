// @ts-check
// What the bars compute: which place is pointed at, which are numbered, and what is said of a pair.

import { shownNumber } from "../numbers.js";
import { chipReading } from "../tokens/spans.js";
import { t } from "../words.js";

/** @typedef {"" | "win" | "tie"} PairTone */
/**
 * `step`: the one at which the next merge can take these pairs; `places`: for how many there is room.
 * @typedef {{ step: number, places: number, pairs: [ChipWire, ChipWire][], counts: number[], tones: PairTone[] }} PairsBody
 */

const NUMBERED = 10; // every tenth place has its number, and the first

/** @param {number} places */
export function numberedPlaces(places) {
  return Array.from({ length: places }, (_, at) => at + 1).filter((place) => place === 1 || place % NUMBERED === 0);
}

/**
 * The bar at a share of the width; null where there is none.
 * @param {number} share
 * @param {PairsBody} body
 */
export function barAt(share, { places, counts }) {
  const at = Math.floor(share * places);
  return at >= 0 && at < counts.length ? at : null;
}

/**
 * What a bar's colour says.
 * @param {PairTone} tone
 */
export function meaningOf(tone) {
  return { win: t("the next merge"), tie: t("tied with the next"), "": "" }[tone];
}

/**
 * What a screen reader says of a bar.
 * @param {PairsBody} body
 * @param {number} at
 */
export function spokenPair({ pairs, counts, tones }, at) {
  const [left, right] = pairs[at];
  const meaning = meaningOf(tones[at]);
  const pair = { left: chipReading(left), right: chipReading(right), count: shownNumber(counts[at]) };
  return meaning ? t("{left} and {right}: {count}, {meaning}", { ...pair, meaning }) : t("{left} and {right}: {count}", pair);
}
