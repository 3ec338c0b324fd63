// @ts-check
// What a player computes: the step that it shows, when the clock asks for the next one, what its parts are called.

import { clamp } from "../numbers.js";
import { t } from "../words.js";

/** @typedef {[target: number, byClock: boolean]} Move */

/** The steps of a player: the one that it shows is ahead of the page's, until the page has followed. */
export class Moves {
  constructor() {
    this.step = 0; // what the page shows
    this.last = 0;
    this.shown = 0; // what the player shows
  }

  /**
   * Shows a step.
   * @param {number} target any number; the nearest step there is, is taken
   * @returns {number | null} the step that the page has to be asked for; null where it has been already
   */
  ask(target) {
    const step = clamp(target, 0, this.last);
    if (step === this.shown) return null;
    this.shown = step;
    return step;
  }

  /**
   * The page shows a step.
   * @param {number} step
   * @param {number} last
   * @param {number} [wanted] what it was asked for and has not followed yet
   */
  seen(step, last, wanted = step) {
    this.step = step;
    this.last = last;
    this.shown = clamp(wanted, 0, last);
  }
}

/**
 * How long the clock waits for the next step.
 * @param {number} lastMove when the last one was asked for, in milliseconds
 * @param {number} speed steps a second
 * @param {number} now in milliseconds
 */
export function waitFor(lastMove, speed, now) {
  return Math.max(0, lastMove + 1000 / speed - now);
}

const SERIES = 250; // milliseconds: steps that follow each other faster are one movement
const REST = 60; // after which a movement is taken to have come to rest
const LONGEST = 400; // that a movement goes on without the page being asked

/**
 * How long a step waits until the page is asked for it: a single one not at all; of a movement the one where it rests, and
 * some on the way. What the page draws would hold up the views that follow the movement.
 * @param {number} lastMove when the step before was shown, in milliseconds
 * @param {number} lastAsk when the page was asked last
 * @param {number} now in milliseconds
 */
export function waitToAsk(lastMove, lastAsk, now) {
  return now - lastMove > SERIES ? 0 : Math.max(0, Math.min(REST, lastAsk + LONGEST - now));
}

/**
 * The share of the slider to the left of its thumb.
 * @param {number} step
 * @param {number} last
 * @returns {number} percent
 */
export function sliderShare(step, last) {
  return (100 * step) / Math.max(1, last);
}

/**
 * By how many steps a key moves; undefined for another key. Presenters' remotes send PageUp and PageDown.
 * @param {string} key
 * @returns {number | undefined}
 */
export function stepsOfKey(key) {
  return { ArrowLeft: -1, ArrowRight: 1, PageUp: -1, PageDown: 1, Home: -Infinity, End: Infinity }[key];
}

/**
 * The words for a step: of one training a merge, of several a step.
 * @param {"merge" | "step"} unit
 */
export function wordsFor(unit) {
  if (unit === "merge") {
    return {
      unit: t("Merge"),
      back: t("One merge back (\u2190 key)"),
      next: t("The next merge (\u2192 key)"),
      speed: t("Merges a second while it plays"),
      slider: t("Merges applied"),
      field: t("Go to merge"),
    };
  }
  return {
    unit: t("Step"),
    back: t("One step back (\u2190 key)"),
    next: t("The next step (\u2192 key)"),
    speed: t("Steps a second while it plays"),
    slider: t("Steps"),
    field: t("Go to step"),
  };
}
