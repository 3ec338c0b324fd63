// @ts-check
// Whether what was just done has reached the server, and its answer the page.

export const QUIET = 150; // milliseconds: between an action and the run that it starts, the app looks idle
export const MOST = 2_000; // milliseconds: while a player plays, the app is never idle for long

/** Is told from time to time whether the app is idle. All times are milliseconds of one clock. */
export class Settling {
  /** @param {number} begun */
  constructor(begun) {
    this.begun = begun;
    this.idleSince = begun;
  }

  /**
   * Whether all that was done before has been answered, as far as can be told.
   * @param {number} now
   * @param {boolean} idle
   */
  isDone(now, idle) {
    if (!idle) this.idleSince = now;
    return now - this.idleSince >= QUIET || now - this.begun >= MOST;
  }
}
