// @ts-check
// Position and text of a step on a curve that has points for only some steps.

import { firstOver, shownNumber } from "../../page/numbers.js";
import { t } from "../../i18n/words.js";

/**
 * StepWords of plot_steps.py; `ids`: number of ids before any merge, and parameters per id.
 * @typedef {[title: string, caption: string, unit: string, digits: number, saves: number,
 *   ids: [first: number, width: number] | null]} StepWords
 */

/**
 * Position of a step on the axis, interpolated between the adjacent points.
 * @param {number[]} steps ascending, not empty
 * @param {number[]} places positions of these steps
 * @param {number} step
 */
export function placeOfStep(steps, places, step) {
  const after = Math.min(firstOver(steps.length, (at) => steps[at], step), steps.length - 1);
  const before = Math.max(after - 1, 0);
  const part = after === before ? 0 : (step - steps[before]) / (steps[after] - steps[before]);
  return places[before] + Math.min(part, 1) * (places[after] - places[before]);
}

/**
 * Point nearest to a step.
 * @param {number[]} steps ascending, not empty
 * @param {number} step
 * @returns {number} its index
 */
export function nearestPoint(steps, step) {
  const after = firstOver(steps.length, (at) => steps[at], step);
  if (!after) return 0;
  if (after === steps.length) return after - 1;
  return step - steps[after - 1] <= steps[after] - step ? after - 1 : after;
}

/**
 * Text of a curve at a step.
 * @param {StepWords} words
 * @param {number} step
 * @param {number} value
 * @param {number} first value at step 0
 */
export function wordsAt([, , unit, digits, saves, ids], step, value, first) {
  const amount = { number: shownNumber(value, digits), unit };
  const shown = unit.startsWith("%") ? t("{number}{unit}", amount) : t("{number} {unit}", amount);
  if (ids) {
    const [count, width] = [ids[0] + step, ids[1]];
    const product = { ids: shownNumber(count), width: shownNumber(width), parameters: shownNumber(count * width) };
    return t("{ids} ids \u00d7 {width} = {parameters} parameters: {value}", { ...product, value: shown });
  }
  const merge = { step: shownNumber(step), value: shown };
  const share = !saves ? NaN : saves > 0 ? 1 - value / first : 1 - first / value;
  if (!Number.isFinite(share)) return t("Merge {step}: {value}", merge);
  return t("Merge {step}: {value}, {share}% saved", { ...merge, share: shownNumber(100 * share, 1) });
}
