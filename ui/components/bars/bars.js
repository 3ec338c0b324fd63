// @ts-check
// A histogram. A click chooses a bar, a drag or Shift several; a click on what is chosen takes it back.

import { mountedOutbox } from "../outbox.js";
import { clamp, shownNumber } from "../numbers.js";
import { find, make } from "../page.js";
import { readPayload } from "../tokens/payload.js";
import { MANY, barHeight, barsOf, isChosen, isNamed, nameOfBar, ordered } from "./scale.js";

/** @typedef {import("../outbox.js").Outbox} Outbox */
/** @typedef {import("./scale.js").BarsBody} BarsBody */
/** @typedef {import("./scale.js").Range} Range */
/** @typedef {{ rev: string, name: string, label: string, chosen: Range | null }} BarsHead */

/** @type {WeakMap<HTMLElement, Bars>} */
const views = new WeakMap();

class Bars {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = find(root, ".bars", HTMLElement);
    this.root.tabIndex = 0;
    this.root.setAttribute("role", "listbox");
    this.root.setAttribute("aria-multiselectable", "true");
    /** @type {Outbox | null} */
    this.outbox = null;
    /** @type {string | null} */
    this.rev = null;
    /** @type {BarsBody} */
    this.data = { first: 0, counts: [], more: false };
    /** @type {HTMLElement[]} */
    this.bars = [];
    /** @type {Range | null} */
    this.chosen = null; // the values
    /** @type {Range | null} */
    this.chosenBars = null;
    /** @type {number | null} */
    this.from = null; // where a drag began
    this.active = 0;
    this.listen();
  }

  listen() {
    const { root } = this;
    root.onpointerdown = (event) => this.press(event);
    root.onpointermove = (event) => {
      if (this.from !== null) this.light(this.from, this.at(event));
    };
    root.onpointerup = (event) => {
      if (this.from !== null) this.pick(this.from, this.at(event));
    };
    root.onpointercancel = () => {
      this.from = null;
      this.mark();
    };
    root.onkeydown = (event) => this.key(event);
    root.onfocus = () => {
      if (root.matches(":focus-visible")) this.moveTo(this.active);
    };
    root.onblur = () => this.moveTo(null);
  }

  /** @param {Mount} component */
  update(component) {
    const { data } = component;
    /** @type {{ head: BarsHead, body: BarsBody | null }} */
    const { head, body } = readPayload(data, this.rev);
    this.outbox = mountedOutbox(head.name, component);
    this.root.setAttribute("aria-label", head.label);
    this.chosen = head.chosen;
    if (body) {
      this.rev = head.rev;
      this.data = body;
      this.draw();
    }
    if (this.from === null) this.mark(); // not while the visitor marks others
  }

  draw() {
    const { counts } = this.data;
    const most = Math.max(1, ...counts);
    this.root.classList.toggle("many", counts.length > MANY);
    this.active = Math.min(this.active, counts.length - 1);
    this.bars = counts.map((count, at) => {
      const name = nameOfBar(this.data, at);
      const bar = make("div", "bar");
      bar.setAttribute("role", "option");
      bar.setAttribute("aria-label", `${name}: ${shownNumber(count)}`);
      const fill = make("div", "fill");
      fill.style.height = barHeight(count, most) + "px";
      const shown = [make("div", "count", shownNumber(count)), fill, make("div", "value", name)];
      for (const part of shown) part.setAttribute("aria-hidden", "true"); // the label says them in their order
      bar.append(...shown);
      bar.classList.toggle("named", isNamed(this.data, at));
      return bar;
    });
    this.root.replaceChildren(...this.bars);
  }

  /** Shows what is chosen. */
  mark() {
    const { chosen } = this;
    this.chosenBars = chosen && barsOf(this.data, chosen);
    this.bars.forEach((bar, at) => {
      const inside = isChosen(this.data, chosen, at);
      bar.classList.toggle("in", inside);
      bar.setAttribute("aria-selected", String(Boolean(chosen) && inside));
    });
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  light(from, to) {
    const [low, high] = ordered(from, to);
    this.bars.forEach((bar, at) => bar.classList.toggle("in", at >= low && at <= high));
  }

  /**
   * The bar below the pointer, also when it has left the row of bars.
   * @param {PointerEvent} event
   */
  at(event) {
    const beyond = this.bars.findIndex((bar) => event.clientX < bar.getBoundingClientRect().right);
    return beyond < 0 ? this.bars.length - 1 : beyond;
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button !== 0) return;
    const at = this.at(event);
    this.from = event.shiftKey && this.chosenBars ? this.chosenBars[0] : at;
    this.root.setPointerCapture(event.pointerId);
    this.light(this.from, at);
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  pick(from, to) {
    this.from = null;
    this.active = to;
    const [low, high] = ordered(from, to);
    const again = low === high && this.chosenBars?.[0] === low && this.chosenBars[1] === high;
    this.outbox?.act("picked", again ? "none" : [low + this.data.first, high + this.data.first]);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const last = this.bars.length - 1;
    const to = { ArrowLeft: this.active - 1, ArrowRight: this.active + 1, Home: 0, End: last }[event.key];
    if (to !== undefined) this.moveTo(clamp(to, 0, last));
    else if (event.key === "Enter" || event.key === " ") {
      this.pick(event.shiftKey && this.chosenBars ? this.chosenBars[0] : this.active, this.active);
    } else return;
    event.preventDefault();
  }

  /** @param {number | null} at */
  moveTo(at) {
    this.root.querySelector("#active")?.removeAttribute("id");
    this.bars.forEach((bar, index) => bar.classList.toggle("active", index === at));
    if (at === null) {
      this.root.removeAttribute("aria-activedescendant");
      return;
    }
    this.active = at;
    this.bars[at].id = "active";
    this.root.setAttribute("aria-activedescendant", "active");
  }
}

/** @param {Mount} component */
export default function (component) {
  const { parentElement: root } = component;
  const view = views.get(root) ?? new Bars(root);
  views.set(root, view);
  view.update(component);
  return () => {
    view.outbox?.left(root);
    views.delete(root);
  };
}
