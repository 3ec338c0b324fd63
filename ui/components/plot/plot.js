// @ts-check
// A chart on a page: any figure of Plotly, drawn when it comes into sight.

import { mountedActions } from "../actions.js";
import { find } from "../page.js";
import { showCaptions } from "../tokens/drawing.js";
import { readPayload } from "../tokens/payload.js";
import { Chart } from "./chart.js";

/** @typedef {import("../actions.js").Actions} Actions */
/**
 * @typedef {CaptionsHead & { rev: string, name: string, label: string, library: string, picks: boolean,
 *   ranges: boolean }} PlotHead
 */

/** @type {WeakMap<HTMLElement, PlotView>} */
const plots = new WeakMap();

class PlotView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {string | null} */
    this.rev = null;
    /** @type {Actions | null} */
    this.actions = null;
    const act = (/** @type {string} */ name, /** @type {number[]} */ value) => this.actions?.act(name, value);
    this.acts = {
      picked: (/** @type {import("./chart.js").PointOfChart} */ { trace, point }) => act("picked", [trace, point]),
      /** @type {((trace: number, first: number, last: number) => void) | null} */
      ranged: null,
    };
    this.ranged = (/** @type {number} */ trace, /** @type {number} */ first, /** @type {number} */ last) =>
      act("ranged", [trace, first, last]);
    this.chart = new Chart(this.acts);
    find(root, ".plots", HTMLElement).append(this.chart.el);
  }

  /** @param {Mount} component */
  update(component) {
    /** @type {{ head: PlotHead, body: import("./chart.js").ChartBody | null }} */
    const { head, body } = readPayload(component.data, this.rev);
    showCaptions(this.root, head);
    this.actions = mountedActions(head.name, component);
    this.acts.ranged = head.ranges ? this.ranged : null;
    this.chart.name(head.library, head.label, head.picks);
    this.rev = head.rev;
    if (body) this.chart.show(body);
    else this.chart.drawSoon(); // in another theme
  }
}

/** @param {Mount} component */
export default function (component) {
  const { parentElement: root } = component;
  const view = plots.get(root) ?? new PlotView(root);
  plots.set(root, view);
  view.update(component);
  return () => {
    view.actions?.left(root);
    view.chart.end();
    plots.delete(root);
  };
}
