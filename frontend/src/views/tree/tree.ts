// Merge tree: the token on top, its base symbols in a row at the bottom, each merge above the two tokens it joined.

import { View } from "../../bridge/view.ts";
import { closest, find, make, makeSvg, pointAt } from "../../page/elements.ts";
import { startsRtl } from "../../tokens/direction.ts";
import { appendText, makeChip, textOfChips } from "../../tokens/drawing.ts";
import { chipReading, type ChipWire } from "../../tokens/spans.ts";
import { t } from "../../i18n/words.ts";
import {
  edgePath,
  layoutOf,
  NARROW_GAP,
  leavesOf,
  mirrored,
  parentsOf,
  readingOrder,
  scaleThatFits,
  type Layout,
  type Size,
} from "./layout.ts";

type CharacterWire = [first: number, last: number, char: string, part: string];

interface TreeBody {
  ids: number[];
  chips: ChipWire[];
  labels: string[];
  left: number[];
  right: number[];
  truncated: number[];
  characters: CharacterWire[];
}

interface TreeHead {
  rev: string;
  name: string;
  label: string;
  height: number | null;
  pick: boolean;
}

const PADDING = 8; // pixels, on both sides together

export class Tree extends View {
  private readonly scroller: HTMLElement;
  private canPick = false;
  private room: number | null = null; // height limit in pixels
  private width = 0; // available width at the last layout
  private tree: TreeBody = { ids: [], chips: [], labels: [], left: [], right: [], truncated: [], characters: [] };
  private isRtl = false; // whether the token is read right to left
  private cursor = 0;
  private canvas = make("div", "canvas");
  private parents: number[] = [];
  private nodes: HTMLElement[] = [];
  private edges: (SVGPathElement | undefined)[] = [];

  static markup() {
    return [make("div", "scroll")];
  }

  constructor(root: HTMLElement) {
    super(root);
    this.scroller = find(root, ".scroll", HTMLElement);
    const watcher = new ResizeObserver(() => this.resized());
    watcher.observe(this.scroller);
    this.onEnd(() => watcher.disconnect());
    this.listen();
  }

  update(component: Mount) {
    const { head, body } = this.open<TreeHead, TreeBody>(component);
    this.canPick = head.pick;
    this.room = head.height;
    this.scroller.setAttribute("aria-label", head.label);
    this.scroller.style.maxHeight = head.height ? head.height + "px" : "";
    this.scroller.classList.toggle("pick", head.pick);
    if (!body) return;
    this.tree = body;
    this.isRtl = startsRtl(textOfChips(body.chips.slice(0, 1)) + body.characters.map(([, , char]) => char).join(""));
    this.cursor = 0;
    this.build();
  }

  /** Refit the tree after a change of width. */
  private resized() {
    const { clientWidth } = this.scroller;
    if (clientWidth && clientWidth !== this.width && this.nodes.length) this.layOut();
    this.width = clientWidth;
  }

  private build() {
    const { ids, chips, labels, truncated } = this.tree;
    const truncatedNodes = new Set(truncated);
    this.scroller.setAttribute("role", "tree");
    this.scroller.tabIndex = 0;
    this.canvas = make("div", "canvas");
    this.canvas.setAttribute("role", "presentation");
    const { parents, levels } = parentsOf(this.tree);
    this.parents = parents;
    this.nodes = ids.map((_, at) => {
      const el = make("div", "node" + (at ? "" : " root") + (this.tree.left[at] < 0 ? " leaf" : ""));
      el.node = at;
      el.setAttribute("role", "treeitem");
      el.setAttribute("aria-level", String(levels[at]));
      el.append(makeChip(chips[at]), " ", make("span", "label", labels[at])); // separates the words in plain text
      if (truncatedNodes.has(at)) el.append(make("span", "label truncated", t("\u22ee more below")));
      for (const part of el.children) part.setAttribute("aria-hidden", "true"); // the accessible name has no marks
      el.setAttribute("aria-label", this.spoken(at));
      return el;
    });
    if (this.isRtl) this.canvas.dir = "rtl";
    this.canvas.append(...this.nodes);
    this.scroller.replaceChildren(this.canvas);
    this.layOut();
    document.fonts?.ready.then(() => {
      if (this.canvas.isConnected) this.layOut();
    });
  }

  private layOut() {
    this.canvas.style.setProperty("zoom", "1");
    this.canvas.classList.remove("tight");
    let sizes = this.sizes();
    if (!sizes[0][0]) {
      // not laid out yet: the tab or expander is closed
      requestAnimationFrame(() => this.canvas.isConnected && this.nodes[0].offsetWidth && this.layOut());
      return;
    }
    let placed = layoutOf(this.tree, sizes);
    if (placed.width * this.scaleOf(placed.width, placed.bottom) > this.scroller.clientWidth - PADDING) {
      this.canvas.classList.add("tight");
      sizes = this.sizes();
      placed = layoutOf(this.tree, sizes, NARROW_GAP);
    }
    const layout = this.isRtl ? mirrored(placed) : placed;
    this.nodes.forEach((el, at) => {
      el.style.left = layout.centres[at] - sizes[at][0] / 2 + "px";
      el.style.top = layout.tops[at] + "px";
    });
    const bottom = this.placeCharacters(layout, sizes);
    this.canvas.style.width = layout.width + "px";
    this.canvas.style.height = bottom + "px";
    this.drawEdges(layout, sizes, bottom);
    this.fit(layout, bottom);
  }

  /**
   * Scale down a tree that is too large, to the legible minimum; beyond that it scrolls, with the token itself centred.
   */
  private fit({ centres, width }: Layout, bottom: number) {
    const { scroller } = this;
    const scale = this.scaleOf(width, bottom);
    this.canvas.style.setProperty("zoom", String(scale));
    scroller.scrollLeft = centres[0] * scale - (scroller.clientWidth - PADDING) / 2;
  }

  private scaleOf(width: number, bottom: number) {
    const room: Size = [this.scroller.clientWidth - PADDING, this.room ? this.room - PADDING : Infinity];
    return scaleThatFits([width, bottom], room);
  }

  private sizes(): Size[] {
    return this.nodes.map((el) => [el.offsetWidth, el.offsetHeight]);
  }

  /** Place each character below the symbols that are its bytes. Returns the bottom of the drawing. */
  private placeCharacters({ centres, bottom }: Layout, sizes: Size[]) {
    this.canvas.querySelectorAll(".character").forEach((el) => el.remove());
    if (!this.tree.characters.length) return bottom;
    const leaves = leavesOf(this.tree, centres);
    if (this.isRtl) leaves.reverse();
    let height = 0;
    for (const [first, last, char, part] of this.tree.characters) {
      const [a, b] = this.isRtl ? [leaves[last], leaves[first]] : [leaves[first], leaves[last]];
      if (a === undefined || b === undefined) continue;
      const el = make("div", "character");
      const shown = make("span");
      appendText(shown, char);
      el.append(shown, make("span", "label", part));
      const left = centres[a] - sizes[a][0] / 2;
      el.style.left = left + "px";
      el.style.width = centres[b] + sizes[b][0] / 2 - left + "px";
      el.style.top = bottom + "px";
      this.canvas.append(el);
      height = Math.max(height, el.offsetHeight);
    }
    return bottom + height;
  }

  private drawEdges({ centres, tops, width }: Layout, sizes: Size[], height: number) {
    this.canvas.querySelector("svg")?.remove();
    const svg = makeSvg("svg", { class: "edges", width, height, "aria-hidden": "true" });
    this.edges = this.parents.map((parent, at) => {
      if (parent < 0) return undefined;
      const d = edgePath(centres[parent], tops[parent] + sizes[parent][1], centres[at], tops[at]);
      const path = makeSvg("path", { d });
      svg.append(path);
      return path;
    });
    this.canvas.prepend(svg);
  }

  /** Accessible description of a node. */
  private spoken(at: number) {
    const { chips, labels, left, right } = this.tree;
    const node = { token: chipReading(chips[at]), label: labels[at] };
    if (left[at] < 0) return t("{token}, {label}", node);
    const from = { left: chipReading(chips[left[at]]), right: chipReading(chips[right[at]]) };
    return t("{token}, {label}, from {left} and {right}", { ...node, ...from });
  }

  private listen() {
    const { scroller } = this;
    scroller.onfocus = () => {
      if (scroller.matches(":focus-visible")) this.moveTo(this.cursor);
    };
    scroller.onblur = () => {
      pointAt(scroller, null);
      this.highlight(null);
    };
    scroller.onclick = (event) => {
      const node = closest(event, ".node")?.node;
      if (node !== undefined) this.pick(node);
    };
    scroller.onmouseover = (event) => this.highlight(closest(event, ".node")?.node ?? null);
    scroller.onmouseleave = () => this.highlight(null);
    scroller.onkeydown = (event) => {
      const target = this.target(event.key);
      if (target !== null) {
        if (target >= 0) this.moveTo(target);
      } else if (event.key === "Enter" || event.key === " ") this.pick(this.cursor);
      else return;
      event.preventDefault();
    };
  }

  /** Target node of a key, -1 if there is none; null for keys without a target. */
  private target(key: string) {
    const targets: Record<string, number | undefined> = {
      ArrowUp: this.parents[this.cursor],
      ArrowDown: this.tree.left[this.cursor],
      ArrowLeft: this.beside(-1),
      ArrowRight: this.beside(1),
      Home: 0,
    };
    return targets[key] ?? null;
  }

  /** Previous or next node in reading order. */
  private beside(step: number) {
    const order = readingOrder(this.tree);
    return order[order.indexOf(this.cursor) + step] ?? -1;
  }

  private moveTo(at: number) {
    this.cursor = at;
    pointAt(this.scroller, this.nodes[at], this.spoken(at));
    this.highlight(at);
    this.nodes[at].scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** Highlight the two edges below a node, to its merged parts. */
  private highlight(at: number | null) {
    this.edges.forEach((path) => path?.removeAttribute("class"));
    if (at === null || this.tree.left[at] < 0) return;
    for (const child of [this.tree.left[at], this.tree.right[at]]) this.edges[child]?.setAttribute("class", "on");
  }

  private pick(at: number) {
    this.cursor = at;
    if (this.canPick) this.outbox?.act("picked", [this.rev, at]);
  }
}
