// @ts-check
// What the chart computes: the shape of each name's mark, where its values are, and what is said of them.

import { endOfAxis } from "../axis.js";
import { shownNumber } from "../numbers.js";
import { t } from "../words.js";

/** @typedef {[name: string, values: (number | null)[], hollow: number[]]} DotRow */
/** @typedef {{ names: string[], rows: DotRow[], axis: string, digits: number, hollow: string }} DotsBody */

// In a square from -6 to 6, all about as large to the eye.
export const SHAPES = [
  "M5 0A5 5 0 1 1 -5 0A5 5 0 1 1 5 0Z", // a circle
  "M-4.5 -4.5H4.5V4.5H-4.5Z", // a square
  "M0 -6L6 0L0 6L-6 0Z", // a diamond
  "M0 -5.5L6 4.8H-6Z", // a triangle
  "M-2 -5.5H2V-2H5.5V2H2V5.5H-2V2H-5.5V-2H-2Z", // a cross
  "M0 -6L1.7 -2L6 -1.8L2.7 1L3.8 5.3L0 3L-3.8 5.3L-2.7 1L-6 -1.8L-1.7 -2Z", // a star
  "M0 5.5L6 -4.8H-6Z", // a triangle on its point
  "M-2.9 -5H2.9L5.8 0L2.9 5H-2.9L-5.8 0Z", // a hexagon
];

/**
 * The largest value of all.
 * @param {DotsBody} body
 */
export function largestOf({ rows }) {
  return Math.max(0, ...rows.flatMap(([, values]) => values.map((value) => value ?? 0)));
}

/**
 * Where on the axis a value is, as a length of CSS.
 * @param {number} value
 * @param {number} most the largest one
 */
export function placeOf(value, most) {
  return `${(100 * value) / endOfAxis(most)}%`;
}

/**
 * The least and the largest value of a row; null where it has none.
 * @param {DotRow} row
 * @returns {[least: number, most: number] | null}
 */
export function rangeOfRow([, values]) {
  const known = values.filter((value) => value !== null);
  return known.length ? [Math.min(...known), Math.max(...known)] : null;
}

/**
 * A value in words: "GPT-2: 4.32".
 * @param {DotsBody} body
 * @param {DotRow} row
 * @param {number} at
 */
export function wordsOf({ names, digits, hollow }, [, values, isHollow], at) {
  const value = values[at];
  if (value === null) return "";
  const known = { name: names[at], value: shownNumber(value, digits), hollow };
  return isHollow[at] ? t("{name}: {value}, {hollow}", known) : t("{name}: {value}", known);
}
