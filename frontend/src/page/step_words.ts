// Position and text of a step on a curve that has points for only some steps.

import { firstOver, shownNumber } from "./numbers.ts";
import { t, tn } from "../i18n/words.ts";

export type Unit = "tokens" | "bytes" | "characters" | "saved";

/** StepWords of plot_steps.py; `ids`: number of ids before any merge, and parameters per id. */
export type StepWords = [
  title: string,
  caption: string,
  unit: Unit,
  digits: number,
  saves: number,
  ids: [first: number, width: number] | null,
];

/**
 * Position of a step on the axis, interpolated between the adjacent points.
 * @param steps ascending, not empty
 * @param places positions of these steps
 */
export function placeOfStep(steps: number[], places: number[], step: number) {
  const after = Math.min(
    firstOver(steps.length, (at) => steps[at], step),
    steps.length - 1,
  );
  const before = Math.max(after - 1, 0);
  const part = after === before ? 0 : (step - steps[before]) / (steps[after] - steps[before]);
  return places[before] + Math.min(part, 1) * (places[after] - places[before]);
}

/**
 * Point nearest to a step.
 * @param steps ascending, not empty
 * @returns its index
 */
export function nearestPoint(steps: number[], step: number): number {
  const after = firstOver(steps.length, (at) => steps[at], step);
  if (!after) return 0;
  if (after === steps.length) return after - 1;
  return step - steps[after - 1] <= steps[after] - step ? after - 1 : after;
}

/**
 * Text of a curve at a step.
 * @param first value at step 0
 */
export function wordsAt([, , unit, digits, saves, ids]: StepWords, step: number, value: number, first: number) {
  const number = shownNumber(value, digits);
  if (ids) {
    const [count, width] = [ids[0] + step, ids[1]];
    const product = { ids: shownNumber(count), width: shownNumber(width), parameters: shownNumber(count * width) };
    return t("{ids} ids \u00d7 {width} = {parameters} parameters: {number}% of the tokens saved", { ...product, number });
  }
  const merge = { step: shownNumber(step), number };
  const share = !saves ? NaN : saves > 0 ? 1 - value / first : 1 - first / value;
  return Number.isFinite(share) ? saved(unit, { ...merge, share: shownNumber(100 * share, 1) }, value) : valueAt(unit, merge, value);
}

function valueAt(unit: Unit, merge: { step: string; number: string }, value: number) {
  if (unit === "bytes") return t("Merge {step}: {number} bytes per token", merge);
  if (unit === "characters") return t("Merge {step}: {number} characters per token", merge);
  return tn("Merge {step}: {number} token", "Merge {step}: {number} tokens", value, merge);
}

function saved(unit: Unit, merge: { step: string; number: string; share: string }, value: number) {
  if (unit === "bytes") return t("Merge {step}: {number} bytes per token, {share}% saved", merge);
  if (unit === "characters") return t("Merge {step}: {number} characters per token, {share}% saved", merge);
  return tn("Merge {step}: {number} token, {share}% saved", "Merge {step}: {number} tokens, {share}% saved", value, merge);
}
