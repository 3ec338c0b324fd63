// Lattice of a word: nodes between the characters on a line, pieces of one character on the line, longer ones above it.

import { View } from "../../bridge/view.ts";
import { clamp } from "../../page/numbers.ts";
import { build, find, make, makeSvg, pointAt } from "../../page/elements.ts";
import { makeChip } from "../../tokens/drawing.ts";
import {
  LatticeGeometry,
  drawingOrder,
  passedNodes,
  shownScore,
  spokenEdge,
  type LatticeBody,
  type Size,
} from "./geometry.ts";

interface LatticeHead {
  rev: string;
  label: string;
}

export class Lattice extends View {
  private readonly scroller: HTMLElement;
  private lattice: LatticeBody = { length: 0, edges: [], chips: [], lanes: [], totals: [] };
  private cursor = 0;
  private canvas = make("div", "canvas");
  private labels: HTMLElement[] = [];

  static markup() {
    return [build("div", { class: "scroll", role: "listbox", tabindex: "0" })];
  }

  constructor(root: HTMLElement) {
    super(root);
    this.scroller = find(root, ".scroll", HTMLElement);
    this.listen();
  }

  update(component: Mount) {
    const { head, body } = this.open<LatticeHead, LatticeBody>(component);
    this.scroller.setAttribute("aria-label", head.label);
    if (!body) return;
    this.lattice = body;
    this.cursor = 0;
    this.build();
  }

  private build() {
    const { edges, chips, lanes } = this.lattice;
    this.canvas = make("div", "canvas");
    this.canvas.setAttribute("role", "presentation");
    this.labels = edges.map(([, , score, , best, chosen, unknown], at) => {
      const fate = chosen ? " chosen" : best ? " best" : "";
      const label = make("div", "edge" + (lanes[at] ? "" : " single") + fate + (unknown ? " unknown" : ""));
      label.setAttribute("role", "option");
      label.setAttribute("aria-selected", String(Boolean(chosen)));
      label.setAttribute("aria-label", this.spoken(at));
      label.title = this.spoken(at);
      const chip = makeChip(chips[at]);
      chip.removeAttribute("title");
      label.append(chip, " ", make("span", "score", shownScore(score)));
      return label;
    });
    this.canvas.append(...this.labels);
    this.scroller.replaceChildren(this.canvas);
    this.layOut();
    document.fonts?.ready.then(() => {
      if (this.canvas.isConnected) this.layOut();
    });
  }

  private layOut() {
    const sizes: Size[] = this.labels.map((el) => [el.offsetWidth, el.offsetHeight]);
    if (sizes.length && !sizes[0][0]) {
      // not laid out yet: the tab or expander is closed
      requestAnimationFrame(() => this.canvas.isConnected && this.labels[0].offsetWidth && this.layOut());
      return;
    }
    const geometry = new LatticeGeometry(this.lattice, sizes);
    this.labels.forEach((el, at) => {
      const { left, top } = geometry.label(at);
      el.style.left = left + "px";
      el.style.top = top + "px";
    });
    this.canvas.style.width = geometry.width + "px";
    this.canvas.style.height = geometry.height + "px";
    this.drawLines(geometry);
  }

  private drawLines(geometry: LatticeGeometry) {
    const { edges, totals } = this.lattice;
    const { width, height, base } = geometry;
    this.canvas.querySelector("svg")?.remove();
    const svg = makeSvg("svg", { class: "lines", width, height, "aria-hidden": "true" });
    for (const at of drawingOrder(edges)) {
      const [, , , , best, chosen] = edges[at];
      svg.append(makeSvg("path", { d: geometry.path(at), class: chosen ? "chosen" : best ? "best" : "" }));
    }
    const passed = passedNodes(edges);
    totals.forEach((total, node) => {
      const state = passed.has(node) && passed.size > 1 ? "chosen" : "";
      const x = geometry.x(node);
      svg.append(makeSvg("circle", { cx: x, cy: base, r: 6.5, class: total === null ? "lost" : state }));
      if (total !== null) svg.append(makeSvg("text", { x, y: base + 30, class: state }, shownScore(total)));
    });
    this.canvas.prepend(svg);
  }

  private spoken(at: number) {
    return spokenEdge(this.lattice.edges[at], this.lattice.chips[at]);
  }

  private listen() {
    const { scroller } = this;
    scroller.onfocus = () => {
      if (scroller.matches(":focus-visible")) this.moveTo(this.cursor);
    };
    scroller.onblur = () => pointAt(scroller, null);
    scroller.onkeydown = (event) => {
      const [before, after] = [this.cursor - 1, this.cursor + 1];
      const keys: Record<string, number | undefined> = {
        ArrowRight: after,
        ArrowDown: after,
        ArrowLeft: before,
        ArrowUp: before,
        Home: 0,
        End: Infinity,
      };
      const to = keys[event.key];
      if (to === undefined) return;
      event.preventDefault();
      this.moveTo(to);
    };
  }

  private moveTo(at: number) {
    this.cursor = clamp(at, 0, Math.max(0, this.labels.length - 1));
    const label = this.labels[this.cursor];
    if (!label) return;
    pointAt(this.scroller, label, this.spoken(this.cursor));
    label.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}
