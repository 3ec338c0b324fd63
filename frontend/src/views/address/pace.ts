// Rate limit for URL changes: immediate while a person acts, rare during playback.

const BURST = 30;
const EVERY = 500; // milliseconds; BURST and 60 more in 30 seconds stay under the strictest browser's limit of 100

/** Budget of URL changes. All times are milliseconds of one clock. */
export class Pace {
  private saved = BURST;
  private since = 0;

  /** Changes available at once; a fraction is still accumulating. */
  private left(now: number) {
    return Math.min(BURST, this.saved + (now - this.since) / EVERY);
  }

  /**
   * Delay until the next change is allowed.
   * @returns milliseconds
   */
  wait(now: number): number {
    return Math.max(0, Math.ceil((1 - this.left(now)) * EVERY));
  }

  /** Record a change. */
  changed(now: number) {
    this.saved = Math.max(0, this.left(now) - 1);
    this.since = now;
  }
}
