// The token, pair or word under the pointer, or with the focus, is lit wherever it is on the page: in prose, tables,
// trees and coloured text. Views mark what they draw with keys, or list their tokens: bridge/view.ts.

import { views, type View } from "../bridge/view.ts";
import { placesOf, type Lit } from "./places.ts";

const KEYED = ".chip1, span.piece, .t.token";
const TOKENS = ".t, span.piece, .token";
const UNITS = ".inline, .pair, .cell.chip"; // their tokens are one thing: a pair, or a word
const ROWS = ".space .row, .node, .edge, .cards tr"; // each has the tokens of one thing
const FIRST_TWO = ".story .chips, .space .row"; // begin with the two tokens of a merge
const BLOCKS = ".b, .chunk, .block"; // parts of a text, which the browser may skip laying out
const RUNS = `${UNITS}, ${FIRST_TWO}, .pieces`;

type Source = "pointer" | "focus";

export class Lights {
  private lit: Lit | null = null;
  private source: Source = "pointer";
  private elements = new Set<Element>();
  private last: EventTarget | null = null;
  private frame = 0;
  private hasFocusMoved = false;
  private readonly observer = new MutationObserver(() => this.later());

  /** @param target of the pointer, or of the focus */
  listen(target: EventTarget | null) {
    const { documentElement } = document;
    const options = { capture: true, passive: true };
    addEventListener("pointermove", (event) => this.moved(event), options);
    addEventListener("pointerdown", (event) => event.pointerType === "touch" && this.tapped(event.composedPath()[0]), options);
    documentElement.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && this.point(null));
    addEventListener("scroll", () => this.lit && this.later(), options);
    for (const name of ["focusin", "focusout", "keydown"]) addEventListener(name, () => this.focusMoves(), options);
    this.point(target);
  }

  /** A page that moves below a resting pointer lights nothing. */
  private moved(event: PointerEvent) {
    if (event.pointerType === "touch" || event.buttons || !(event.movementX || event.movementY)) return;
    const [target] = event.composedPath();
    if (target !== this.last) this.point(target);
  }

  /** A tap elsewhere clears what an earlier tap has lit and focused: the browser may leave the focus there. */
  private tapped(target: EventTarget) {
    this.source = "pointer";
    this.point(target);
  }

  private point(target: EventTarget | null) {
    this.last = target;
    const lit = target instanceof Element ? litBy(target) : null;
    if (lit) this.hasFocusMoved = false; // the pointer has moved since
    if (this.light(lit, "pointer")) this.mark();
  }

  private focusMoves() {
    this.hasFocusMoved = true;
    this.later();
  }

  /** Light the cursor of the list that has the focus, or the token that has it. */
  private focused() {
    let el = document.activeElement;
    while (el?.shadowRoot?.activeElement) el = el.shadowRoot.activeElement;
    const at = el?.querySelector(".cursor, .active") ?? (el?.matches(`${TOKENS}, ${UNITS}`) ? el : null);
    this.light(at && litBy(at), "focus");
  }

  /** Mark in the next frame, once for everything that has happened until then. */
  private later() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      if (this.hasFocusMoved) this.focused();
      this.hasFocusMoved = false;
      this.mark();
    });
  }

  /** Whether anything changes: a source with nothing to light keeps the other source's light. */
  private light(lit: Lit | null, source: Source) {
    if (!lit && source !== this.source) return false;
    this.source = source;
    this.lit = lit; // a view may have appeared since the same was lit
    if (!lit) this.observer.disconnect();
    for (const { root } of lit ? views : []) {
      const drawn = root.querySelector(".tv"); // without the tooltip
      if (drawn) this.observer.observe(drawn, { childList: true, subtree: true });
    }
    return true;
  }

  private mark() {
    const { lit } = this;
    const found = new Set<Element>();
    const isSeen = sight();
    if (lit) for (const view of views) collect(view, lit, isSeen, found);
    for (const el of this.elements) if (!found.has(el)) el.classList.remove("lit");
    for (const el of found) el.classList.add("lit");
    this.elements = found;
  }
}

/** Test for elements in sight, or within a window's height of it: those of a block that is out of sight need no light. */
function sight() {
  const blocks = new Map<Element | null, boolean>(); // by parent
  return (el: Element) => {
    const { parentElement } = el;
    let isSeen = blocks.get(parentElement);
    if (isSeen === undefined) {
      const box = parentElement?.closest(BLOCKS)?.getBoundingClientRect();
      isSeen = !box || (box.bottom > -innerHeight && box.top < 2 * innerHeight);
      blocks.set(parentElement, isSeen);
    }
    return isSeen;
  };
}

/** What an element is about; null for nothing that could be lit. */
function litBy(el: Element): Lit | null {
  if (!(el.getRootNode() instanceof ShadowRoot)) return null;
  const unit = el.closest(UNITS);
  const parts = unit ? keyed(unit) : [];
  if (unit && (parts.length > 1 || (parts.length && unit.matches(".word"))))
    return { kind: unit.matches(".word") ? "word" : "tokens", keys: parts.map(keyIn) };
  const token = el.closest<HTMLElement>(TOKENS);
  if (token) return tokenOf(token);
  const row = el.closest(ROWS);
  if (!row) return null;
  const units = [...row.querySelectorAll(UNITS)];
  const whole = units.find((each) => keyed(each).length > 1 || each.matches(".word")) ?? keyed(row).at(-1);
  return whole ? litBy(whole) : null;
}

function tokenOf(el: HTMLElement): Lit | null {
  if (el.key !== undefined) return { kind: el.matches(".piece") ? "text" : "tokens", keys: [el.key] };
  const of = [...views].find(({ root }) => root.contains(el))?.segmentations()[el.row ?? 0];
  const key = of && el.token !== undefined ? of.tokens.keys()[el.token] : "";
  return key ? { kind: "tokens", keys: [key] } : null;
}

/** Collect the elements of a view that are lit and in sight. */
function collect(view: View<unknown>, lit: Lit, isSeen: (el: Element) => boolean, found: Set<Element>) {
  for (const { tokens, elements } of view.segmentations()) {
    const keys = tokens.keys();
    let places = placesOf(keys, lit, tokens.gaps);
    if (!places.length && lit.keys.length > 1) places = placesOf(keys, mergedOf(lit)); // a pair that was merged
    for (const [first, end] of places)
      for (let at = first; at < end; at++) for (const el of elements(at)) if (isSeen(el)) found.add(el);
  }
  const { keyed: holder } = view;
  if (!holder) return;
  if (lit.keys.length === 1)
    for (const el of keyed(holder)) if (el.key === lit.keys[0] && !(lit.kind === "word" && el.closest(UNITS))) found.add(el);
  if (lit.keys.length === 1 && lit.kind === "tokens") return;
  for (const run of holder.querySelectorAll(RUNS)) {
    const parts = keyed(run);
    const isFirst = run.matches(FIRST_TWO);
    for (const [first, end] of placesOf(parts.map(keyIn), lit))
      if (!isFirst || !first) for (const el of parts.slice(first, end)) found.add(el);
  }
}

function mergedOf({ keys }: Lit): Lit {
  return { kind: "tokens", keys: [keys.join("")] };
}

function keyed(el: ParentNode) {
  return [...el.querySelectorAll<HTMLElement>(KEYED)].filter(({ key }) => key);
}

function keyIn({ key = "" }: HTMLElement) {
  return key;
}
