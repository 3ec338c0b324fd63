// @ts-check
// How often the address changes: at once, as long as a person acts, and rarely while a player plays.

const BURST = 30;
const EVERY = 500; // milliseconds; BURST and 60 more in 30 seconds stay under the 100 that the strictest browser takes

/** Counts changes against what browsers take. All times are milliseconds of one clock. */
export class Pace {
  constructor() {
    this.saved = BURST;
    this.since = 0;
  }

  /**
   * How many changes may be made at once; a part of one is still to come.
   * @param {number} now
   */
  left(now) {
    return Math.min(BURST, this.saved + (now - this.since) / EVERY);
  }

  /**
   * How long the next change has to wait.
   * @param {number} now
   * @returns {number} milliseconds
   */
  wait(now) {
    return Math.max(0, Math.ceil((1 - this.left(now)) * EVERY));
  }

  /**
   * The address was changed.
   * @param {number} now
   */
  changed(now) {
    this.saved = Math.max(0, this.left(now) - 1);
    this.since = now;
  }
}
