// Computations of the player: the shown step, the timing of playback, and the words for its parts.

import { clamp } from "../../page/numbers.ts";
import { t } from "../../i18n/words.ts";

export type Move = [target: number, byClock: boolean];

/** Steps of a player: the shown step is ahead of the page's until the page has caught up. */
export class Moves {
  step = 0; // step that the page shows
  last = 0;
  shown = 0; // step that the player shows

  /**
   * Show a step.
   * @param target any number; clamped to the available steps
   * @returns step to request from the page; null if it is already requested
   */
  ask(target: number): number | null {
    const step = clamp(target, 0, this.last);
    if (step === this.shown) return null;
    this.shown = step;
    return step;
  }

  /**
   * Record the step that the page shows.
   * @param wanted requested step that the page has not reached yet
   */
  seen(step: number, last: number, wanted: number = step) {
    this.step = step;
    this.last = last;
    this.shown = clamp(wanted, 0, last);
  }
}

/**
 * Delay of playback until the next step.
 * @param lastMove time of the last request, in milliseconds
 * @param speed steps a second
 * @param now in milliseconds
 */
export function waitFor(lastMove: number, speed: number, now: number) {
  return Math.max(0, lastMove + 1000 / speed - now);
}

const SERIES = 250; // milliseconds: faster successive steps are one movement
const REST = 60; // after which a movement counts as finished
const LONGEST = 400; // limit of a movement without a request to the page
const LONGEST_BY_HAND = 1_000; // the same for a movement by hand: the server's answer interrupts it for a frame or two

/**
 * Delay until a step is requested from the page: none for a single step; of a movement, only its last step and some on
 * the way are requested. Drawing the page would hold up the views that follow the movement.
 * @param lastMove time of the previous step, in milliseconds
 * @param lastAsk time of the last request to the page
 * @param now in milliseconds
 * @param byClock whether the player moves by itself
 */
export function waitToAsk(lastMove: number, lastAsk: number, now: number, byClock: boolean) {
  const longest = byClock ? LONGEST : LONGEST_BY_HAND;
  return now - lastMove > SERIES ? 0 : Math.max(0, Math.min(REST, lastAsk + longest - now));
}

/**
 * Fraction of the slider to the left of its thumb.
 * @returns percent
 */
export function sliderShare(step: number, last: number): number {
  return (100 * step) / Math.max(1, last);
}

/** Number of steps for a key; undefined for other keys. Presentation remotes send PageUp and PageDown. */
export function stepsOfKey(key: string): number | undefined {
  return { ArrowLeft: -1, ArrowRight: 1, PageUp: -1, PageDown: 1, Home: -Infinity, End: Infinity }[key];
}

/** Words for a step: a merge in one training, a step in several. */
export function wordsFor(unit: "merge" | "step") {
  if (unit === "merge") {
    return {
      unit: t("Merge"),
      back: t("One merge back (\u2190 key)"),
      next: t("The next merge (\u2192 key)"),
      speed: t("Merges per second during playback"),
      slider: t("Merges applied"),
      field: t("Go to merge"),
    };
  }
  return {
    unit: t("Step"),
    back: t("One step back (\u2190 key)"),
    next: t("The next step (\u2192 key)"),
    speed: t("Steps per second during playback"),
    slider: t("Steps"),
    field: t("Go to step"),
  };
}
