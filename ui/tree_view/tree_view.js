// A merge tree: the token on top, its base symbols in a row at the bottom, each merge above the two it joined.

const GAP = 10;          // pixels between neighbours
const LEVEL = 34;        // pixels between one level's labels and the chips of the next
const CORNER = 6;
const trees = new WeakMap();
const SVG = "http://www.w3.org/2000/svg";

class TreeView {
  constructor(root) {
    this.scroller = root.querySelector(".scroll");
    this.rev = null;
    this.listen();
  }

  update({ data, setTriggerValue }) {
    this.report = setTriggerValue;
    const { head, body } = readPayload(data, this.rev);
    this.head = head;
    this.scroller.setAttribute("aria-label", head.label);
    this.scroller.style.maxHeight = head.height ? head.height + "px" : "";
    this.scroller.classList.toggle("pick", head.pick);
    if (!body) return;
    this.rev = head.rev;
    this.tree = body;
    this.cursor = 0;
    this.build();
  }

  build() {
    const { ids, chips, labels, left, right, cut } = this.tree;
    const cuts = new Set(cut);
    this.scroller.setAttribute("role", "tree");
    this.scroller.tabIndex = 0;
    this.canvas = make("div", "canvas");
    this.canvas.setAttribute("role", "presentation");
    this.parents = new Array(ids.length).fill(-1);
    this.levels = new Array(ids.length).fill(1);
    ids.forEach((_, at) => {
      for (const child of [left[at], right[at]].filter(x => x >= 0)) {
        this.parents[child] = at;
        this.levels[child] = this.levels[at] + 1;
      }
    });
    this.nodes = ids.map((_, at) => {
      const el = make("div", "node" + (at ? "" : " root"));
      el.node = at;
      el.setAttribute("role", "treeitem");
      el.setAttribute("aria-level", this.levels[at]);
      el.append(makeChip(chips[at]), make("span", "label", labels[at]));
      if (cuts.has(at)) el.append(make("span", "label cut", "\u22ee more below"));
      el.setAttribute("aria-label", this.spoken(at));
      return el;
    });
    this.canvas.append(...this.nodes);
    this.scroller.replaceChildren(this.canvas);
    this.layOut();
    document.fonts?.ready.then(() => { if (this.canvas.isConnected) this.layOut(); });
  }

  /** Places: a subtree is as wide as its children side by side, or as its own chip if that is wider. */
  layOut() {
    const { ids, left, right } = this.tree;
    const sizes = this.nodes.map(el => [el.offsetWidth, el.offsetHeight]);
    if (!sizes[0][0]) { requestAnimationFrame(() => this.canvas.isConnected && this.nodes[0].offsetWidth && this.layOut()); return; }
    const widths = [], heights = [];
    for (let at = ids.length - 1; at >= 0; at--) {   // children stand behind their parents in the lists
      const pair = left[at] < 0 ? null : [left[at], right[at]];
      widths[at] = pair ? Math.max(sizes[at][0], widths[pair[0]] + GAP + widths[pair[1]]) : sizes[at][0];
      heights[at] = pair ? 1 + Math.max(...pair.map(child => heights[child])) : 0;
    }
    const tallest = [];
    ids.forEach((_, at) => { tallest[heights[at]] = Math.max(tallest[heights[at]] ?? 0, sizes[at][1]); });
    const tops = [];
    let y = 0;
    for (let height = heights[0]; height >= 0; height--) { tops[height] = y; y += (tallest[height] ?? 0) + (height ? LEVEL : 0); }
    const lefts = [0], centres = [];
    ids.forEach((_, at) => {
      if (left[at] < 0) return;
      const [a, b] = [left[at], right[at]];
      const spare = widths[at] - widths[a] - GAP - widths[b];
      lefts[a] = lefts[at] + spare / 2;
      lefts[b] = lefts[a] + widths[a] + GAP;
    });
    for (let at = ids.length - 1; at >= 0; at--) {
      centres[at] = left[at] < 0 ? lefts[at] + widths[at] / 2 : (centres[left[at]] + centres[right[at]]) / 2;
      // a chip much wider than what is below it stays inside its own place
      const half = sizes[at][0] / 2;
      centres[at] = Math.min(Math.max(centres[at], lefts[at] + half), lefts[at] + widths[at] - half);
      this.nodes[at].style.left = centres[at] - half + "px";
      this.nodes[at].style.top = tops[heights[at]] + "px";
    }
    const bottom = this.placeCharacters(y, centres, sizes);
    this.canvas.style.width = widths[0] + "px";
    this.canvas.style.height = bottom + "px";
    this.drawEdges(centres, heights, tops, sizes, widths[0], bottom);
    this.scroller.scrollLeft = centres[0] - this.scroller.clientWidth / 2;
  }

  /** Below the symbols: the characters that they are the bytes of. */
  placeCharacters(y, centres, sizes) {
    this.canvas.querySelectorAll(".character").forEach(el => el.remove());
    if (!this.tree.characters.length) return y;
    const leaves = [...this.tree.ids.keys()].filter(at => this.tree.left[at] < 0).sort((a, b) => centres[a] - centres[b]);
    let height = 0;
    for (const [first, last, char, part] of this.tree.characters) {
      const [a, b] = [leaves[first], leaves[last]];
      if (a === undefined || b === undefined) continue;
      const el = make("div", "character");
      const shown = make("span");
      appendText(shown, char);
      el.append(shown, make("span", "label", part));
      el.style.left = centres[a] - sizes[a][0] / 2 + "px";
      el.style.width = centres[b] + sizes[b][0] / 2 - centres[a] + sizes[a][0] / 2 + "px";
      el.style.top = y + "px";
      this.canvas.append(el);
      height = Math.max(height, el.offsetHeight);
    }
    return y + height;
  }

  drawEdges(centres, heights, tops, sizes, width, height) {
    this.canvas.querySelector("svg")?.remove();
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("class", "edges");
    svg.setAttribute("width", width);
    svg.setAttribute("height", height);
    svg.setAttribute("aria-hidden", "true");
    this.edges = [];
    this.tree.ids.forEach((_, at) => {
      const parent = this.parents[at];
      if (parent < 0) return;
      const [x0, x1] = [centres[parent], centres[at]];
      const y0 = tops[heights[parent]] + sizes[parent][1], y1 = tops[heights[at]];
      const bend = y0 + LEVEL / 2, corner = Math.min(CORNER, Math.abs(x1 - x0) / 2), side = Math.sign(x1 - x0);
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("d", corner < 1 ? `M${x0} ${y0}V${y1}`
        : `M${x0} ${y0}V${bend - corner}q0 ${corner} ${side * corner} ${corner}`
          + `H${x1 - side * corner}q${side * corner} 0 ${side * corner} ${corner}V${y1}`);
      this.edges[at] = path;
      svg.append(path);
    });
    this.canvas.prepend(svg);
  }

  /** What a screen reader says at a node. */
  spoken(at) {
    const { chips, labels, left, right } = this.tree;
    const read = ([, pieces]) => typeof pieces === "string" ? quoted(pieces) : pieces.map(([text]) => text).join(" ");
    const from = left[at] < 0 ? "" : `, from ${read(chips[left[at]])} and ${read(chips[right[at]])}`;
    return `${read(chips[at])}, ${labels[at]}${from}`;
  }

  listen() {
    const { scroller } = this;
    scroller.onfocus = () => { if (scroller.matches(":focus-visible")) this.moveTo(this.cursor); };
    scroller.onblur = () => this.light(null);
    scroller.onclick = event => { const el = event.target.closest?.(".node"); if (el) this.pick(el.node); };
    scroller.onmouseover = event => { this.highlight(event.target.closest?.(".node")?.node ?? null); };
    scroller.onmouseleave = () => this.highlight(null);
    scroller.onkeydown = event => {
      const to = {
        ArrowUp: () => this.parents[this.cursor],
        ArrowDown: () => this.tree.left[this.cursor],
        ArrowLeft: () => this.beside(-1),
        ArrowRight: () => this.beside(1),
        Home: () => 0,
      }[event.key];
      if (to) { const at = to(); if (at >= 0) this.moveTo(at); }
      else if (event.key === "Enter" || event.key === " ") this.pick(this.cursor);
      else return;
      event.preventDefault();
    };
  }

  /** The node before or behind, in the order in which a tree is read: the token, its left half, its right half. */
  beside(step) {
    const order = [];
    const pending = [0];
    while (pending.length) {
      const at = pending.pop();
      order.push(at);
      if (this.tree.left[at] >= 0) pending.push(this.tree.right[at], this.tree.left[at]);
    }
    return order[order.indexOf(this.cursor) + step] ?? -1;
  }

  moveTo(at) {
    this.cursor = at;
    this.light(this.nodes[at]);
    this.highlight(at);
    this.nodes[at].scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  light(el) {
    if (el) pointAt(this.scroller, el, this.spoken(el.node));
    else { pointAt(this.scroller, null); this.highlight(null); }
  }

  /** The two edges below a node: what it was merged from. */
  highlight(at) {
    this.edges?.forEach(path => path.removeAttribute("class"));
    if (at === null || this.tree.left[at] < 0) return;
    for (const child of [this.tree.left[at], this.tree.right[at]]) this.edges[child]?.setAttribute("class", "on");
  }

  pick(at) {
    this.cursor = at;
    if (this.head.pick) this.report("picked", [this.rev, at]);
  }
}

export default function (component) {
  const root = component.parentElement;
  if (!trees.has(root)) trees.set(root, new TreeView(root));
  trees.get(root).update(component);
  return () => trees.delete(root);
}
