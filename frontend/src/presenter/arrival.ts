// Holds a remote's key while the page that it went to is being drawn: what comes next there is known only afterwards.

interface Page {
  /** Name of what is shown. */
  place: () => string;
  isDrawn: () => boolean;
  /** Takes the held key. */
  go: (way: number) => void;
}

const LOOK_EVERY = 50; // milliseconds
const SETTLED = 100; // milliseconds from the end of a run to its last view
const NOTHING_CAME = 2000; // milliseconds without a change after which the click counts as without effect

export class Arrival {
  private readonly page: Page;
  private left = ""; // place
  private drawn = 0; // milliseconds since the place was drawn, counted in checks: a busy page draws its views late
  private held = 0; // direction of the last key
  private timer = 0;

  constructor(page: Page) {
    this.page = page;
  }

  get isAwaited() {
    return this.timer !== 0;
  }

  /** A click leads to another place. */
  expect() {
    this.left = this.page.place();
    this.begin();
  }

  /** Keep a key until the place is drawn; of several keys the last one, as the earlier ones had no visible effect. */
  hold(way: number) {
    if (!this.isAwaited) {
      this.left = "";
      this.begin();
    }
    this.held = way;
  }

  private begin() {
    clearInterval(this.timer);
    this.drawn = 0;
    this.timer = window.setInterval(() => this.look(), LOOK_EVERY);
    document.documentElement.dataset.arriving = "";
  }

  private look() {
    this.drawn = this.page.isDrawn() ? this.drawn + LOOK_EVERY : 0;
    if (this.drawn >= (this.page.place() === this.left ? NOTHING_CAME : SETTLED)) this.arrive();
  }

  private arrive() {
    clearInterval(this.timer);
    this.timer = 0;
    delete document.documentElement.dataset.arriving;
    const { held } = this;
    this.held = 0;
    if (held) this.page.go(held);
  }
}
