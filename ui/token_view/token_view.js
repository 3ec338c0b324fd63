// The flow: tokens one after the other, as coloured spans; a split character above its pieces in hex.

const FIRST_SLICE = 1500;   // tokens built before the first paint; each later slice is twice as large
const BLOCK = 100;          // tokens in a block that the browser may skip laying out
const views = new WeakMap();

/** One mounted flow: its tokens, their elements, and what is selected. */
class Flow {
  constructor(root) {
    this.root = root;
    this.flow = root.querySelector(".flow");
    this.more = root.querySelector(".more");
    this.tip = new Tooltip(root.querySelector(".tip"));
    this.rev = null;
    this.frame = 0;
    this.listen();
  }

  update({ data, setStateValue }) {
    this.report = setStateValue;
    const { head, body } = readPayload(data, this.rev);
    showWords(this.root, head);
    this.flow.setAttribute("aria-label", head.label);
    this.fixed = Boolean(head.height);
    this.flow.style.height = head.height ? head.height + "px" : "";
    const rebuild = body !== null;
    const decoration = JSON.stringify([head.fresh, head.marked]);
    const redecorate = decoration !== this.decoration;
    this.decoration = decoration;
    this.fresh = new Set(head.fresh);
    this.marked = new Set(head.marked);
    if (rebuild) this.build(head.rev, new Tokens(body));
    else if (redecorate) this.redecorate();
    if (rebuild || head.command[0] !== this.command) {
      this.command = head.command[0];
      this.select(head.command[1], { scroll: true });
    }
  }

  // ---- building -----------------------------------------------------------------------------------------

  build(rev, tokens) {
    cancelAnimationFrame(this.frame);
    this.tip.hide();
    if (!this.fixed) this.flow.style.minHeight = this.flow.offsetHeight + "px";   // no jump while the new spans come in
    Object.assign(this, { rev, tokens, built: 0, cursor: 0, selected: null, block: null, group: null });
    this.elements = new Array(tokens.length);
    this.more_fragments = new Map();
    this.mixed = tokens.texts.some(text => RTL.test(text)) || tokens.parts.some(([char]) => RTL.test(char));
    this.flow.replaceChildren();
    this.flow.removeAttribute("aria-activedescendant");
    this.more.textContent = !tokens.total ? "No tokens." : tokens.total > tokens.first + tokens.length
      ? `\u2026 and ${(tokens.total - tokens.first - tokens.length).toLocaleString("en")} more tokens` : "";
    this.slice(FIRST_SLICE);
  }

  slice(count) {
    const stop = Math.min(this.tokens.length, this.built + count);
    const fragment = document.createDocumentFragment();
    while (this.built < stop) {
      if (!this.block) this.openBlock(fragment);
      this.addToken(this.built++);
    }
    if (this.built === this.tokens.length && this.tokens.gaps[this.built] !== undefined) {
      if (!this.block) this.openBlock(fragment);
      this.addGap(this.built);
    }
    this.flow.append(fragment);
    if (this.built < this.tokens.length) this.frame = requestAnimationFrame(() => this.slice(2 * count));
    else this.finish();
  }

  finish() {
    this.flow.style.minHeight = "";
    this.flow.dataset.rev = this.rev;   // tells a test that all is built
  }

  openBlock(fragment) {
    this.block = make("div", "b");
    this.line = this.block;
    this.inBlock = 0;
    this.lineStart = true;
    this.group = null;
    fragment.append(this.block);
  }

  addToken(at) {
    const { texts, labels } = this.tokens;
    const head = this.tokens.head(at), tail = this.tokens.tail(at);
    if (this.lineStart && this.mixed) this.openLine(at);
    this.addGap(at);
    const text = texts[at];
    const label = labels[at];
    if (head) this.addPart(at, head);
    if (label !== undefined) this.addLabel(at, label, text);
    else if (text || !(head || tail)) this.addText(at, text);
    if (tail) this.addPart(at, tail);
    this.inBlock++;
    const endsLine = text.endsWith("\n") && !tail;
    if (endsLine) this.lineStart = true;
    if ((endsLine && this.inBlock >= BLOCK) || this.inBlock >= 32 * BLOCK) this.block = null;
  }

  /** A line whose first letter runs from right to left is a block of its own in that direction. */
  openLine(at) {
    this.lineStart = false;
    this.line = this.block;
    for (let i = at; i < this.tokens.length && i < at + 200; i++) {
      const text = this.tokens.reading(i);
      if (STRONG.test(text)) {
        if (!RTL.test(text.match(STRONG)[0])) return;
        this.line = make("div");
        this.line.dir = "rtl";
        this.block.append(this.line);
        return;
      }
      if (text.includes("\n")) return;
    }
  }

  addText(at, text) {
    this.group = null;
    if (text.startsWith(" ")) this.line.append(make("wbr"));   // before the span, or a sliver of it stays behind
    const el = this.span(at, "t");
    appendText(el, text || "\u2205", true);
    this.line.append(el);
    if (text.endsWith("\n")) this.line.append("\n");   // outside, or the next line would begin with a sliver
  }

  /** A token that is not shown by its text: a chip, with the text it stands for above. */
  addLabel(at, label, text) {
    this.group = null;
    const chip = this.span(at, "t chip");
    chip.append(label);
    if (text && text !== label) {
      const group = make("span", "g");
      const above = make("span", "above");
      appendText(above, text);
      group.append(above, chip);
      this.line.append(group);
    } else this.line.append(chip);
    if (text.endsWith("\n")) this.line.append("\n");
  }

  /** Part of a character: hex under the character, beside the pieces that the tokens before have of it. */
  addPart(at, [char, first, last, , hex]) {
    if (!this.group || this.group.next !== first || first === 1) {
      const box = make("span", "g");
      const above = make("span", "above");
      appendText(above, char);
      const pieces = make("span", "pieces");
      box.append(above, pieces);
      this.line.append(box);
      this.group = { pieces };
    }
    const el = this.span(at, "t hex");
    el.textContent = hex;
    this.group.pieces.append(el);
    this.group.next = last + 1;
  }

  addGap(at) {
    const gap = this.tokens.gaps[at];
    if (gap === undefined) return;
    this.group = null;
    if (gap.startsWith(" ")) this.line.append(make("wbr"));
    const el = make("span", "gap");
    appendText(el, gap, true);
    this.line.append(el);
    if (gap.endsWith("\n")) this.line.append("\n");
  }

  /** An element of a token. A token with parts has several; only the first is an option for screen readers. */
  span(at, className) {
    const el = make("span", `${className} c${colour(this.tokens.ids[at])}`);
    el.token = at;
    if (this.tokens.special.length && this.specials.has(at)) el.classList.add("special");
    if (this.elements[at]) {
      if (!this.more_fragments.has(at)) this.more_fragments.set(at, []);
      this.more_fragments.get(at).push(el);
      el.setAttribute("aria-hidden", "true");
    } else {
      this.elements[at] = el;
      el.setAttribute("role", "option");
      el.setAttribute("aria-selected", "false");
    }
    this.decorate(el, at);
    return el;
  }

  get specials() { return (this.tokens.specialSet ??= new Set(this.tokens.special)); }

  fragments(at) {
    const el = this.elements[at];
    return el ? [el, ...(this.more_fragments.get(at) ?? [])] : [];
  }

  decorate(el, at) {
    if (this.fresh.has(at)) el.classList.add("fresh");
    if (this.marked.has(at)) el.classList.add("marked");
  }

  redecorate() {
    for (const el of this.flow.querySelectorAll(".fresh, .marked")) el.classList.remove("fresh", "marked");
    for (const at of [...this.fresh, ...this.marked]) this.fragments(at).forEach(el => this.decorate(el, at));
  }

  // ---- pointing, moving, selecting ----------------------------------------------------------------------

  listen() {
    const { flow } = this;
    const tokenOf = event => event.target.closest?.(".t");
    flow.onmouseover = event => {
      const el = tokenOf(event);
      if (el) this.tip.show(el, this.tokens, el.token); else this.tip.hide();
    };
    flow.onmouseleave = () => this.tip.hide();
    flow.onscroll = () => this.tip.hide();
    flow.onfocus = () => { if (flow.matches(":focus-visible")) this.moveTo(this.cursor); };
    flow.onblur = () => { this.tip.hide(); pointAt(this.flow, null); };
    flow.onclick = event => { const el = tokenOf(event); if (el) this.pick(el.token); };
    flow.onkeydown = event => this.key(event);
  }

  key(event) {
    const target = {
      ArrowRight: () => this.cursor + 1,
      ArrowLeft: () => this.cursor - 1,
      ArrowDown: () => this.lineNeighbour(1),
      ArrowUp: () => this.lineNeighbour(-1),
      Home: () => 0,
      End: () => this.tokens.length - 1,
    }[event.key];
    if (target) this.moveTo(target());
    else if (event.key === "Enter" || event.key === " ") this.pick(this.cursor);
    else if (event.key === "Escape") {
      if (this.tip.open) this.tip.hide(); else if (this.selected !== null) this.pick(this.selected);
    } else return;
    event.preventDefault();
  }

  moveTo(at) {
    at = Math.max(0, Math.min(this.built - 1, at));
    const el = this.elements[at];
    if (!el) return;
    this.cursor = at;
    pointAt(this.flow, el, this.tokens.spoken(at));
    el.scrollIntoView({ block: "nearest" });
    this.tip.show(el, this.tokens, at);
  }

  /** The token nearest below (1) or above (-1) in the next line of the page. */
  lineNeighbour(step) {
    const box = at => this.elements[at].getBoundingClientRect();
    const from = box(this.cursor), x = from.left;
    let best = null, lineTop = null;
    for (let at = this.cursor + step; at >= 0 && at < this.built; at += step) {
      const here = box(at);
      if (lineTop === null ? Math.abs(here.top - from.top) < from.height * 0.7
        : false) continue;
      lineTop ??= here.top;
      if (Math.abs(here.top - lineTop) > from.height * 0.7) break;
      const distance = Math.abs(here.left - x);
      if (best === null || distance < best.distance) best = { at, distance };
    }
    return best ? best.at : step > 0 ? this.built - 1 : 0;
  }

  /** A click on the selected token takes the selection back. Tells Python: one rerun. */
  pick(at) {
    this.cursor = at;
    this.select(at === this.selected ? null : at);
    this.report("selected", [this.rev, this.command, this.selected === null ? null : this.tokens.first + at]);
  }

  select(at, { scroll = false } = {}) {
    const mark = (index, on) => this.fragments(index).forEach(el => {
      el.classList.toggle("selected", on);
      el.setAttribute("aria-selected", String(on));
    });
    if (this.selected !== null) mark(this.selected, false);
    this.selected = at;
    if (at === null) return;
    this.cursor = at;
    mark(at, true);
    if (scroll) this.elements[at]?.scrollIntoView({ block: "nearest" });
  }
}

export default function (component) {
  const root = component.parentElement;
  if (!views.has(root)) views.set(root, new Flow(root));
  views.get(root).update(component);
  return () => { const view = views.get(root); views.delete(root); cancelAnimationFrame(view?.frame); };
}
