// @ts-check
// What a histogram computes: how high its bars are, which are named, which are chosen.

import { clamp } from "../numbers.js";

/** `more`: the last bar is for larger values as well. */
/** @typedef {{ first: number, counts: number[], more: boolean }} BarsBody */
/** @typedef {[low: number, high: number]} Range */

const ROOM = 150; // pixels for the longest bar
const LEAST = 2; // pixels of a bar that is not empty
export const MANY = 16; // bars from which on only some are named
const EVERY = 4; // of many bars, those whose value is a multiple of this are named

/**
 * How high a bar is.
 * @param {number} count
 * @param {number} most of all bars
 * @returns {number} pixels
 */
export function barHeight(count, most) {
  return count ? Math.max(LEAST, (ROOM * count) / most) : 0;
}

/**
 * The value that a bar is for, as it is written below it.
 * @param {BarsBody} body
 * @param {number} at
 */
export function nameOfBar({ first, counts, more }, at) {
  return `${first + at}${more && at === counts.length - 1 ? "+" : ""}`;
}

/**
 * Whether a bar's name is written: the last one's, and of many bars every fourth as far as there is room.
 * @param {BarsBody} body
 * @param {number} at
 */
export function isNamed({ first, counts, more }, at) {
  const last = counts.length - 1;
  const every = counts.length > MANY ? EVERY : 1;
  return at === last || ((first + at) % every === 0 && at <= last - (more ? 2 : 1));
}

/**
 * Whether a bar is among the chosen values; all are where none is chosen.
 * @param {BarsBody} body
 * @param {Range | null} chosen
 * @param {number} at
 */
export function isChosen({ first, counts, more }, chosen, at) {
  if (!chosen) return true;
  const [low, high] = chosen;
  return first + at <= high && (first + at >= low || (more && at === counts.length - 1));
}

/**
 * The chosen values as bars.
 * @param {BarsBody} body
 * @param {Range} chosen
 * @returns {Range}
 */
export function barsOf({ first, counts }, [low, high]) {
  const last = counts.length - 1;
  return [clamp(low - first, 0, last), clamp(high - first, 0, last)];
}

/**
 * @param {number} from
 * @param {number} to
 * @returns {Range} both in order
 */
export function ordered(from, to) {
  return from < to ? [from, to] : [to, from];
}
