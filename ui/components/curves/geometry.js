// @ts-check
// What a curve computes: its line, the point next to the pointer, and what it says there.

import { shareAbove } from "../axis.js";
import { firstOver, shownNumber } from "../numbers.js";

/**
 * `most`: the largest value, drawn or not; `other`: the values of the second line, or none.
 * @typedef {{ title: string, caption: string, unit: string, digits: number, most: number, values: number[],
 *   other: number[] }} CurveWire
 */
/** @typedef {{ last: number, steps: number[], other: number[], curves: CurveWire[] }} CurvesBody */

export const SIDE = 1000; // units of a drawing's width and of its height, which is stretched into its place

/**
 * The share of a plot's width to the left of a step.
 * @param {number} step
 * @param {number} last
 */
export function shareOfStep(step, last) {
  return step / Math.max(1, last);
}

/**
 * A line through points.
 * @param {number[]} steps
 * @param {number[]} values
 * @param {number} last
 * @param {number} most
 * @returns {string} a path; "" without points
 */
export function lineThrough(steps, values, last, most) {
  const unit = (/** @type {number} */ share) => Math.round(share * SIDE * 10) / 10;
  const points = steps.map((step, at) => `${unit(shareOfStep(step, last))} ${unit(shareAbove(values[at], most))}`);
  return points.length ? "M" + points.join("L") : "";
}

/**
 * The area between a line and the axis.
 * @param {string} line
 * @param {number} end the share of the width where the line ends
 */
export function areaBelow(line, end) {
  return line && `${line}L${Math.round(end * SIDE * 10) / 10} ${SIDE}L0 ${SIDE}Z`;
}

/**
 * The point that is next to a step.
 * @param {number[]} steps rising, not empty
 * @param {number} step
 * @returns {number} its place among the points
 */
export function nearestPoint(steps, step) {
  const after = firstOver(steps.length, (at) => steps[at], step);
  if (!after) return 0;
  if (after === steps.length) return after - 1;
  return step - steps[after - 1] <= steps[after] - step ? after - 1 : after;
}

/**
 * What a curve says at a step.
 * @param {CurveWire} curve
 * @param {number} step
 * @param {number} value
 */
export function wordsAt({ digits, unit }, step, value) {
  return `Merge ${shownNumber(step)}: ${shownNumber(value, digits)} ${unit}`;
}
