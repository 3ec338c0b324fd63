// A word's lattice: nodes between the characters on a line, pieces of one character on the line, longer ones above it.

const LEAST = 52;     // pixels between two nodes
const MOST = 150;
const LANE = 38;      // pixels between two lanes
const FIRST = 50;     // pixels between the line and the first lane: the scores of single characters stand there
const PAD = 18;
const CORNER = 8;
const CHIP = 24;      // the height of a chip
const views = new WeakMap();
const SVG = "http://www.w3.org/2000/svg";

function draw(name, attributes, text) {
  const el = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) el.setAttribute(key, value);
  if (text !== undefined) el.textContent = text;
  return el;
}

const shownScore = value => value.toFixed(2);

class LatticeView {
  constructor(root) {
    this.scroller = root.querySelector(".scroll");
    this.rev = null;
    this.listen();
  }

  update({ data }) {
    const { head, body } = readPayload(data, this.rev);
    this.scroller.setAttribute("aria-label", head.label);
    this.scroller.style.maxHeight = head.height ? head.height + "px" : "";
    if (!body) return;
    this.rev = head.rev;
    this.lattice = body;
    this.cursor = 0;
    this.build();
  }

  build() {
    const { edges, chips, lanes } = this.lattice;
    this.canvas = make("div", "canvas");
    this.canvas.setAttribute("role", "presentation");
    this.labels = edges.map(([, , score, , best, chosen], at) => {
      const label = make("div", "edge" + (lanes[at] ? "" : " single") + (chosen ? " chosen" : best ? " best" : ""));
      label.setAttribute("role", "option");
      label.setAttribute("aria-selected", String(Boolean(chosen)));
      label.setAttribute("aria-label", this.spoken(at));
      label.title = this.spoken(at);
      const chip = makeChip(chips[at]);
      chip.removeAttribute("title");
      label.append(chip, make("span", "score", shownScore(score)));
      return label;
    });
    this.canvas.append(...this.labels);
    this.scroller.replaceChildren(this.canvas);
    this.layOut();
    document.fonts?.ready.then(() => { if (this.canvas.isConnected) this.layOut(); });
  }

  layOut() {
    const { length, edges, lanes } = this.lattice;
    const sizes = this.labels.map(el => [el.offsetWidth, el.offsetHeight]);
    if (edges.length && !sizes[0][0]) {   // not laid out yet: a tab or an expander is still closed
      requestAnimationFrame(() => this.canvas.isConnected && this.labels[0].offsetWidth && this.layOut());
      return;
    }
    const slot = Math.min(MOST, edges.reduce((most, [start, end], at) =>
      Math.max(most, (sizes[at][0] + (lanes[at] ? 32 : 14)) / (end - start)), LEAST));
    const height = lane => lane ? FIRST + (lane - 1) * LANE : 0;
    const base = height(Math.max(0, ...lanes)) + 34, x = node => PAD + node * slot;
    const width = 2 * PAD + length * slot;
    edges.forEach(([start, end], at) => {
      const [w, h] = sizes[at];
      this.labels[at].style.left = (x(start) + x(end) - w) / 2 + "px";
      this.labels[at].style.top = lanes[at] ? base - height(lanes[at]) - h / 2 + "px" : base - h + CHIP / 2 + "px";
    });
    this.canvas.style.width = width + "px";
    this.canvas.style.height = base + 42 + "px";
    this.drawLines(x, base, lane => base - height(lane), width);
  }

  drawLines(x, base, top, width) {
    const { edges, lanes, totals } = this.lattice;
    this.canvas.querySelector("svg")?.remove();
    const svg = draw("svg", { class: "lines", width, height: base + 42, "aria-hidden": "true" });
    const order = [...edges.keys()].sort((a, b) => weight(edges[a]) - weight(edges[b]));
    for (const at of order) {
      const [start, end, , , best, chosen] = edges[at];
      const y = top(lanes[at]);
      const d = lanes[at] === 0 ? `M${x(start)} ${base}H${x(end)}`
        : `M${x(start)} ${base}V${y + CORNER}q0 ${-CORNER} ${CORNER} ${-CORNER}H${x(end) - CORNER}q${CORNER} 0 ${CORNER} ${CORNER}V${base}`;
      svg.append(draw("path", { d, class: chosen ? "chosen" : best ? "best" : "" }));
    }
    const passed = new Set([0, ...edges.filter(edge => edge[5]).map(edge => edge[1])]);
    totals.forEach((total, node) => {
      const on = passed.has(node) && passed.size > 1;
      svg.append(draw("circle", { cx: x(node), cy: base, r: 6.5, class: total === null ? "lost" : on ? "chosen" : "" }));
      if (total !== null) svg.append(draw("text", { x: x(node), y: base + 30, class: on ? "chosen" : "" }, shownScore(total)));
    });
    this.canvas.prepend(svg);
  }

  spoken(at) {
    const [start, end, score, total, best, chosen] = this.lattice.edges[at];
    const pieces = this.lattice.chips[at][1];
    const piece = typeof pieces === "string" ? quoted(pieces) : pieces.map(([text]) => text).join(" ");
    const place = end - start === 1 ? `character ${end}` : `characters ${start + 1} to ${end}`;
    const fate = chosen ? "on the best way" : best ? "the best way to its end, but not on the best way of the word"
      : "not the best way to its end";
    return `${piece}, ${place}, score ${shownScore(score)}, ${shownScore(total)} up to its end, ${fate}`;
  }

  listen() {
    const { scroller } = this;
    scroller.onfocus = () => { if (scroller.matches(":focus-visible")) this.moveTo(this.cursor); };
    scroller.onblur = () => pointAt(scroller, null);
    scroller.onkeydown = event => {
      const to = { ArrowRight: this.cursor + 1, ArrowDown: this.cursor + 1, ArrowLeft: this.cursor - 1,
        ArrowUp: this.cursor - 1, Home: 0, End: this.labels.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      this.moveTo(to);
    };
  }

  moveTo(at) {
    this.cursor = Math.max(0, Math.min(at, this.labels.length - 1));
    const label = this.labels[this.cursor];
    if (!label) return;
    pointAt(this.scroller, label, this.spoken(this.cursor));
    label.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

/** The best way is drawn last, over the others. */
function weight([, , , , best, chosen]) { return 2 * chosen + best; }

export default function (component) {
  const root = component.parentElement;
  if (!views.has(root)) views.set(root, new LatticeView(root));
  views.get(root).update(component);
  return () => views.delete(root);
}
