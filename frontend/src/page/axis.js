// @ts-check
// The round numbers that are written along an axis, and how far up a value stands beside them.

import { shownNumber } from "./numbers.js";
import { make } from "./elements.js";

/**
 * Round numbers from 0 to `most`, equally far apart: one more than `many` at the most.
 * @param {number} most
 * @param {number} many
 * @param {boolean} [whole] whether there is nothing between two whole numbers
 * @returns {{ ticks: number[], digits: number }} the numbers, and the decimal places that they need
 */
export function ticksTo(most, many, whole = false) {
  if (!(most > 0)) return { ticks: [0], digits: 0 };
  const least = whole ? Math.max(1, most / many) : most / many;
  const power = 10 ** Math.floor(Math.log10(least));
  const apart = power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
  const digits = Math.max(0, -Math.floor(Math.log10(apart) + 1e-9));
  const count = Math.floor(most / apart + 1e-9) + 1;
  return { ticks: Array.from({ length: count }, (_, at) => Number((at * apart).toFixed(digits))), digits };
}

/**
 * Where an axis ends: a little after its largest value.
 * @param {number} most
 */
export function endOfAxis(most) {
  return 1.04 * Math.max(most, 1e-9);
}

/**
 * The share of a plot's height above a value.
 * @param {number} value
 * @param {number} most
 */
function shareAbove(value, most) {
  return 1 - value / endOfAxis(most);
}

/**
 * Writes values along the upright axis of a plot, and draws a line at each.
 * @param {HTMLElement} names
 * @param {HTMLElement} grid
 * @param {number} most the largest value
 * @param {number} many
 * @param {boolean} whole
 */
export function nameValues(names, grid, most, many, whole) {
  const { ticks, digits } = ticksTo(endOfAxis(most), many, whole);
  const at = (/** @type {HTMLElement} */ el, /** @type {number} */ value) => {
    el.style.top = 100 * shareAbove(value, most) + "%";
    return el;
  };
  names.replaceChildren(...ticks.map((value) => at(make("span", "", shownNumber(value, digits)), value)));
  grid.replaceChildren(...ticks.map((value) => at(make("i"), value)));
}
