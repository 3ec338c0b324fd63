// One chart: its Plotly element, hover and selection, and its values for screen readers.

import { isOnStage, isServerIdle, make, zoomOf } from "../../page/elements.ts";
import { shownNumber } from "../../page/numbers.ts";
import { t } from "../../i18n/words.ts";
import { chipsRunRtl, joinedChips, wordChips, type Tooltip } from "../../tokens/drawing.ts";
import {
  isPlotlyAsked,
  loadPlotly,
  shareStyle,
  type FoundPoint,
  type HoveredPoint,
  type PlotElement,
  type Plotly,
  type Selection,
} from "./library.ts";
import { colourTable, dressed, narrowed, themeOf, walked, type Layout, type PointOfChart } from "./look.ts";
import type { ChipWire, WordWire } from "../../tokens/spans.ts";

interface ChartTable {
  name: string;
  columns: string[];
  rows: (string | number | null)[][];
}

interface Figure<Trace extends object> {
  data: Trace[];
  layout: Layout;
}

/** A token, a pair, or words by the name above each. */
type PointTokens = ChipWire[] | Record<string, WordWire>;

/** From `plot_figures.py`. */
export interface ChartBody<Trace extends object = object> {
  figure: Figure<Trace>;
  height: number; // px at the default type size
  table: ChartTable[];
  colours: Record<string, string[]>;
  /** By trace, tokens for the tooltips of its points. */
  chips?: Record<number, PointTokens[]>;
  /** Value sent when a point of the first trace is chosen. */
  choices?: unknown[];
}

export interface ChartActs {
  /** A point was chosen; `of`: the figure that was drawn when it was pressed. */
  picked: (at: PointOfChart, of: ChartBody | null) => void;
  /** Null if ranges cannot be selected. */
  ranged: ((trace: number, first: number, last: number) => void) | null;
}

/** Position of the pointer, by itself or in an event. */
interface Position {
  clientX: number;
  clientY: number;
  shiftKey?: boolean;
}

const TYPE = 15; // px of 1rem by default
const SMALLER = 0.9; // type size of figures, relative to the page's
const MADE_FOR = "light"; // theme of figures from Python
const NEXT_LOOK = 50; // milliseconds
const LONGEST_WAIT = 10_000; // milliseconds: during playback the server may never be idle
const asksContrast = matchMedia("(prefers-contrast: more)");
const isCoarse = matchMedia("(pointer: coarse)");
const NARROW = 480; // px

export class Chart {
  private readonly acts: ChartActs;
  private readonly tip: Tooltip;
  private library = "";
  private plotly: Plotly | null = null;
  private body: ChartBody | null = null;
  private drawnBody: ChartBody | null = null; // currently drawn
  private pressed: ChartBody | null = null; // drawn when the pointer was pressed
  private picks = false;
  private isInSight = false;
  protected modeBarShown = true;
  private drawn = ""; // size and theme of the last drawing
  private drawnTheme = MADE_FOR;
  private revision = 0;
  protected at: PointOfChart = { trace: 0, point: 0 };
  private early: Position | null = null; // click before the first drawing
  private readonly earlyKeys: KeyboardEvent[] = []; // the same of keys
  private pointer: Position | null = null; // pointer position over the drawing
  private moved: unknown = null; // last pointer event reported by Plotly
  readonly el = make("div", "plot");
  protected readonly drawing = make("div", "drawing");
  protected readonly graph = make("div", "graph") as PlotElement;
  protected readonly keys = make("div", "keys");
  private readonly said = make("div", "said");
  private readonly sight = new IntersectionObserver((entries) =>
    this.seen(entries.at(-1)?.isIntersecting ?? false), // of several changes between two frames the last counts
  );
  private readonly sizes = new ResizeObserver(() => this.drawSoon());
  private readonly contrast = new MutationObserver(() => this.drawSoon());
  private frame = 0;
  private readonly listening = new AbortController();

  constructor(acts: ChartActs, tip: Tooltip) {
    this.acts = acts;
    this.tip = tip;
    this.keys.tabIndex = 0;
    this.keys.setAttribute("role", "slider");
    this.keys.setAttribute("aria-valuemin", "0");
    this.drawing.append(this.graph, this.keys);
    this.el.append(this.drawing, this.said);
    this.listen();
  }

  private listen() {
    const { signal } = this.listening;
    this.sight.observe(this.el);
    this.sizes.observe(this.el);
    this.contrast.observe(document.documentElement, { attributeFilter: ["data-contrast", "data-stage"] });
    asksContrast.addEventListener("change", () => this.drawSoon(), { signal });
    addEventListener("beforeprint", () => this.draw(), { signal });
    this.el.addEventListener("bpe-lab-picture", (event) => this.recolour(event), { signal });
    this.el.addEventListener(
      "bpe-lab-draw",
      (event) => event instanceof CustomEvent && event.detail.push(this.ready()),
      { signal },
    );
    this.drawing.addEventListener("pointermove", ({ clientX, clientY }) => (this.pointer = { clientX, clientY }), {
      signal,
      capture: true,
    });
    this.drawing.addEventListener("pointerleave", () => (this.pointer = null), { signal });
    this.el.addEventListener("pointerdown", () => (this.pressed = this.drawnBody), { signal, capture: true });
    this.keys.onkeydown = (event) => this.key(event);
    this.keys.onfocus = () => {
      if (!this.keys.matches(":focus-visible")) this.keys.blur();
      else if (this.plotly) this.pointAt(this.at);
      else this.seen(true);
    };
    this.keys.onblur = () => {
      this.earlyKeys.length = 0;
      this.leave();
    };
    this.keys.onclick = ({ clientX, clientY }) => (this.early = { clientX, clientY }); // not drawn yet
  }

  name(library: string, label: string, picks: boolean) {
    this.library = library;
    this.picks = picks;
    this.keys.setAttribute("aria-label", label);
    this.keys.setAttribute(
      "aria-description",
      picks ? t("Arrow keys read the points, Enter chooses one") : t("Arrow keys read the points"),
    );
    this.el.classList.toggle("picks", picks);
  }

  show(body: ChartBody) {
    this.body = body;
    this.drawn = "";
    if (!body.choices) this.at = { trace: 0, point: 0 }; // redrawn at every step otherwise: keep the position
    this.el.style.height = `max(min(${body.height / TYPE}rem, var(--plot-most, 100rem)), var(--plot-fill, 0px))`;
    this.said.replaceChildren(...body.table.map((table) => tableOf(table)));
    this.keys.setAttribute("aria-valuenow", String(this.at.point));
    this.keys.setAttribute("aria-valuemax", String(Math.max(0, (body.table[0]?.rows.length ?? 1) - 1)));
    this.drawSoon();
  }

  private async seen(isInSight: boolean) {
    this.isInSight = isInSight;
    if (isInSight && !isPlotlyAsked()) await this.settled();
    if (this.isInSight) await this.ready();
  }

  /** Wait until the page is drawn: cards added above the chart may push it out of view. */
  private async settled() {
    const until = performance.now() + LONGEST_WAIT;
    do await new Promise((done) => setTimeout(done, NEXT_LOOK));
    while (!isServerIdle() && performance.now() < until);
  }

  /** Draw the chart, whether visible or not. */
  private async ready() {
    if (!this.plotly) {
      try {
        this.plotly = await loadPlotly(this.library);
      } catch {
        return; // the server is unreachable; retried when next visible
      }
      if (!this.el.isConnected) return;
      shareStyle(this.el.getRootNode());
    }
    this.draw();
  }

  drawSoon() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      if (this.isInSight) this.draw();
    });
  }

  // ---- the drawing ----------------------------------------------------------------------------------------

  private get theme() {
    const { contrast } = document.documentElement.dataset;
    const isStrong = contrast === "high" || (contrast !== "normal" && asksContrast.matches) || isOnStage();
    return themeOf(getComputedStyle(this.el).getPropertyValue("--st-background-color"), isStrong);
  }

  /** Redraw if anything has changed. */
  private draw() {
    const { plotly, body, graph, drawing, el } = this;
    const { width, height } = el.getBoundingClientRect();
    if (!plotly || !body || !width || !height) return;
    const zoom = zoomOf(el);
    const style = getComputedStyle(el);
    const scale = ((parseFloat(style.fontSize) || TYPE) / TYPE) * zoom * SMALLER;
    const { theme } = this;
    const drawn = [theme, width, height, scale].join();
    if (drawn === this.drawn) return;
    const isFirst = !graph.data;
    this.drawn = drawn;
    this.drawnTheme = theme;
    drawing.style.setProperty("--enlarged", String(zoom));
    drawing.style.zoom = String(1 / zoom); // Plotly ignores CSS zoom: draw the chart larger instead of stretching it
    const colours = colourTable(body.colours[MADE_FOR], body.colours[theme]);
    const font = style.getPropertyValue("--st-font") || style.fontFamily;
    const figure = width < NARROW ? narrowed(body.figure) : body.figure;
    const { data, layout } = dressed(figure, { colours, scale, font }) as Figure<object>;
    this.revision += 1; // reset the selection to that of the figure
    const kept = { uirevision: "kept", selectionrevision: this.revision, selections: [] };
    const clear = { paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)" };
    const drag = isCoarse.matches
      ? { dragmode: false }
      : this.acts.ranged
        ? { dragmode: "select", selectdirection: "h" }
        : {};
    plotly.react(
      graph,
      data,
      { ...layout, ...clear, ...drag, ...this.modeBar(), ...kept, width, height },
      this.config(),
    );
    if (isFirst) this.follow();
    this.drawnBody = body;
    this.placed();
  }

  private modeBar() {
    const [ink, pale] = this.body?.colours[this.drawnTheme] ?? [];
    return { modebar: { bgcolor: "rgba(0,0,0,0)", color: pale, activecolor: ink } };
  }

  private config() {
    const dictionary = {
      Zoom: t("Zoom"),
      Pan: t("Pan"),
      "Zoom in": t("Zoom in"),
      "Zoom out": t("Zoom out"),
      "Reset axes": t("Reset axes"),
      Reset: t("Reset axes"),
    };
    const format = { decimal: ".", thousands: ",", grouping: [3], currency: ["$", ""] };
    return {
      displaylogo: false,
      displayModeBar: this.modeBarShown && !this.acts.ranged && !isCoarse.matches && "hover",
      modeBarButtonsToRemove: ["toImage", "select2d", "lasso2d", "autoScale2d"],
      locale: "page",
      locales: { page: { dictionary, format } },
      showTips: false,
      typesetMath: false,
      showAxisDragHandles: false,
    };
  }

  /** Position the overlays after Plotly has drawn. */
  protected placed() {
    const { _size: size } = this.graph._fullLayout;
    const { style } = this.keys;
    for (const [name, value] of Object.entries({ left: size.l, top: size.t, width: size.w, height: size.h }))
      style.setProperty(name, `${value}px`);
    for (const svg of this.graph.querySelectorAll(".main-svg"))
      svg.setAttribute("viewBox", `0 0 ${svg.getAttribute("width")} ${svg.getAttribute("height")}`);
    this.el.classList.add("drawn");
    if (this.keys.matches(":focus-visible")) this.pointAt(this.at);
    else if (this.pointer && this.tip.open) this.hoverAt(this.pointer); // same position in the new figure
    const { early } = this;
    this.early = null;
    if (early) this.pickBelow(early);
    for (const event of this.earlyKeys.splice(0)) this.key(event);
  }

  // ---- pointing and choosing ------------------------------------------------------------------------------

  private follow() {
    const { graph } = this;
    graph.on("plotly_click", ({ points, event }) => {
      if (points[0]?.xaxis && event && "clientX" in event) this.pickBelow(event);
      else if (points[0]) this.pick(points[0], null);
    });
    graph.on("plotly_hover", ({ event, points }) => this.hoveredBy(event, points));
    graph.on("plotly_unhover", () => this.unhovered());
    graph.on("plotly_afterplot", () => this.placed());
    graph.on("plotly_selected", (event) => this.selected(event));
  }

  /**
   * Choose the point below a click. Plotly updates its hovered point at most twenty times a second, so the point it
   * reports at a click may be that of an earlier position.
   */
  private pickBelow(event: Position) {
    this.hoverAt(event);
    const [found] = this.graph._hoverdata ?? [];
    if (found) this.pick(found, event);
  }

  /** Plotly repeats the last hover event after each drawing, at a position that may be outdated. */
  private hoveredBy(event: unknown, points: HoveredPoint[]) {
    const isAgain = event instanceof Event && event === this.moved;
    if (event instanceof Event) this.moved = event;
    if (!points[0]?.xaxis) this.tellOf(points[0]);
    else if (isAgain && this.pointer) this.hoverAt(this.pointer);
    else this.hovered();
  }

  private hoverAt({ clientX, clientY }: Position) {
    const { plotly, graph } = this;
    const { left, top } = graph.getBoundingClientRect();
    const { _size: size } = graph._fullLayout;
    plotly?.Fx.unhover(graph);
    plotly?.Fx.hover(graph, { xpx: clientX - left - size.l, ypx: clientY - top - size.t }, "xy");
    this.hovered();
  }

  private pick(found: FoundPoint, event: Position | null) {
    const number = found.pointNumber ?? found.pointIndex;
    const point = Array.isArray(number) ? number[0] * found.data.z[0].length + number[1] : number;
    const of = event ? (this.pressed ?? this.drawnBody) : this.drawnBody;
    if (this.picks) this.choose({ trace: found.curveNumber, point }, event?.shiftKey ?? false, of);
  }

  private choose(to: PointOfChart, isRange: boolean, of: ChartBody | null = this.drawnBody) {
    const { ranged } = this.acts;
    const [from] = this.graph._fullData?.[to.trace]?.selectedpoints ?? [];
    this.at = to;
    if (isRange && ranged && from !== undefined) ranged(to.trace, Math.min(from, to.point), Math.max(from, to.point));
    else this.acts.picked(to, of);
  }

  /** Select the range of points dragged over in the first trace, from the point nearest to either end. */
  private selected(event: Selection | undefined) {
    const { ranged } = this.acts;
    const ends = event?.range?.x;
    if (!ends || !ranged) return;
    const places: number[] = [...this.graph._fullData[0].x];
    const [low, high] = [Math.min(...ends), Math.max(...ends)].map((end) =>
      places.reduce((best, place, at) => (Math.abs(place - end) < Math.abs(places[best] - end) ? at : best), 0),
    );
    ranged(0, low, high);
  }

  private key(event: KeyboardEvent) {
    if (!this.drawnBody) return this.keep(event);
    const next = walked(this.at, event.key, this.walkable());
    if (next) this.pointAt(next);
    else if (event.key === "Enter" || event.key === " ") {
      if (this.picks) this.choose(this.at, event.shiftKey);
    } else if (event.key === "Escape") this.leave();
    else return;
    event.preventDefault();
  }

  /** Keep a key for the chart that is not drawn yet. */
  private keep(event: KeyboardEvent) {
    const isTaken = walked(this.at, event.key, this.walkable()) !== null || event.key === "Enter" || event.key === " ";
    if (!isTaken) return;
    this.earlyKeys.push(event);
    event.preventDefault();
  }

  /** Number of points of each trace with hover text. */
  private walkable() {
    const counts = new Map<number, number>();
    (this.graph._fullData ?? []).forEach(({ hoverinfo, visible, _length: length, labels, z }, at) => {
      const points = length ?? labels?.length ?? (z?.length ?? 0) * (z?.[0]?.length ?? 0);
      if (hoverinfo !== "skip" && visible === true && points) counts.set(at, points);
    });
    return counts.size ? counts : new Map([[0, 1]]);
  }

  private pointAt(to: PointOfChart) {
    const { plotly, graph, keys } = this;
    const counts = this.walkable();
    const trace = counts.has(to.trace) ? to.trace : [...counts.keys()][0];
    const last = (counts.get(trace) ?? 1) - 1;
    this.at = { trace, point: Math.min(to.point, last) };
    plotly?.Fx.unhover(graph);
    plotly?.Fx.hover(graph, [{ curveNumber: trace, pointNumber: this.at.point }]);
    keys.setAttribute("aria-valuemax", String(last));
    keys.setAttribute("aria-valuenow", String(this.at.point));
    keys.setAttribute("aria-valuetext", this.hoverText());
    this.hovered();
  }

  /** Text of the labels at the point. */
  protected hoverText() {
    return this.hoverLines().join(", ");
  }

  private hoverLines() {
    const lines = [...this.graph.querySelectorAll(".hovertext:not([style*=none]) :is(.line, text:not(:has(.line)))")];
    return lines.flatMap(({ textContent }) => textContent || []);
  }

  /** Handle a hovered point on the axes. */
  protected hovered() {
    this.tellOf(this.graph._hoverdata?.[0]);
  }

  /** If a point has tokens, a tooltip draws them and replaces Plotly's label, which names them. */
  private tellOf(found: HoveredPoint | undefined) {
    const chips = found && this.drawnBody?.chips?.[found.curveNumber]?.[found.pointNumber];
    const hasTokens = Boolean(chips && Object.keys(chips).length);
    this.el.classList.toggle("says-tokens", hasTokens);
    if (!found || !chips || !hasTokens) return this.tip.hide();
    this.at = { trace: found.curveNumber, point: found.pointNumber };
    const lines = this.linesBesides(chips).map((line) => make("div", "", line));
    this.tip.say(this.boxOf(found), ...tokensOf(chips), ...lines);
  }

  /** Position of a hovered point on the screen. The boxes of a treemap have no axes. */
  private boxOf({ xaxis: hasAxes, x, y, bbox }: HoveredPoint) {
    const { left, top } = this.graph.getBoundingClientRect();
    if (!hasAxes) return new DOMRect(left + (bbox.x0 + bbox.x1) / 2, top + bbox.y0);
    const { xaxis, yaxis, _size: size } = this.graph._fullLayout;
    return new DOMRect(left + size.l + xaxis.d2p(x), top + size.t + yaxis.d2p(y));
  }

  /** The lines of a tooltip below its tokens: those of Plotly's label, without the one that names them. */
  protected linesBesides(tokens: PointTokens): string[] {
    return Array.isArray(tokens) ? this.hoverLines().slice(1) : this.hoverLines().slice(0, -1);
  }

  protected unhovered() {
    this.tip.hide();
  }

  /** End hovering when the focus leaves. */
  private leave() {
    if (this.plotly && this.graph._fullLayout) this.plotly.Fx.unhover(this.graph);
    this.unhovered();
  }

  // ---- pictures -------------------------------------------------------------------------------------------

  /** Switch to print colours before a picture is drawn, and back afterwards. */
  private recolour(event: Event) {
    const { body, drawnTheme: theme } = this;
    if (!(event instanceof CustomEvent) || !body) return;
    const [from, to] = event.detail ? [theme, "print"] : ["print", theme];
    const probe = make("i").style;
    const told = (colour: string) => ((probe.color = colour), probe.color);
    const table = new Map(body.colours[from].map((colour, at) => [told(colour), body.colours[to][at]]));
    for (const { style } of this.graph.querySelectorAll<SVGElement>(".main-svg *")) {
      for (const name of ["fill", "stroke"]) {
        const other = table.get(style.getPropertyValue(name));
        if (other) style.setProperty(name, other);
      }
    }
  }

  end() {
    this.sight.disconnect();
    this.sizes.disconnect();
    this.contrast.disconnect();
    this.listening.abort();
    cancelAnimationFrame(this.frame);
    this.plotly?.purge(this.graph);
    this.tip.hide();
  }
}

function tokensOf(tokens: PointTokens) {
  if (Array.isArray(tokens)) return [rowOf("tokens", tokens, joinedChips(tokens))];
  return Object.entries(tokens).flatMap(([name, word]) => [
    make("div", "name", name),
    rowOf("tokens word", word.word, wordChips(word)),
  ]);
}

function rowOf(className: string, chips: ChipWire[], drawn: HTMLElement[]) {
  const el = make("div", className);
  if (chipsRunRtl(chips)) el.dir = "rtl";
  el.append(...drawn);
  return el;
}

function tableOf({ name, columns, rows }: ChartTable) {
  const el = make("table");
  if (name) el.append(make("caption", "", name));
  const head = make("tr");
  head.append(...columns.map((column) => make("th", "", column)));
  const shown = (value: string | number | null) => (typeof value === "number" ? shownNumber(value) : (value ?? ""));
  const lines = rows.map((row) => {
    const line = make("tr");
    line.append(...row.map((value) => make("td", "", shown(value))));
    return line;
  });
  el.append(head, ...lines);
  return el;
}
