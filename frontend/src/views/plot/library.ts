// Lazy loading of plotly.js from this server, once per tab, when the first chart scrolls into view.

/** The part of its API used here. */
export interface Plotly {
  react: (el: HTMLElement, data: object[], layout: object, config: object) => Promise<unknown>;
  relayout: (el: HTMLElement, layout: object) => Promise<unknown>;
  purge: (el: HTMLElement) => void;
  Fx: { hover: (el: HTMLElement, at: object, subplot?: string) => void; unhover: (el: HTMLElement) => void };
}

/** An element in which Plotly draws: the part of its state and events used here. */
export interface PlotElement extends HTMLDivElement {
  data?: object[];
  _fullData: FullTrace[]; // from the first drawing on, as the layout
  _fullLayout: FullLayout;
  _hoverdata?: HoveredPoint[];
  on(event: "plotly_click", then: (click: { points: FoundPoint[]; event?: MouseEvent }) => void): void;
  on(event: "plotly_hover", then: (hover: { event: unknown; points: HoveredPoint[] }) => void): void;
  on(event: "plotly_selected", then: (selection: Selection | undefined) => void): void;
  on(event: "plotly_unhover" | "plotly_afterplot", then: () => void): void;
}

interface FullTrace {
  x: number[];
  z?: unknown[][];
  labels?: unknown[];
  hoverinfo: string;
  visible: boolean | "legendonly";
  line: { color: string };
  selectedpoints?: number[];
  _length?: number;
}

interface FullLayout {
  _size: { l: number; t: number; w: number; h: number };
  xaxis: Axis;
  yaxis: Axis;
}

interface Axis {
  d2p: (value: number) => number;
}

/** A point in an event; that of a heatmap has a row and a column. */
export interface FoundPoint {
  curveNumber: number;
  pointNumber?: number | [row: number, column: number];
  pointIndex: number | [row: number, column: number];
  xaxis?: Axis;
  data: { z: unknown[][] };
}

export interface HoveredPoint extends FoundPoint {
  pointNumber: number;
  x: number; // on an axis of categories, a name, which only the axis takes
  y: number;
  bbox: { x0: number; x1: number; y0: number }; // px in the drawing
}

/** The drawn label of a hovered point. */
export interface HoverLabel extends SVGElement {
  __data__?: { trace?: { index: number } };
}

/** A range that was dragged over. */
export interface Selection {
  range?: { x?: number[] };
}

declare global {
  interface Window {
    Plotly: Plotly; // once its script is loaded
  }
}

const STYLE = "plotly.js-style-global"; // id of Plotly's own style element

let plotly: Promise<Plotly> | null = null;

/** Whether plotly.js is loaded or loading. */
export function isPlotlyAsked() {
  return plotly !== null;
}

/** @param path relative to the app's base URL */
export function loadPlotly(path: string): Promise<Plotly> {
  return (plotly ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = new URL(path, rootOfApp()).href;
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => {
      plotly = null; // the next chart retries
      script.remove();
      reject(new Error("plotly.js has not come"));
    };
    document.head.append(script);
  }));
}

/** Base URL of the app, found by Streamlit's scripts: they are in a folder below it. */
function rootOfApp() {
  const own = [...document.scripts].find(({ src }) => src.includes("/static/"));
  return own ? own.src.slice(0, own.src.indexOf("/static/") + 1) : location.href;
}

/** Copy Plotly's style into a shadow tree; Plotly adds it only to the document. */
export function shareStyle(root: Node) {
  const style = document.getElementById(STYLE);
  if (!(root instanceof ShadowRoot) || !(style instanceof HTMLStyleElement) || !style.sheet) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync([...style.sheet.cssRules].map(({ cssText }) => cssText).join("\n"));
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}
