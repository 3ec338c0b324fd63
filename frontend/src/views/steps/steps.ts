// Encoding of a word, one row per step. Between neighbours is the rank of their merge; the lowest merges next.

import { View } from "../../bridge/view.ts";
import { clamp, shownNumber } from "../../page/numbers.ts";
import { build, find, make, pointAt } from "../../page/elements.ts";
import { chipsRunRtl, makeChip } from "../../tokens/drawing.ts";
import { t } from "../../i18n/words.ts";
import { endText, jointText, spokenStep, type StepsBody } from "./words.ts";

interface StepsHead {
  rev: string;
  label: string;
  height: number | null;
  first: number;
}

const FIRST_ROWS = 12; // rows built at once; the others follow in the next frames
const LEAST_STEPS = 3; // from this number on, a button shows them one at a time

export class Steps extends View {
  private readonly rows: HTMLElement;
  private readonly one: HTMLElement;
  private readonly all: HTMLElement;
  private steps: StepsBody = { chips: [], rows: [] };
  private first: number | null = null;
  private elements: HTMLElement[] = [];
  private cursor = 0;
  private shown = 0;
  private frame = 0;

  static markup() {
    return [
      build(
        "div",
        { class: "bar" },
        build("button", { type: "button", class: "one" }),
        build("button", { type: "button", class: "all" }),
      ),
      build("ol", { class: "rows", tabindex: "0" }),
    ];
  }

  constructor(root: HTMLElement) {
    super(root);
    this.rows = find(root, ".rows", HTMLElement);
    this.one = find(root, ".one", HTMLElement);
    this.all = find(root, ".all", HTMLElement);
    this.listen();
  }

  update(component: Mount) {
    const { head, body } = this.open<StepsHead, StepsBody>(component);
    this.rows.setAttribute("aria-label", head.label);
    this.rows.style.maxHeight = head.height ? `var(--steps-most, ${head.height}px)` : "";
    if (!body && head.first === this.first) return;
    this.first = head.first;
    if (body) this.steps = body;
    this.cursor = 0;
    this.shown = this.steps.rows.length;
    this.build();
    this.showBar();
  }

  private build() {
    cancelAnimationFrame(this.frame);
    this.rows.replaceChildren();
    this.elements = [];
    const slice = (count: number) => {
      const stop = Math.min(this.steps.rows.length, this.elements.length + count);
      while (this.elements.length < stop) this.addRow(this.elements.length);
      if (stop < this.steps.rows.length) this.frame = requestAnimationFrame(() => slice(2 * count));
    };
    slice(FIRST_ROWS);
  }

  private addRow(at: number) {
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

  private joint(rank: number | null, isNext: boolean) {
    const el = make("span", "joint" + (isNext ? " next" : ""));
    if (rank === null) return el;
    const { number, title } = jointText(rank + (this.first ?? 0), isNext);
    el.append(make("span", "", number));
    el.title = title;
    return el;
  }

  private spoken(at: number) {
    return spokenStep(this.steps, at, this.first ?? 0);
  }

  private showBar() {
    const total = this.steps.rows.length;
    const hiding = this.shown < total;
    this.one.hidden = total < LEAST_STEPS;
    this.one.textContent = hiding ? t("Next merge") : t("One at a time");
    this.all.hidden = !hiding;
    this.all.textContent = t("Show all");
  }

  private show(count: number) {
    this.shown = clamp(count, 1, this.steps.rows.length);
    this.elements.forEach((row, at) => {
      row.hidden = at >= this.shown;
    });
    this.showBar();
    const last = this.elements[Math.min(this.shown, this.elements.length) - 1];
    if (last) this.rows.scrollTop = last.offsetTop + last.offsetHeight - this.rows.clientHeight;
  }

  private listen() {
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

  private moveTo(at: number) {
    this.cursor = clamp(at, 0, Math.max(0, this.shown - 1));
    const row = this.elements[this.cursor];
    if (!row) return;
    pointAt(this.rows, row, this.spoken(this.cursor));
    row.scrollIntoView({ block: "nearest" });
  }

  override end() {
    super.end();
    cancelAnimationFrame(this.frame);
  }
}
