// Full screen for the stage. Entering and leaving are asynchronous: a request during a change may end in either state.
// So requests are made one at a time, and the newest wins.

export class WholeScreen {
  wanted = false;
  private isChanging = false;

  /** Whether the browser left full screen by its own Esc, which no key event reports. */
  get isLost() {
    return this.wanted && !this.isChanging && !isFilled();
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
