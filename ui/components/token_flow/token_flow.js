// @ts-check
// The flow: tokens one after the other, as coloured spans; a split character above its pieces in hex.

import { mountedActions } from "../actions.js";
import { clamp } from "../numbers.js";
import { closest, find, make, pointAt } from "../page.js";
import { drawn } from "../relayed.js";
import { Tooltip, appendText, firstBox, showCaptions } from "../tokens/drawing.js";
import { NOTHING } from "../tokens/marks.js";
import { readPayload } from "../tokens/payload.js";
import { NO_TOKENS, Tokens, colour } from "../tokens/spans.js";
import { inNextLine, isRtlLine, mayBeRtl, restOf } from "./lines.js";

/** @typedef {import("../actions.js").Actions} Actions */

/**
 * @typedef {CaptionsHead & { rev: string, name: string, tells: boolean, label: string, height: number | null,
 *   fresh: number[], marked: number[], command: [number: number, at: number | null] }} FlowHead
 */

const FIRST_SLICE = 1500; // tokens built before the first paint; each later slice is twice as large
const BLOCK = 100; // tokens in a block that the browser may skip laying out
/** @type {WeakMap<HTMLElement, Flow>} */
const views = new WeakMap();

/** One mounted flow: its tokens, their elements, and what is selected. */
class Flow {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.flow = find(root, ".flow", HTMLElement);
    this.more = find(root, ".more", HTMLElement);
    this.tip = new Tooltip(find(root, ".tip", HTMLElement));
    /** @type {Actions | null} */
    this.actions = null;
    /** @type {string | null} */
    this.rev = null;
    this.tokens = NO_TOKENS;
    this.command = 0;
    this.tells = false; // Python of a selection
    this.decoration = "";
    /** @type {Set<number>} */
    this.fresh = new Set();
    /** @type {Set<number>} */
    this.marked = new Set();
    this.fixed = false;
    this.mixed = false;
    this.frame = 0;
    this.cursor = 0;
    /** @type {number | null} */
    this.selected = null;
    // ---- while it is built
    this.built = 0;
    this.inBlock = 0;
    this.lineStart = true;
    /** @type {HTMLElement | null} */
    this.block = null;
    this.line = this.flow;
    /** @type {{ pieces: HTMLElement, next: number } | null} */
    this.group = null;
    /** @type {HTMLElement[]} */
    this.elements = [];
    /** @type {Map<number, HTMLElement[]>} */
    this.moreFragments = new Map();
    this.listen();
  }

  /** @param {Mount} component */
  update(component) {
    const { data } = component;
    /** @type {{ head: FlowHead, body: TokensBody | null }} */
    const { head, body } = readPayload(data, this.rev);
    this.actions = mountedActions(head.name, component);
    showCaptions(this.root, head);
    this.flow.setAttribute("aria-label", head.label);
    this.fixed = Boolean(head.height);
    this.tells = head.tells;
    this.flow.style.height = head.height ? head.height + "px" : "";
    const decoration = JSON.stringify([head.fresh, head.marked]);
    const redecorate = decoration !== this.decoration;
    this.decoration = decoration;
    this.fresh = new Set(head.fresh);
    this.marked = new Set(head.marked);
    if (body) this.build(head.rev, new Tokens(body));
    else if (redecorate) this.redecorate();
    if (body || head.command[0] !== this.command) {
      this.command = head.command[0];
      this.select(head.command[1], { scroll: true });
    }
  }

  // ---- building -----------------------------------------------------------------------------------------

  /**
   * @param {string} rev
   * @param {Tokens} tokens
   */
  build(rev, tokens) {
    cancelAnimationFrame(this.frame);
    this.tip.hide();
    if (!this.fixed) this.flow.style.minHeight = this.flow.offsetHeight + "px"; // no jump while the new spans come in
    this.rev = rev;
    this.tokens = tokens;
    this.built = 0;
    this.cursor = 0;
    this.selected = null;
    this.block = null;
    this.group = null;
    this.elements = new Array(tokens.length);
    this.moreFragments = new Map();
    this.mixed = mayBeRtl(tokens);
    this.flow.replaceChildren();
    this.flow.removeAttribute("aria-activedescendant");
    this.more.textContent = restOf(tokens);
    this.slice(FIRST_SLICE);
  }

  /** @param {number} count */
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
    this.flow.dataset.rev = this.rev ?? ""; // tells a test that all is built
  }

  /** @param {DocumentFragment} fragment */
  openBlock(fragment) {
    this.line = this.block = make("div", "b");
    this.inBlock = 0;
    this.lineStart = true;
    this.group = null;
    fragment.append(this.block);
  }

  /** @param {number} at */
  addToken(at) {
    const head = this.tokens.head(at);
    const tail = this.tokens.tail(at);
    const text = this.tokens.texts[at];
    const label = this.tokens.labels[at];
    if (this.lineStart && this.mixed) this.openLine(at);
    this.addGap(at);
    if (head) this.addPart(at, head);
    if (label !== undefined) this.addLabel(at, label, text);
    else if (text || !(head || tail)) this.addText(at, text);
    if (tail) this.addPart(at, tail);
    this.inBlock++;
    const endsLine = text.endsWith("\n") && !tail;
    if (endsLine) this.lineStart = true;
    if ((endsLine && this.inBlock >= BLOCK) || this.inBlock >= 32 * BLOCK) this.block = null;
  }

  /**
   * A line that runs from right to left is a block of its own in that direction.
   * @param {number} at
   */
  openLine(at) {
    this.lineStart = false;
    if (!this.block) return;
    this.line = this.block;
    if (!isRtlLine(this.tokens, at)) return;
    this.line = make("div");
    this.line.dir = "rtl";
    this.block.append(this.line);
  }

  /**
   * @param {number} at
   * @param {string} text
   */
  addText(at, text) {
    this.group = null;
    if (text.startsWith(" ")) this.line.append(make("wbr")); // before the span, or a sliver of it stays on the line before
    const el = this.span(at, "t");
    appendText(el, text || NOTHING, true);
    this.line.append(el);
    if (text.endsWith("\n")) this.line.append("\n"); // outside, or the next line would begin with a sliver
  }

  /**
   * A token that is not shown by its text: a chip, with the text that it covers above.
   * @param {number} at
   * @param {string} label
   * @param {string} text
   */
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

  /**
   * Part of a character: hex under the character, beside the pieces that the tokens before have of it.
   * @param {number} at
   * @param {CharacterPart} part
   */
  addPart(at, [char, first, last, , hex]) {
    if (!this.group || this.group.next !== first || first === 1) {
      const box = make("span", "g");
      const above = make("span", "above");
      appendText(above, char);
      const pieces = make("span", "pieces");
      box.append(above, pieces);
      this.line.append(box);
      this.group = { pieces, next: first };
    }
    const el = this.span(at, "t hex");
    el.textContent = hex;
    this.group.pieces.append(el);
    this.group.next = last + 1;
  }

  /** @param {number} at */
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

  /**
   * An element of a token. A token with parts has several; only the first is an option for screen readers.
   * @param {number} at
   * @param {string} className
   */
  span(at, className) {
    const el = make("span", `${className} c${colour(this.tokens.ids[at])}`);
    el.token = at;
    if (this.tokens.special.has(at)) el.classList.add("special");
    if (this.elements[at]) {
      const fragments = this.moreFragments.get(at) ?? [];
      fragments.push(el);
      this.moreFragments.set(at, fragments);
      el.setAttribute("aria-hidden", "true");
    } else {
      this.elements[at] = el;
      el.setAttribute("role", "option");
      el.setAttribute("aria-selected", "false");
    }
    this.decorate(el, at);
    return el;
  }

  /** @param {number} at */
  fragments(at) {
    const el = this.elements[at];
    return el ? [el, ...(this.moreFragments.get(at) ?? [])] : [];
  }

  /**
   * @param {HTMLElement} el
   * @param {number} at
   */
  decorate(el, at) {
    if (this.fresh.has(at)) el.classList.add("fresh");
    if (this.marked.has(at)) el.classList.add("marked");
  }

  redecorate() {
    for (const el of this.flow.querySelectorAll(".fresh, .marked")) el.classList.remove("fresh", "marked");
    for (const at of [...this.fresh, ...this.marked]) this.fragments(at).forEach((el) => this.decorate(el, at));
  }

  // ---- pointing, moving, selecting ----------------------------------------------------------------------

  listen() {
    const { flow } = this;
    flow.onmouseover = (event) => {
      const el = closest(event, ".t");
      if (el?.token !== undefined) this.tip.show(firstBox(el), this.tokens, el.token);
      else this.tip.hide();
    };
    flow.onmouseleave = () => this.tip.hide();
    flow.onscroll = () => this.tip.hide();
    flow.onfocus = () => {
      if (flow.matches(":focus-visible")) this.moveTo(this.cursor);
    };
    flow.onblur = () => {
      this.tip.hide();
      pointAt(this.flow, null);
    };
    flow.onclick = (event) => {
      const el = closest(event, ".t");
      if (el?.token !== undefined) this.pick(el.token);
    };
    flow.onkeydown = (event) => this.key(event);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = this.target(event.key);
    if (target !== null) this.moveTo(target);
    else if (event.key === "Enter" || event.key === " ") this.pick(this.cursor);
    else if (event.key === "Escape") {
      if (this.tip.open) this.tip.hide();
      else if (this.selected !== null) this.pick(this.selected);
    } else return;
    event.preventDefault();
  }

  /**
   * Where a key leads; null for one that leads nowhere.
   * @param {string} key
   */
  target(key) {
    switch (key) {
      case "ArrowRight":
        return this.cursor + 1;
      case "ArrowLeft":
        return this.cursor - 1;
      case "ArrowDown":
        return this.lineNeighbour(1);
      case "ArrowUp":
        return this.lineNeighbour(-1);
      case "Home":
        return 0;
      case "End":
        return this.tokens.length - 1;
      default:
        return null;
    }
  }

  /** @param {number} step */
  lineNeighbour(step) {
    if (!this.built) return 0;
    return inNextLine((at) => this.elements[at].getBoundingClientRect(), this.built, this.cursor, step);
  }

  /** @param {number} target */
  moveTo(target) {
    const at = clamp(target, 0, this.built - 1);
    const el = this.elements[at];
    if (!el) return;
    this.cursor = at;
    pointAt(this.flow, el, this.tokens.spoken(at));
    el.scrollIntoView({ block: "nearest" });
    this.tip.show(firstBox(el), this.tokens, at);
  }

  /**
   * A click on the selected token takes the selection back. Tells Python, if it wants to know: one rerun.
   * @param {number} at
   */
  pick(at) {
    this.cursor = at;
    this.select(at === this.selected ? null : at);
    if (!this.tells) return;
    const token = this.selected === null ? null : this.tokens.first + at;
    this.actions?.act("selected", [this.rev, this.command, token], { replaces: true });
  }

  /**
   * @param {number | null} at
   * @param {{ scroll?: boolean }} [options]
   */
  select(at, { scroll = false } = {}) {
    const mark = (/** @type {number} */ index, /** @type {boolean} */ on) =>
      this.fragments(index).forEach((el) => {
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

/** @param {Mount} component */
export default function (component) {
  const root = component.parentElement;
  const view = views.get(root) ?? new Flow(root);
  views.set(root, view);
  const end = drawn(component, (given) => view.update(given));
  return () => {
    end();
    view.actions?.left(root);
    views.delete(root);
    cancelAnimationFrame(view.frame);
  };
}
