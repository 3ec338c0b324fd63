// @ts-check
// Charts on a page: any figure of Plotly, or figures over the steps of a training; drawn when they come into sight.

import { mountedOutbox } from "../../bridge/outbox.js";
import { onNextCall } from "../../bridge/calls.js";
import { takePendingSeek } from "../../bridge/seek.js";
import { find, make } from "../../page/elements.js";
import { mountDrawing } from "../../bridge/published.js";
import { showCaptions } from "../../tokens/drawing.js";
import { readHead, readPayload } from "../../bridge/payload.js";
import { Chart } from "./chart.js";
import { StepsView, moveMark } from "./steps.js";

/** @typedef {import("../../bridge/outbox.js").Outbox} Outbox */
/**
 * @typedef {CaptionsHead & { kind: "plot", rev: string, name: string, label: string, library: string, picks: boolean,
 *   ranges: boolean }} PlotHead
 */

/** @type {WeakMap<HTMLElement, PlotView | StepsView>} */
const plots = new WeakMap();

class PlotView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {string | null} */
    this.rev = null;
    /** @type {Outbox | null} */
    this.outbox = null;
    const act = (/** @type {string} */ name, /** @type {number[]} */ value) => this.outbox?.act(name, value);
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

  /**
   * @param {Mount} component
   * @param {PlotHead} head
   */
  update(component, head) {
    /** @type {{ body: import("./chart.js").ChartBody | null }} */
    const { body } = readPayload(component.data, this.rev);
    showCaptions(this.root, head);
    this.outbox = mountedOutbox(head.name, component);
    this.acts.ranged = head.ranges ? this.ranged : null;
    this.chart.name(head.library, head.label, head.picks);
    this.rev = head.rev;
    if (body) this.chart.show(body);
    else this.chart.drawSoon(); // in another theme
  }

  end() {
    this.outbox?.left(this.root);
    this.chart.end();
  }
}

/** @param {Mount} component */
function showPlot(component) {
  const { data, parentElement: root } = component;
  /** @type {PlotHead | import("./steps.js").StepsHead | import("./steps.js").MarkHead} */
  const head = readHead(data);
  if (head.kind === "mark") {
    moveMark(head);
    return;
  }
  const view = plots.get(root) ?? (head.kind === "steps" ? new StepsView(root) : new PlotView(root));
  plots.set(root, view);
  if (view instanceof StepsView && head.kind === "steps") view.update(data, head);
  else if (view instanceof PlotView && head.kind === "plot") view.update(component, head);
}

/** Elements before the first data. */
export function markup() {
  return [make("div", "plots")];
}

/** @param {Mount} component */
export function draw(component) {
  const { parentElement: root } = component;
  onNextCall(root, mountDrawing(component, showPlot));
  return () => {
    const view = plots.get(root);
    if (!view) return; // a mark
    plots.delete(root);
    view.end();
    if (view instanceof StepsView) takePendingSeek(); // whoever left the page wants no step any more
  };
}
