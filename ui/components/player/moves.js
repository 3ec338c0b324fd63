// @ts-check
// What a player computes: the move that is on its way, when the clock asks for the next one, what its parts are called.

import { clamp } from "../numbers.js";

/** @typedef {[target: number, byClock: boolean]} Move */

/**
 * The moves of a player: one is on its way until the page answers it, and of those that come meanwhile the newest is
 * kept.
 */
export class Moves {
  constructor() {
    this.step = 0; // what the page shows
    this.last = 0;
    this.shown = 0; // what the player shows, ahead of the page
    /** @type {Move | null} */
    this.sent = null;
    /** @type {number | null} */
    this.wanted = null;
  }

  /**
   * Asks for a step.
   * @param {number} target any number; the nearest step there is, is taken
   * @param {boolean} [byClock] whether the clock asks, and no person: dropped while a move is on its way
   * @returns {Move | null} the move that has to be sent now
   */
  ask(target, byClock = false) {
    const step = clamp(target, 0, this.last);
    if (this.sent) {
      if (!byClock) this.shown = this.wanted = step;
      return null;
    }
    this.shown = step;
    if (step === this.step) return null;
    this.sent = [step, byClock];
    return this.sent;
  }

  /**
   * The page shows a step, but not as the answer to the move that is on its way.
   * @param {number} step
   * @param {number} last
   */
  seen(step, last) {
    this.step = step;
    this.last = last;
    this.shown = this.sent ? clamp(this.shown, 0, last) : step;
  }

  /**
   * The page shows a step, and no move is on its way any more.
   * @param {number} step
   * @param {number} last
   * @returns {number | null} the step that was asked for meanwhile and has to be asked for now
   */
  answered(step, last) {
    const { wanted } = this;
    this.sent = null;
    this.wanted = null;
    this.step = this.shown = step;
    this.last = last;
    return wanted === step ? null : wanted;
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
 * @param {string} unit
 */
export function wordsFor(unit) {
  const capital = unit[0].toUpperCase() + unit.slice(1);
  return {
    unit: capital,
    back: `One ${unit} back (\u2190 key)`,
    next: `The next ${unit} (\u2192 key)`,
    speed: `${capital}s a second while it plays`,
    slider: unit === "merge" ? "Merges applied" : `${capital}s`,
    field: `Go to ${unit}`,
  };
}
