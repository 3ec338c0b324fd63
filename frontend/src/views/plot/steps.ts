// Charts over the steps of a training, side by side, and their mark, which arrives in a separate component.

import { seek, takePendingSeek } from "../../bridge/seek.ts";
import { find, make, makeSvg } from "../../page/elements.ts";
import { Tooltip, type CaptionsHead } from "../../tokens/drawing.ts";
import { Chart, type ChartBody } from "./chart.ts";
import type { HoverLabel } from "./library.ts";
import { nearestPoint, placeOfStep, wordsAt, type StepWords } from "../../page/step_words.ts";
import type { View } from "../../bridge/view.ts";
import type { ChipWire } from "../../tokens/spans.ts";

interface Curve {
  x: number[];
  y: number[];
}

export interface StepsBody {
  colours: ChartBody["colours"];
  figures: ChartBody<Curve>[];
  steps: number[];
  words: StepWords[];
  /** By step, the tokens that the tooltips draw; none if they draw none. */
  chips: ChipWire[][];
}

export interface StepsHead extends CaptionsHead {
  kind: "steps";
  rev: string;
  name: string;
  library: string;
  /** The mark to draw, by name and rev of its figures, and the index of its value for the first chart. */
  mark: { name: string; of: string; value: number };
}

export interface MarkHead {
  kind: "mark";
  name: string;
  of: string;
  step: number;
  values: number[];
}

const stepViews = new Set<StepCharts>(); // mounted views, each with the name of its mark
const marks = new Map<string, MarkHead>(); // may arrive before the charts
let clips = 0;

class StepChart extends Chart {
  private steps: number[] = [0];
  private words: StepWords = ["", "", "tokens", 0, 0, null];
  private step = 0; // the marked step
  private value = 0;
  private isMarked = false;
  private places: number[] = [0]; // positions of the steps on the axis
  private values: number[] = [0];
  private readonly says = make("b");
  private readonly caption = make("span", "caption");
  private readonly here = make("i", "mark");
  private readonly cursor = make("i", "cursor");
  /** Area below the curve, up to the mark. */
  private readonly done = makeSvg("rect", { x: 0, y: -1000, width: 0, height: 3000 });
  private readonly clip: SVGClipPathElement;
  readonly whole = make("figure", "curve");

  constructor(tip: Tooltip) {
    super({ picked: ({ trace, point }) => void (trace === 0 && seek(this.steps[point])), ranged: null }, tip);
    this.modeBarShown = false;
    this.here.hidden = this.cursor.hidden = true;
    this.clip = makeSvg("clipPath", { id: `done-${(clips += 1)}` });
    this.clip.append(this.done);
    this.drawing.append(this.here, this.cursor);
    this.whole.append(this.caption, this.says, this.el);
  }

  /** @param number index of the chart */
  showSteps(body: StepsBody, number: number) {
    this.steps = body.steps;
    this.words = body.words[number];
    const [title, caption] = this.words;
    this.caption.textContent = caption;
    this.whole.setAttribute("aria-label", title);
    const { figure, ...rest } = body.figures[number];
    const [curve, ...others] = figure.data;
    this.places = curve.x;
    this.values = curve.y;
    const said = this.values.map((value, at) => this.wordsOf(this.steps[at], value));
    const pointed = { ...curve, text: said, hovertemplate: "%{text}<extra></extra>", hoverinfo: "y" };
    const chips = { 0: body.chips };
    this.show({ ...rest, figure: { ...figure, data: [pointed, ...others] }, colours: body.colours, chips });
    this.mark(null);
  }

  private wordsOf(step: number, value: number) {
    return wordsAt(this.words, step, value, this.values[0]);
  }

  /** Mark a step; null if it is unknown. */
  mark(step: number | null, value = 0) {
    this.isMarked = step !== null;
    this.step = step ?? 0;
    this.value = value;
    this.says.textContent = step === null ? "" : this.wordsOf(step, value);
    if (this.cursor.hidden) this.rest();
    this.placeMark();
  }

  /** Describe the mark to screen readers while no point is hovered. */
  private rest() {
    this.at = { trace: 0, point: nearestPoint(this.steps, this.step) };
    this.tell(this.step, this.says.textContent ?? "");
  }

  private tell(step: number, words: string) {
    this.keys.setAttribute("aria-valuemax", String(this.steps[this.steps.length - 1]));
    this.keys.setAttribute("aria-valuenow", String(step));
    this.keys.setAttribute("aria-valuetext", words);
  }

  private placeMark() {
    const { xaxis } = this.graph._fullLayout ?? {};
    this.here.hidden = !xaxis || !this.isMarked;
    if (this.here.hidden) return;
    const place = placeOfStep(this.steps, this.places, this.step);
    this.put(this.here, place, this.value);
    this.done.setAttribute("width", String(Math.max(0, xaxis.d2p(place))));
  }

  private put(el: HTMLElement, x: number, y: number) {
    const { xaxis, yaxis, _size: size } = this.graph._fullLayout;
    const [left, top] = [xaxis.d2p(x), yaxis.d2p(y)];
    if (left < -1 || left > size.w + 1) el.hidden = true; // outside the zoomed range
    el.style.cssText = `left: ${size.l + left}px; top: ${size.t}px; height: ${size.h}px; --above: ${top}px`;
  }

  protected override placed() {
    const fills = this.graph.querySelector(".fills");
    if (!this.done.isConnected) this.graph.querySelector(".main-svg > defs")?.append(this.clip);
    fills?.setAttribute("clip-path", `url(#${this.clip.id})`);
    super.placed();
    this.el.style.setProperty("--of", this.graph._fullData[0].line.color);
    this.placeMark();
    if (!this.cursor.hidden) this.hovered();
  }

  /** Show the point nearest to the pointer; of Plotly's labels, one per trace, only that of the nearest point stays. */
  protected override hovered() {
    const [found] = this.graph._hoverdata ?? [];
    this.cursor.hidden = !found;
    super.hovered();
    if (!found) return;
    for (const label of this.graph.querySelectorAll<HoverLabel>(".hovertext")) {
      label.style.display = label.__data__?.trace?.index === found.curveNumber ? "" : "none";
    }
    this.put(this.cursor, found.x, found.y);
    if (found.curveNumber === 0)
      this.tell(this.steps[found.pointNumber], this.wordsOf(this.steps[found.pointNumber], found.y));
    else this.tell(this.steps[this.steps.length - 1], this.hoverText());
  }

  protected override linesBesides() {
    const { point } = this.at;
    return [this.wordsOf(this.steps[point], this.values[point])];
  }

  protected override unhovered() {
    super.unhovered();
    this.cursor.hidden = true;
    this.rest();
  }
}

export class StepCharts {
  private readonly place: HTMLElement;
  private readonly tip: Tooltip;
  private marked = { name: "", of: "", value: 0 };
  private readonly charts: StepChart[] = [];

  constructor({ root }: View) {
    this.place = find(root, ".plots", HTMLElement);
    this.tip = new Tooltip(find(root, ".tip", HTMLElement));
    this.place.classList.add("curves");
    stepViews.add(this);
  }

  update(head: StepsHead, body: StepsBody | null) {
    if (body) this.draw(body, head.library);
    else for (const chart of this.charts) chart.drawSoon(); // the theme may have changed
    this.marked = head.mark;
    this.mark(marks.get(head.mark.name));
  }

  private draw(body: StepsBody, library: string) {
    while (this.charts.length > body.figures.length) this.charts.pop()?.end();
    while (this.charts.length < body.figures.length) this.charts.push(new StepChart(this.tip));
    this.charts.forEach((chart, at) => {
      chart.name(library, body.words[at][0], true);
      chart.showSteps(body, at);
    });
    if (this.place.childElementCount !== this.charts.length)
      this.place.replaceChildren(...this.charts.map(({ whole }) => whole));
  }

  /** Move the mark, if it belongs to these charts. */
  mark(mark: MarkHead | undefined) {
    const { name, of, value } = this.marked;
    if (mark?.name !== name || mark.of !== of) return;
    this.charts.forEach((chart, at) => chart.mark(mark.step, mark.values[value + at]));
  }

  end() {
    stepViews.delete(this);
    takePendingSeek(); // obsolete after the page is left
    for (const chart of this.charts) chart.end();
  }
}

export function moveMark(head: MarkHead) {
  marks.set(head.name, head);
  for (const view of stepViews) view.mark(head);
}
