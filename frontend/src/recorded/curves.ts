// Curves over the merges, drawn as SVG: what the app draws with Plotly, which is several times as large as a page. A
// click goes to a step; the area below a curve ends at the player's step.

import { currentStep, subscribeStep } from "../bridge/current_step.ts";
import { seek } from "../bridge/seek.ts";
import { t } from "../i18n/words.ts";
import { build, make, makeSvg } from "../page/elements.ts";
import { clamp, shownNumber } from "../page/numbers.ts";
import { placeOfStep, wordsAt, type StepWords } from "../page/step_words.ts";
import { whenRedrawn } from "./kept.ts";
import { card } from "./layout.ts";
import type { Curves, Played } from "./recording.ts";
import { ticksOf } from "./ticks.ts";

const SIZE = 100; // of the drawing, which is scaled to its place
const ROOM = 1.04; // above the largest value

export function curvesCard({ name, step }: Played, { words, units, steps, tokens, beside }: Curves) {
  const [ofTokens, ofUnits] = words.map((each): StepWords => [...each, null]);
  const curves = [
    new Curve(ofTokens, { steps, values: tokens }, beside && { steps: beside.steps, values: beside.tokens }),
    new Curve(ofUnits, perToken(units, steps, tokens), beside && perToken(units, beside.steps, beside.tokens)),
  ];
  const show = () => curves.forEach((curve) => curve.show(currentStep(name) ?? step));
  whenRedrawn(subscribeStep(show));
  show();
  const hint = make("span", "dim", [beside?.says, t("click to go there")].filter(Boolean).join(" · "));
  return card("curves", build("h2", {}, t("Over the merges"), " ", hint), ...curves.map(({ el }) => el));
}

interface Line {
  steps: number[];
  values: number[];
}

function perToken(units: number, steps: number[], tokens: number[]): Line {
  return { steps, values: tokens.map((count) => (count ? units / count : 0)) };
}

class Curve {
  readonly el: HTMLElement;
  private readonly words: StepWords;
  private readonly steps: number[];
  private readonly values: number[];
  private readonly last: number;
  private readonly most: number;
  private readonly says = make("b");
  private readonly here = make("i", "here");
  private readonly area = makeSvg("path", { class: "area" });

  constructor(words: StepWords, { steps, values }: Line, other: Line | null) {
    this.words = words;
    this.steps = steps;
    this.values = values;
    this.last = Math.max(1, steps[steps.length - 1]);
    this.most = ROOM * Math.max(...values, ...(other?.values ?? []));
    const lines = ticksOf(this.most, 4).map((value) => makeSvg("path", { class: "grid", d: `M0 ${this.y(value)}H${SIZE}` }));
    const line = makeSvg("path", { d: this.path({ steps, values }) });
    const dashed = other ? [makeSvg("path", { class: "other", d: this.path(other) })] : [];
    const drawing = makeSvg("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    drawing.append(...lines, this.area, line, ...dashed);
    const plot = build("div", { class: "plot" }, ...this.labels(), this.here);
    plot.prepend(drawing);
    plot.onclick = ({ clientX }) => {
      const { left, width } = plot.getBoundingClientRect();
      seek(Math.round((clamp(clientX - left, 0, width) / width) * this.last));
    };
    const [title, caption] = words;
    this.el = build("figure", { class: "curve", role: "group", "aria-label": title }, make("figcaption", "", caption), this.says, plot);
  }

  /** Mark a step. Values neither recorded nor drawn are not in the text. */
  show(step: number) {
    const { steps, values } = this;
    const value = placeOfStep(steps, values, step);
    const known = steps.includes(step);
    this.says.textContent = known ? wordsAt(this.words, step, value, values[0]) : "";
    this.here.style.left = `${this.x(step)}%`;
    this.here.style.setProperty("--at", `${this.y(value)}%`);
    const before = steps.filter((each) => each < step);
    const points = [...this.points({ steps: before, values }), `${this.x(step)} ${this.y(value)}`];
    this.area.setAttribute("d", `M0 ${SIZE}L${points.join("L")}V${SIZE}Z`);
  }

  private path(line: Line) {
    return `M${this.points(line).join("L")}`;
  }

  private points({ steps, values }: Line) {
    return steps.map((step, at) => `${this.x(step)} ${this.y(values[at])}`);
  }

  private x(step: number) {
    return round((SIZE * step) / this.last);
  }

  private y(value: number) {
    return round(SIZE * (1 - value / this.most));
  }

  private labels() {
    const ofValues = ticksOf(this.most, 4).map((value) => {
      const label = make("span", "y", shownNumber(value));
      label.style.top = `${this.y(value)}%`;
      return label;
    });
    const ofSteps = ticksOf(this.last, 6).map((step) => {
      const label = make("span", "x", shownNumber(step));
      label.style.left = `${this.x(step)}%`;
      return label;
    });
    return [...ofValues, ...ofSteps.filter((label) => !label.textContent?.includes("."))]; // steps are whole
  }
}

function round(place: number) {
  return Math.round(place * 100) / 100;
}
