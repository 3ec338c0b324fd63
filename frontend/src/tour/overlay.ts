// A ring around one element of the page and a card beside it, above everything else.

import { copyTheme, find, inside, make, makeShadow } from "../page/elements.ts";
import STYLE from "./tour.css";

const AROUND = 6; // px between the ring and its element
const HEADER = 90; // px at the top that scrolled elements keep clear
const TALL = 0.7; // share of the window above which an element is shown from its top
const THEME = ["background-color", "text-color", "primary-color", "font"];

export class Overlay {
  readonly card = make("section", "card");
  private readonly host = make("div");
  private readonly ring = make("div", "ring");

  constructor(id: string) {
    this.host.id = id;
    makeShadow(this.host, STYLE).append(this.ring, this.card);
    document.body.append(this.host);
  }

  /** Copy the theme of a component of the app, which this is outside of. */
  dress(el: Element) {
    copyTheme(el, this.host, THEME);
  }

  /** Whether an event's path passes through it. */
  has(path: EventTarget[]) {
    return path.includes(this.host);
  }

  set hidden(hidden: boolean) {
    this.host.hidden = hidden;
  }

  /** Draw the ring around a rectangle of the window; null hides it. */
  surround(box: DOMRect | null) {
    this.ring.hidden = !box;
    if (!box) return;
    const { style } = this.ring;
    style.left = `${box.left - AROUND}px`;
    style.top = `${box.top - AROUND}px`;
    style.width = `${box.width + 2 * AROUND}px`;
    style.height = `${box.height + 2 * AROUND}px`;
    this.card.classList.toggle("above", box.top > innerHeight / 2 && box.bottom > innerHeight - 160);
  }

  remove() {
    this.host.remove();
  }
}

/** First visible element of a selector; `within`: selector of an element in it, or within its components. */
export function placeOf(at: string, within: string): Element | null {
  const el = [...document.querySelectorAll(at)].find((each) => each.getClientRects().length) ?? null;
  return el && within ? (inside(el, within).at(0) ?? null) : el;
}

/** Whether an element is wholly above or below what is shown of the page. */
export function isOutOfSight(el: Element) {
  const { top, bottom } = el.getBoundingClientRect();
  return bottom <= HEADER || top >= innerHeight;
}

/** Scroll an element into sight: a tall one to its top. */
export function showPlace(el: Element | null) {
  if (!el) return;
  const isTall = el.getBoundingClientRect().height > innerHeight * TALL;
  el.scrollIntoView({ block: isTall ? "start" : "center" });
  if (isTall) find(document, "[data-testid=stMain]", HTMLElement).scrollBy(0, -HEADER);
}
