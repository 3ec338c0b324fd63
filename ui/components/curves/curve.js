// @ts-check
// One curve: axes, a line, a mark that moves without a new drawing, and what is said at the pointer or the cursor.

import { nameValues, shareAbove, ticksTo } from "../axis.js";
import { seek } from "../seek.js";
import { clamp, shownNumber } from "../numbers.js";
import { make, makeSvg } from "../page.js";
import { t } from "../words.js";
import { SIDE, areaBelow, lineThrough, nearestPoint, nearestStop, shareAt, shareOfStep, stopsOf, wordsAt } from "./geometry.js";

/** @typedef {import("./geometry.js").CurveWire} CurveWire */
/** @typedef {import("./geometry.js").CurvesBody} CurvesBody */
/** @typedef {import("../tokens/drawing.js").Tooltip} Tooltip */

const STEPS_NAMED = 6;
const VALUES_NAMED = 5;

export class Curve {
  /** @param {Tooltip} tip */
  constructor(tip) {
    this.tip = tip;
    /** @type {CurvesBody} */
    this.all = { last: 0, steps: [0], other: [], curves: [], axis: null };
    /** @type {CurveWire} */
    this.wire = { title: "", caption: "", unit: "", digits: 0, most: 0, values: [0], other: [], saves: 0 };
    /** @type {number[]} */
    this.stops = [0]; // the shares of all that can be pointed at
    this.at = 0; // the point of the cursor
    this.step = 0; // the marked one
    this.el = make("figure", "curve");
    this.caption = make("span", "caption");
    this.says = make("b");
    this.valueNames = make("div", "values");
    this.stepNames = make("div", "steps");
    this.axisLines = make("div", "lines");
    this.beside = make("div", "beside");
    this.plot = make("div", "plot");
    this.grid = make("div", "grid");
    this.area = makeSvg("path", {});
    this.other = makeSvg("path", { class: "other" });
    this.line = makeSvg("path", { class: "line" });
    this.here = make("i", "mark");
    this.cursor = make("i", "cursor");
    this.build();
    this.listen();
  }

  build() {
    const drawing = { viewBox: `0 0 ${SIDE} ${SIDE}`, preserveAspectRatio: "none", "aria-hidden": "true" };
    const done = makeSvg("svg", { ...drawing, class: "done" });
    done.append(this.area);
    const lines = makeSvg("svg", drawing);
    lines.append(this.other, this.line);
    this.cursor.hidden = true;
    this.here.hidden = true;
    this.plot.append(this.grid, done, lines, this.beside, this.here, this.cursor);
    this.plot.tabIndex = 0;
    this.plot.setAttribute("role", "slider");
    this.plot.setAttribute("aria-valuemin", "0");
    this.plot.setAttribute("aria-description", t("Arrow keys read the curve, Enter goes to a merge"));
    const chart = make("div", "chart");
    chart.append(this.valueNames, this.plot, this.axisLines, this.stepNames);
    this.el.append(this.caption, this.says, chart);
  }

  /**
   * @param {CurvesBody} all
   * @param {CurveWire} wire
   */
  draw(all, wire) {
    this.leave();
    this.all = all;
    this.wire = wire;
    const { last, steps } = all;
    this.el.classList.toggle("of-ids", all.axis !== null);
    this.el.setAttribute("aria-label", wire.title);
    this.plot.setAttribute("aria-label", wire.title);
    this.plot.setAttribute("aria-valuemax", String(steps[steps.length - 1]));
    this.caption.textContent = wire.caption;
    this.stops = stopsOf(all);
    const line = lineThrough(this.stops, wire.values, wire.most);
    this.line.setAttribute("d", line);
    this.area.setAttribute("d", areaBelow(line, this.stops[steps.length - 1]));
    const others = all.other.map((step) => shareOfStep(step, last));
    this.other.setAttribute("d", lineThrough(others, wire.other, wire.most));
    this.nameAxes();
    this.drawBeside();
    this.mark(null);
  }

  nameAxes() {
    const { last, axis } = this.all;
    const { most, digits } = this.wire;
    nameValues(this.valueNames, this.grid, most, VALUES_NAMED, digits === 0);
    if (axis) {
      this.axisLines.replaceChildren(...axis.lines.map((line) => make("span", "", line)));
      this.stepNames.replaceChildren(...axis.names.map((name) => belowAxis(...name)));
      return;
    }
    const steps = ticksTo(last, STEPS_NAMED, true).ticks.map((step) => {
      const name = make("span", "", shownNumber(step));
      name.style.left = 100 * shareOfStep(step, last) + "%";
      return name;
    });
    this.stepNames.replaceChildren(...steps);
  }

  /** Points beside the curve with their names, and where the axis is broken. */
  drawBeside() {
    const { axis } = this.all;
    const points = (axis?.points ?? []).map(({ share, value, name, line }) => {
      const above = shareAbove(value, this.wire.most);
      const el = make("div", above > 0.6 ? "point up" : "point");
      el.style.left = 100 * share + "%";
      el.style.top = 100 * above + "%";
      el.append(make("b", "", name), make("span", "", line));
      return el;
    });
    this.beside.replaceChildren(...points);
    if (!axis?.gap) return;
    const gap = make("i", "gap");
    gap.style.left = 50 * (axis.gap[0] + axis.gap[1]) + "%";
    gap.append("//");
    this.beside.append(gap);
  }

  /**
   * Marks a step; null: none is known yet.
   * @param {number | null} step
   * @param {number} [value]
   */
  mark(step, value = 0) {
    this.here.hidden = step === null;
    this.says.textContent = step === null ? "" : wordsAt(this.wire, step, value, this.all.axis);
    this.step = step ?? 0;
    this.plot.style.setProperty("--at", String(shareAt(this.all, this.step)));
    this.here.style.setProperty("--above", String(shareAbove(value, this.wire.most)));
    if (this.cursor.hidden) this.name(this.step, this.says.textContent);
  }

  /**
   * What a screen reader says.
   * @param {number} step
   * @param {string} words
   */
  name(step, words) {
    this.plot.setAttribute("aria-valuenow", String(step));
    this.plot.setAttribute("aria-valuetext", words);
  }

  listen() {
    const { plot } = this;
    plot.onpointermove = (event) => this.moveTo(this.pointBelow(event));
    plot.onpointerleave = () => this.leave();
    plot.onclick = (event) => this.choose(this.pointBelow(event));
    plot.onfocus = () => {
      if (plot.matches(":focus-visible")) this.moveTo(nearestPoint(this.all.steps, this.step));
      else plot.blur(); // after a click the keys are still the page's
    };
    plot.onblur = () => this.leave();
    plot.onkeydown = (event) => this.key(event);
  }

  /** @param {MouseEvent} event */
  pointBelow(event) {
    const { left, width } = this.plot.getBoundingClientRect();
    return nearestStop(this.all, (event.clientX - left) / width);
  }

  /**
   * Goes to the step of a point; what is beside the curve has none.
   * @param {number} at
   */
  choose(at) {
    const { steps } = this.all;
    if (at < steps.length) seek(steps[at]);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: Infinity }[event.key];
    if (to !== undefined) this.moveTo(to);
    else if (event.key === "Enter" || event.key === " ") this.choose(this.at);
    else if (event.key === "Escape") this.leave();
    else return;
    event.preventDefault();
  }

  /** @param {number} target the place of a point */
  moveTo(target) {
    const { steps, axis } = this.all;
    this.at = clamp(target, 0, this.stops.length - 1);
    const [share, beside] = [this.stops[this.at], axis?.points[this.at - steps.length]];
    const step = steps[Math.min(this.at, steps.length - 1)];
    const value = beside?.value ?? this.wire.values[this.at];
    const words = beside?.words ?? wordsAt(this.wire, step, value, axis);
    this.cursor.hidden = false;
    this.cursor.style.setProperty("--at", String(share));
    this.cursor.style.setProperty("--above", String(shareAbove(value, this.wire.most)));
    this.name(step, words);
    const { left, top, width, height } = this.plot.getBoundingClientRect();
    const x = left + share * width;
    const y = top + shareAbove(value, this.wire.most) * height;
    this.tip.say(new DOMRect(x + 8, y - 8, 0, 16), make("div", "", words));
  }

  /** Neither pointer nor focus is here. */
  leave() {
    if (this.cursor.hidden) return;
    this.cursor.hidden = true;
    this.tip.hide();
    this.name(this.step, this.says.textContent ?? "");
  }
}

/**
 * Two lines below an axis.
 * @param {number} share
 * @param {string} first
 * @param {string} second
 */
function belowAxis(share, first, second) {
  const name = make("span");
  name.append(make("b", "", first), make("span", "", second));
  name.style.left = 100 * share + "%";
  return name;
}
