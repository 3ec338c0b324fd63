// @ts-check
// The whole screen, for the stage. A browser takes its time to fill the screen and to give it back: asked for one while
// it is at the other, it may end with either. So it is asked for one at a time, and for the newest.

export class WholeScreen {
  constructor() {
    this.wanted = false;
    this.isChanging = false;
  }

  /** Whether the browser has given it back by its own Esc, which it says in no other way. */
  get isLost() {
    return this.wanted && !this.isChanging && !isFilled();
  }

  /**
   * Fills the screen or gives it back, where the browser can and may: else the stage is the window.
   * @param {boolean} wanted
   */
  async want(wanted) {
    this.wanted = wanted;
    if (this.isChanging) return;
    this.isChanging = true;
    while (this.wanted !== isFilled()) {
      const asked = this.wanted;
      try {
        await (asked ? document.documentElement.requestFullscreen() : document.exitFullscreen());
      } catch {
        // refused, or not known to this browser
      }
      if (this.wanted === asked) this.wanted = isFilled();
    }
    this.isChanging = false;
  }
}

function isFilled() {
  return Boolean(document.fullscreenElement);
}
