// The current disagreement: its bytes are marked in every row and scrolled into view, and a note below its line says why.

import { make, unzoomed, zoomOf } from "../../page/elements.ts";
import type { Bytes } from "./chunk.ts";
import type { Drawn } from "./drawn.ts";
import type { Foot } from "./foot.ts";
import { LineNote } from "./note.ts";

export class Highlight {
  readonly note = new LineNote();
  isFresh = false; // whether the lines are drawn for the first time
  private readonly lanes: HTMLElement;
  private readonly drawn: Drawn;
  private readonly foot: Foot;
  private readonly isLaid: () => boolean;
  private bytes: Bytes | null = null;
  private isDue = false; // whether it is to be scrolled into view; its line may not be laid out yet
  private noteDue = false; // the same of the note of a chosen token

  /** @param isLaid whether all lines are laid out */
  constructor(lanes: HTMLElement, drawn: Drawn, foot: Foot, isLaid: () => boolean) {
    this.lanes = lanes;
    this.drawn = drawn;
    this.foot = foot;
    this.isLaid = isLaid;
  }

  /**
   * Set the marked bytes, to be drawn later.
   * @param isFirst whether none have been set before
   * @returns whether they have changed
   */
  set(bytes: Bytes | null, isFirst: boolean): boolean {
    const moved = String(bytes) !== String(this.bytes);
    this.bytes = bytes;
    this.isDue ||= moved;
    this.noteDue ||= moved && !isFirst;
    return moved;
  }

  /** Scroll to it. */
  reveal() {
    this.isDue = true;
    this.draw();
  }

  /** Draw the notes that a relay publishes under this name. */
  follow(name: string | null) {
    this.note.follow(name, () => {
      this.note.place(this.drawn.chunks, this.bytes);
      this.foot.update();
      this.revealNote();
    });
  }

  /** Mark the bytes in every row that is laid out; scroll them into view if that is due. */
  draw() {
    for (const el of this.lanes.querySelectorAll(".highlight")) el.remove();
    this.note.place(this.drawn.chunks, this.bytes);
    this.revealNote();
    if (!this.bytes) return;
    const [start, end] = this.bytes;
    let first: HTMLElement | null = null;
    for (const chunk of this.drawn.chunks) {
      const { geometry } = chunk;
      if (geometry.end <= start || geometry.start >= Math.max(end, start + 1)) continue;
      const lane = chunk.el.getBoundingClientRect().left / zoomOf(chunk.el);
      const origin = this.drawn.measure(chunk);
      for (const [left, right] of geometry.boxes(start, end)) {
        const el = make("div", "highlight");
        el.style.left = (origin - lane + left - 2).toFixed(2) + "px";
        el.style.width = (right - left + 4).toFixed(2) + "px";
        chunk.el.append(el);
        first ??= el;
      }
    }
    if (!first && !this.isLaid()) return; // its line is not laid out yet
    const opens = this.isFresh && first?.parentElement && this.isInFirstLine(first.parentElement); // with its beginning
    if (first && this.isDue && !opens && (this.foot.inner || !this.isFresh)) this.scrollTo(first);
    this.isDue = false;
    this.isFresh = false;
    this.revealNote();
  }

  private isInFirstLine(chunk: HTMLElement) {
    const second = this.drawn.chunks.findIndex(({ lineStart }, at) => at > 0 && lineStart);
    return this.drawn.chunks.slice(0, second < 0 ? undefined : second).some(({ el }) => el === chunk);
  }

  /** Scroll to the end of the note, as far as its marked tokens stay in view. */
  private revealNote() {
    const { lanes, note } = this;
    if (!this.noteDue || this.isDue || !note.el.isConnected) return;
    this.noteDue = false;
    const end = note.el.offsetTop + note.el.offsetHeight - lanes.clientHeight;
    const marked = lanes.querySelector(".highlight")?.parentElement?.offsetTop ?? end;
    if (this.foot.inner) lanes.scrollTop = Math.max(lanes.scrollTop, Math.min(end, marked));
  }

  private scrollTo(el: HTMLElement) {
    if (!this.foot.inner) {
      el.scrollIntoView({ block: "nearest" });
      return;
    }
    const zoom = zoomOf(this.lanes);
    const [box, view] = [el, this.lanes].map((each) => unzoomed(each.getBoundingClientRect(), zoom));
    if (box.top >= view.top && box.bottom <= view.bottom) return;
    const at = this.lanes.scrollTop + box.top - view.top;
    const middle = at - (view.height - box.height) / 2;
    const tops = this.drawn.chunks.map((chunk) => chunk.el.offsetTop); // show whole rows if possible
    const whole = tops.filter((top) => top <= at && at + box.height - top <= view.height);
    const nearest = (a: number, b: number) => Math.abs(a - middle) - Math.abs(b - middle);
    this.lanes.scrollTop = whole.sort(nearest)[0] ?? middle;
  }
}
