// @ts-check
// Charts on a page: any Plotly figure, or figures over the steps of a training; drawn when they scroll into view.

import { readHead } from "../../bridge/payload.js";
import { View } from "../../bridge/view.js";
import { find, make } from "../../page/elements.js";
import { Tooltip, showCaptions } from "../../tokens/drawing.js";
import { Chart } from "./chart.js";
import { StepCharts, moveMark } from "./steps.js";

/**
 * @typedef {CaptionsHead & { kind: "plot", rev: string, name: string, label: string, library: string, picks: boolean,
 *   ranges: boolean }} PlotHead
 */

/** Draws figures, or moves the mark of other figures. */
export class Plot extends View {
  static markup() {
    return [make("div", "plots")];
  }

  /** @type {OneChart | StepCharts | null} */
  charts = null;

  /** @param {Mount} component */
  update(component) {
    /** @type {PlotHead | import("./steps.js").StepsHead | import("./steps.js").MarkHead} */
    const told = readHead(component.data);
    if (told.kind === "mark") {
      moveMark(told);
      return;
    }
    const { head, body } = this.open(component);
    showCaptions(this.root, head);
    this.charts ??= told.kind === "steps" ? new StepCharts(this) : new OneChart(this);
    this.charts.update(head, body);
  }

  /** @override */
  end() {
    super.end();
    this.charts?.end();
  }
}

/** Figure with selectable points and ranges. */
class OneChart {
  /** @param {View} view */
  constructor(view) {
    const act = (/** @type {string} */ name, /** @type {unknown} */ value) => view.outbox?.act(name, value);
    this.acts = {
      /** @type {import("./chart.js").ChartActs["picked"]} */
      picked: ({ trace, point }, of) => {
        if (!of?.choices) act("picked", [trace, point]);
        else if (point in of.choices) act("picked", of.choices[point]);
      },
      /** @type {((trace: number, first: number, last: number) => void) | null} */
      ranged: null,
    };
    this.ranged = (/** @type {number} */ trace, /** @type {number} */ first, /** @type {number} */ last) =>
      act("ranged", [trace, first, last]);
    this.chart = new Chart(this.acts, new Tooltip(find(view.root, ".tip", HTMLElement)));
    find(view.root, ".plots", HTMLElement).append(this.chart.el);
  }

  /**
   * @param {PlotHead} head
   * @param {import("./chart.js").ChartBody | null} body
   */
  update(head, body) {
    this.acts.ranged = head.ranges ? this.ranged : null;
    this.chart.name(head.library, head.label, head.picks);
    if (body) this.chart.show(body);
    else this.chart.drawSoon(); // the theme may have changed
  }

  end() {
    this.chart.end();
  }
}
