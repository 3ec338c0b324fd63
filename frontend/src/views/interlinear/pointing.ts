// Pointing at tokens with the mouse and the keyboard: the token under the pointer or the cursor is explained in a tooltip.

import { clamp } from "../../page/numbers.ts";
import { closest, pointAt } from "../../page/elements.ts";
import type { Tooltip } from "../../tokens/drawing.ts";
import { t } from "../../i18n/words.ts";
import type { Drawn } from "./drawn.ts";

/** What pointing asks of the view. */
interface Pointed {
  lanes: HTMLElement;
  drawn: Drawn;
  tip: Tooltip;
  /** Lay out all lines, before a move to one that may be missing. */
  layTheRest: () => void;
  pick: (row: number, at: number) => void;
  scrolled: () => void;
}

export class Pointing {
  private readonly view: Pointed;
  private moved = false; // whether the pointer has moved over the lanes
  private cursor = { row: 0, at: 0 };

  constructor(view: Pointed) {
    this.view = view;
    this.listen();
  }

  /** Forget the cursor, whose token may be another one now. */
  begin() {
    this.cursor = { row: 0, at: 0 };
  }

  private listen() {
    const { lanes } = this.view;
    const point = (event: MouseEvent) => {
      const el = closest(event, ".t");
      if (el) this.show(el);
      else this.view.tip.hide();
    };
    lanes.onmouseover = (event) => {
      if (this.moved) point(event);
    };
    lanes.onmousemove = (event) => {
      // Ignore a resting pointer when the page is drawn below it.
      if (this.moved || !(event.movementX || event.movementY)) return;
      this.moved = true;
      point(event);
    };
    lanes.onmouseleave = () => {
      this.moved = false;
      this.view.tip.hide();
    };
    lanes.onscroll = () => {
      this.view.tip.hide();
      requestAnimationFrame(this.view.scrolled);
    };
    lanes.onclick = (event) => {
      const el = closest(event, ".t");
      if (el?.row === undefined || el.token === undefined) return;
      this.cursor = { row: el.row, at: el.token };
      this.view.pick(el.row, el.token);
    };
    lanes.onfocus = () => {
      if (lanes.matches(":focus-visible")) this.moveTo(this.cursor.row, this.cursor.at);
    };
    lanes.onblur = () => {
      this.view.tip.hide();
      pointAt(lanes, null);
    };
    lanes.onkeydown = (event) => {
      if (this.key(event.key)) event.preventDefault();
    };
  }

  /** Handle a key; false for a key without an effect here. */
  private key(key: string) {
    const { row, at } = this.cursor;
    this.view.layTheRest();
    if (key === "ArrowRight") this.moveTo(row, at + 1);
    else if (key === "ArrowLeft") this.moveTo(row, at - 1);
    else if (key === "ArrowDown") this.moveAcross(1);
    else if (key === "ArrowUp") this.moveAcross(-1);
    else if (key === "Home") this.moveTo(row, 0);
    else if (key === "End") this.moveTo(row, Infinity);
    else if (key === "Enter" || key === " ") this.view.pick(row, at);
    else if (key === "Escape") this.view.tip.hide();
    else return false;
    return true;
  }

  private moveTo(row: number, target: number) {
    const { lanes, drawn } = this.view;
    const tokens = drawn.rows[row];
    if (!tokens) return;
    const at = clamp(target, 0, Math.max(0, tokens.length - 1));
    const el = drawn.element(row, at);
    if (!el) return;
    this.cursor = { row, at };
    pointAt(lanes, el, t("{tokenizer}, {token}", { tokenizer: tokens.name, token: tokens.spoken(at) }));
    el.scrollIntoView({ block: "nearest" });
    this.show(el);
  }

  /** Move to the token with the same byte in the next row; from the last row, to the first row of the next chunk. */
  private moveAcross(step: number) {
    const { row, at } = this.cursor;
    const { drawn } = this.view;
    const here = drawn.element(row, at);
    if (!here) return;
    const byte = drawn.rows[row].begin[at];
    const next = drawn.rows[row + step];
    if (next) {
      this.moveTo(row + step, next.tokenAt(byte));
      return;
    }
    const chunk = drawn.chunks[drawn.chunks.findIndex(({ geometry }) => geometry.end > byte) + step];
    if (!chunk) return;
    const target = step > 0 ? 0 : drawn.rows.length - 1;
    const x = here.getBoundingClientRect().left;
    const boxes: HTMLElement[] = [...chunk.layers[target].querySelectorAll("span.t")].filter(
      (el) => el instanceof HTMLElement,
    );
    const distances = boxes.map((el) => Math.abs(el.getBoundingClientRect().left - x));
    const nearest = boxes[distances.indexOf(Math.min(...distances))];
    if (nearest?.token !== undefined) this.moveTo(target, nearest.token);
  }

  /** Show the tooltip above or below the whole group, so that the lanes stay visible for comparison. */
  private show(el: HTMLElement) {
    const group = el.closest(".chunk");
    if (!group || el.row === undefined || el.token === undefined) return;
    const { top, height } = group.getBoundingClientRect();
    const { left, width } = el.getBoundingClientRect();
    const row = this.view.drawn.rows[el.row];
    this.view.tip.show(new DOMRect(left, top, width, height), row, el.token, row.name);
  }

}
