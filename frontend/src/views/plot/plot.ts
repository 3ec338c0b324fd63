// Charts on a page: any Plotly figure, or figures over the steps of a training; drawn when they scroll into view.

import { readHead } from "../../bridge/payload.ts";
import { View } from "../../bridge/view.ts";
import { find, make } from "../../page/elements.ts";
import { Tooltip, showCaptions, type CaptionsHead } from "../../tokens/drawing.ts";
import { Chart, type ChartBody, type ChartActs } from "./chart.ts";
import { StepCharts, moveMark, type MarkHead, type StepsBody, type StepsHead } from "./steps.ts";

interface PlotHead extends CaptionsHead {
  kind: "plot";
  rev: string;
  name: string;
  label: string;
  library: string;
  picks: boolean;
  ranges: boolean;
}

/** Charts of either kind, with heads and bodies of the same kind. */
interface Charts {
  update(head: PlotHead | StepsHead, body: ChartBody | StepsBody | null): void;
  end(): void;
}

/** Draws figures, or moves the mark of other figures. */
export class Plot extends View {
  static markup() {
    return [make("div", "plots")];
  }

  private charts: Charts | null = null;

  update(component: Mount) {
    const told = readHead<PlotHead | StepsHead | MarkHead>(component.data);
    if (told.kind === "mark") {
      moveMark(told);
      return;
    }
    const { head, body } = this.open<PlotHead | StepsHead, ChartBody | StepsBody>(component);
    showCaptions(this.root, head);
    this.charts ??= told.kind === "steps" ? new StepCharts(this) : new OneChart(this);
    this.charts.update(head, body);
  }

  override end() {
    super.end();
    this.charts?.end();
  }
}

/** Figure with selectable points and ranges. */
class OneChart {
  private readonly acts: ChartActs;
  private readonly ranged: (trace: number, first: number, last: number) => void;
  private readonly chart: Chart;

  constructor(view: View) {
    const act = (name: string, value: unknown) => view.outbox?.act(name, value);
    this.acts = {
      picked: ({ trace, point }, of) => {
        if (!of?.choices) act("picked", [trace, point]);
        else if (point in of.choices) act("picked", of.choices[point]);
      },
      ranged: null,
    };
    this.ranged = (trace: number, first: number, last: number) => act("ranged", [trace, first, last]);
    this.chart = new Chart(this.acts, new Tooltip(find(view.root, ".tip", HTMLElement)));
    find(view.root, ".plots", HTMLElement).append(this.chart.el);
  }

  update(head: PlotHead, body: ChartBody | null) {
    this.acts.ranged = head.ranges ? this.ranged : null;
    this.chart.name(head.library, head.label, head.picks);
    if (body) this.chart.show(body);
    else this.chart.drawSoon(); // the theme may have changed
  }

  end() {
    this.chart.end();
  }
}
