// Visible height of the lines, which scroll, and the buttons below them: scroll on, or show all lines.

import { find, setText } from "../../page/elements.ts";
import { t } from "../../i18n/words.ts";
import { furtherText } from "./rows.ts";

const SLACK = 4; // pixels of rounding in browsers
const LEAST_SEEN = 30; // visible pixels from which a line counts as seen

/** What the foot asks of the lines. */
interface Lines {
  /** Start of each chunk, and whether it starts a line. */
  lineTops: () => { top: number; lineStart: boolean }[];
  /** Number of lines that are not laid out yet. */
  toCome: () => number;
  /** Called after all lines are shown or collapsed. */
  toggled: () => void;
}

/** Height of the lines, and the two buttons below them. */
export class Foot {
  private readonly foot: HTMLElement;
  private readonly lanes: HTMLElement;
  private readonly lines: Lines;
  private readonly further: HTMLButtonElement;
  private readonly all: HTMLButtonElement;
  opened = false; // whether all lines are shown
  private height: number | null = null;

  /** @param lanes the scroll area */
  constructor(foot: HTMLElement, lanes: HTMLElement, lines: Lines) {
    this.foot = foot;
    this.lanes = lanes;
    this.lines = lines;
    this.further = find(foot, "button:first-child", HTMLButtonElement);
    this.all = find(foot, "button:last-child", HTMLButtonElement);
    this.further.onclick = () => this.scrollOn();
    this.all.onclick = () => this.toggle();
  }

  /** Whether the lines scroll inside a limited height. */
  get inner() {
    return Boolean(this.height) && !this.opened;
  }

  /** @param height pixels; null for no limit */
  bound(height: number | null = this.height) {
    this.height = height;
    this.lanes.style.maxHeight = this.inner ? `var(--lanes-most, ${height}px)` : "";
  }

  /** Update the buttons and the number of remaining lines. */
  update() {
    const { lanes } = this;
    const hidden = lanes.scrollHeight - lanes.clientHeight;
    const toCome = this.lines.toCome();
    const needed = toCome > 0 || (this.opened ? lanes.scrollHeight > (this.height ?? 0) : hidden > SLACK);
    this.foot.hidden = !this.height || !needed;
    const bottom = lanes.scrollTop + lanes.clientHeight;
    const laid = this.lines.lineTops().filter(({ top, lineStart }) => lineStart && top > bottom - LEAST_SEEN).length;
    const unseen = laid + toCome;
    const below = unseen > 0 || hidden - lanes.scrollTop > LEAST_SEEN; // less is the room below the last line
    lanes.classList.toggle("goes-on", below);
    if (this.foot.hidden) return;
    this.further.hidden = this.opened;
    this.further.disabled = !below;
    setText(this.further, furtherText({ below, unseen }));
    setText(this.all, this.opened ? t("Show fewer lines") : t("Show all lines"));
  }

  /** Scroll down by the visible height, so that the line at the lower edge becomes the first. */
  private scrollOn() {
    const { scrollTop, clientHeight } = this.lanes;
    const bottom = scrollTop + clientHeight;
    const tops = this.lines.lineTops().map(({ top }) => top);
    this.lanes.scrollTo({ top: tops.filter((top) => top > scrollTop && top <= bottom - LEAST_SEEN).at(-1) ?? bottom });
  }

  private toggle() {
    this.opened = !this.opened;
    this.bound();
    this.lines.toggled();
    this.update();
    if (!this.opened) this.foot.scrollIntoView({ block: "nearest" });
  }
}
