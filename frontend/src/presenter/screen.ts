// Full screen for the stage. Entering and leaving are asynchronous: a request during a change may end in either state.
// So requests are made one at a time, and the newest wins.

const WINDOW_OPENS = 2000; // milliseconds

export class WholeScreen {
  wanted = false;
  private isChanging = false;
  private yielded = -Infinity; // time in milliseconds

  /** A window opens over this one, for which browsers may end full screen. */
  yieldToWindow() {
    this.yielded = performance.now();
  }

  /**
   * Adopt a change.
   * @returns what ended full screen: "user", by the browser's own Esc, which no key event reports, or "window"; null if
   * nothing did
   */
  changed(): "user" | "window" | null {
    if (!this.wanted || this.isChanging || isFilled()) return null;
    this.wanted = false;
    return performance.now() - this.yielded > WINDOW_OPENS ? "user" : "window";
  }

  /** Enter or leave full screen if the browser allows it; otherwise the stage fills the window. */
  async want(wanted: boolean) {
    this.wanted = wanted;
    if (this.isChanging) return;
    this.isChanging = true;
    while (this.wanted !== isFilled()) {
      const asked = this.wanted;
      try {
        await (asked ? document.documentElement.requestFullscreen() : document.exitFullscreen());
      } catch {
        // refused or unsupported
      }
      if (this.wanted === asked) this.wanted = isFilled();
    }
    this.isChanging = false;
  }
}

function isFilled() {
  return Boolean(document.fullscreenElement);
}
