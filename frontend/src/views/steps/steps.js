// @ts-check
// Encoding of a word, one row per step. Between neighbours is the rank of their merge; the lowest merges next.

import { View } from "../../bridge/view.js";
import { clamp, shownNumber } from "../../page/numbers.js";
import { build, find, make, pointAt } from "../../page/elements.js";
import { chipsRunRtl, makeChip } from "../../tokens/drawing.js";
import { t } from "../../i18n/words.js";
import { endText, jointText, spokenStep } from "./words.js";

/** @typedef {import("./words.js").StepsBody} StepsBody */
/** @typedef {{ rev: string, label: string, height: number | null, first: number }} StepsHead */

const FIRST_ROWS = 12; // rows built at once; the others follow in the next frames
const LEAST_STEPS = 3; // from this number on, a button shows them one at a time
export class Steps extends View {
  static markup() {
    return [
      build("div", { class: "bar" }, build("button", { type: "button", class: "one" }), build("button", { type: "button", class: "all" })),
      build("ol", { class: "rows", tabindex: "0" }),
    ];
  }

  /** @param {HTMLElement} root */
  constructor(root) {
    super(root);
    this.rows = find(root, ".rows", HTMLElement);
    this.one = find(root, ".one", HTMLElement);
    this.all = find(root, ".all", HTMLElement);
    /** @type {StepsBody} */
    this.steps = { chips: [], rows: [] };
    /** @type {number | null} */
    this.first = null;
    /** @type {HTMLElement[]} */
    this.elements = [];
    this.cursor = 0;
    this.shown = 0;
    this.frame = 0;
    this.listen();
  }

  /** @param {Mount} component */
  update(component) {
    /** @type {{ head: StepsHead, body: StepsBody | null }} */
    const { head, body } = this.open(component);
    this.rows.setAttribute("aria-label", head.label);
    this.rows.style.maxHeight = head.height ? head.height + "px" : "";
    if (!body && head.first === this.first) return;
    this.first = head.first;
    if (body) this.steps = body;
    this.cursor = 0;
    this.shown = this.steps.rows.length;
    this.build();
    this.showBar();
  }

  build() {
    cancelAnimationFrame(this.frame);
    this.rows.replaceChildren();
    this.elements = [];
    const slice = (/** @type {number} */ count) => {
      const stop = Math.min(this.steps.rows.length, this.elements.length + count);
      while (this.elements.length < stop) this.addRow(this.elements.length);
      if (stop < this.steps.rows.length) this.frame = requestAnimationFrame(() => slice(2 * count));
    };
    slice(FIRST_ROWS);
  }

  /** @param {number} at */
  addRow(at) {
    const [chips, joints, next, fresh] = this.steps.rows[at];
    const row = make("li", "row");
    row.hidden = at >= this.shown;
    const word = make("div", "word");
    if (chipsRunRtl(chips.map((number) => this.steps.chips[number]))) word.dir = "rtl";
    chips.forEach((number, i) => {
      const chip = makeChip(this.steps.chips[number]);
      if (fresh.includes(i)) chip.classList.add("fresh");
      word.append(chip);
      if (i < joints.length) word.append(this.joint(joints[i], next.includes(i)));
    });
    if (!next.length) word.append(make("span", "done", endText(at)));
    row.append(make("span", "number", shownNumber(at)), word);
    row.setAttribute("aria-label", this.spoken(at));
    this.elements.push(row);
    this.rows.append(row);
  }

  /**
   * @param {number | null} rank
   * @param {boolean} isNext
   */
  joint(rank, isNext) {
    const el = make("span", "joint" + (isNext ? " next" : ""));
    if (rank === null) return el;
    const { number, title } = jointText(rank + (this.first ?? 0), isNext);
    el.append(make("span", "", number));
    el.title = title;
    return el;
  }

  /** @param {number} at */
  spoken(at) {
    return spokenStep(this.steps, at, this.first ?? 0);
  }

  showBar() {
    const total = this.steps.rows.length;
    const hiding = this.shown < total;
    this.one.hidden = total < LEAST_STEPS;
    this.one.textContent = hiding ? t("Next merge") : t("One at a time");
    this.all.hidden = !hiding;
    this.all.textContent = t("Show all");
  }

  /** @param {number} count */
  show(count) {
    this.shown = clamp(count, 1, this.steps.rows.length);
    this.elements.forEach((row, at) => {
      row.hidden = at >= this.shown;
    });
    this.showBar();
    const last = this.elements[Math.min(this.shown, this.elements.length) - 1];
    if (last) this.rows.scrollTop = last.offsetTop + last.offsetHeight - this.rows.clientHeight;
  }

  listen() {
    this.one.onclick = () => this.show(this.shown < this.steps.rows.length ? this.shown + 1 : 1);
    this.all.onclick = () => {
      this.show(this.steps.rows.length);
      this.rows.scrollTop = 0;
    };
    this.rows.onfocus = () => {
      if (this.rows.matches(":focus-visible")) this.moveTo(this.cursor);
    };
    this.rows.onblur = () => pointAt(this.rows, null);
    this.rows.onkeydown = (event) => {
      const to = { ArrowDown: this.cursor + 1, ArrowUp: this.cursor - 1, Home: 0, End: this.shown - 1 }[event.key];
      if (to === undefined) return;
      if (to >= this.shown && this.shown < this.steps.rows.length) this.show(this.shown + 1);
      this.moveTo(to);
      event.preventDefault();
    };
  }

  /** @param {number} at */
  moveTo(at) {
    this.cursor = clamp(at, 0, Math.max(0, this.shown - 1));
    const row = this.elements[this.cursor];
    if (!row) return;
    pointAt(this.rows, row, this.spoken(this.cursor));
    row.scrollIntoView({ block: "nearest" });
  }

  /** @override */
  end() {
    super.end();
    cancelAnimationFrame(this.frame);
  }
}
