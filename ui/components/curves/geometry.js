// @ts-check
// What a curve computes: its line, the point next to the pointer, and what it says there.

import { shareAbove } from "../axis.js";
import { firstOver, shownNumber } from "../numbers.js";
import { t } from "../words.js";

/**
 * `most`: the largest value, drawn or not; `other`: the values of the second line, or none; `saves`: whether it is said
 * how much the value saves of the first one: 1 where it falls, -1 where it rises, 0 not.
 * @typedef {{ title: string, caption: string, unit: string, digits: number, most: number, values: number[],
 *   other: number[], saves: number }} CurveWire
 */
/** @typedef {{ share: number, value: number, name: string, line: string, words: string }} MarkedPoint */
/**
 * An axis of vocabulary sizes instead of one of steps; `shares`: where each step with a point is.
 * @typedef {{ shares: number[], first_id: number, width: number, names: [share: number, first: string, second: string][],
 *   lines: [string, string], gap: [number, number] | null, points: MarkedPoint[] }} IdsAxis
 */
/** @typedef {{ last: number, steps: number[], other: number[], curves: CurveWire[], axis: IdsAxis | null }} CurvesBody */

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
 * The share of a plot's width to the left of a step, on whatever axis the curves have.
 * @param {CurvesBody} all
 * @param {number} step
 */
export function shareAt({ last, steps, axis }, step) {
  if (!axis) return shareOfStep(step, last);
  const after = Math.min(firstOver(steps.length, (at) => steps[at], step), steps.length - 1);
  const before = Math.max(after - 1, 0);
  const part = after === before ? 0 : (step - steps[before]) / (steps[after] - steps[before]);
  return axis.shares[before] + Math.min(part, 1) * (axis.shares[after] - axis.shares[before]);
}

/**
 * The shares of all that can be pointed at: the steps with points, then what is drawn beside the curve.
 * @param {CurvesBody} all
 */
export function stopsOf({ last, steps, axis }) {
  if (!axis) return steps.map((step) => shareOfStep(step, last));
  return [...axis.shares, ...axis.points.map(({ share }) => share)];
}

/**
 * A line through points.
 * @param {number[]} shares of the width
 * @param {number[]} values
 * @param {number} most
 * @returns {string} a path; "" without points
 */
export function lineThrough(shares, values, most) {
  const unit = (/** @type {number} */ share) => Math.round(share * SIDE * 10) / 10;
  const points = values.map((value, at) => `${unit(shares[at])} ${unit(shareAbove(value, most))}`);
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
 * The point that is next to a place.
 * @param {number[]} places rising, not empty
 * @param {number} place
 * @returns {number} its number among the points
 */
export function nearestPoint(places, place) {
  const after = firstOver(places.length, (at) => places[at], place);
  if (!after) return 0;
  if (after === places.length) return after - 1;
  return place - places[after - 1] <= places[after] - place ? after - 1 : after;
}

/**
 * What of all that can be pointed at is next to a place.
 * @param {CurvesBody} all
 * @param {number} share
 * @returns {number} its number among the stops
 */
export function nearestStop({ steps, last, axis }, share) {
  if (!axis) return nearestPoint(steps, share * last);
  const onCurve = nearestPoint(axis.shares, share);
  const apart = axis.points.map((point) => Math.abs(point.share - share));
  const nearest = Math.min(...apart);
  return nearest < Math.abs(axis.shares[onCurve] - share) ? steps.length + apart.indexOf(nearest) : onCurve;
}

/**
 * What a curve says at a step.
 * @param {CurveWire} curve
 * @param {number} step
 * @param {number} value
 * @param {IdsAxis | null} [axis]
 */
export function wordsAt({ digits, unit, saves, values }, step, value, axis = null) {
  const amount = { number: shownNumber(value, digits), unit };
  const shown = unit.startsWith("%") ? t("{number}{unit}", amount) : t("{number} {unit}", amount);
  if (axis) {
    const ids = axis.first_id + step;
    const product = { ids: shownNumber(ids), width: shownNumber(axis.width), parameters: shownNumber(ids * axis.width) };
    return t("{ids} ids \u00d7 {width} = {parameters} parameters: {value}", { ...product, value: shown });
  }
  const merge = { step: shownNumber(step), value: shown };
  const share = !saves ? NaN : saves > 0 ? 1 - value / values[0] : 1 - values[0] / value;
  if (!Number.isFinite(share)) return t("Merge {step}: {value}", merge);
  return t("Merge {step}: {value}, {share}% saved", { ...merge, share: shownNumber(100 * share, 1) });
}
