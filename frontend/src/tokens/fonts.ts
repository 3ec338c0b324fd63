// Detection of characters without a font on this machine: the browser draws the same box for each. Detection runs once
// per character and tab, after a view is painted, while the browser is idle. Such characters are then shown by code
// point, with a notice below the view.

import { make, setText } from "../page/elements.ts";
import { CIRCLE, shownPieces } from "./marks.ts";
import { needsFont, noticeOf } from "./scripts.ts";

const GLYPHS_AT_ONCE = 50; // characters checked before yielding to the browser
const GLYPH = 24; // pixels of a glyph
const GLYPH_WIDTH = 3 * GLYPH; // of the drawing
const NO_FONT_HAS = "\u{8fffd}"; // unassigned
const FONTLESS = "m name fontless";

export interface Fonts {
  /** Whether a font has a character. */
  known: Map<string, boolean>;
  fontless: Set<string>;
  /** Elements with characters to check, and the callbacks that redraw them. */
  waiting: Map<Element, { chars: string[]; again: Again }>;
  /** Views whose notice needs an update. */
  views: Set<Element>;
  asked: boolean;
  boxes: Map<string, Uint32Array[]>;
}

type Again = (el: Element) => void;

export const fonts: Fonts = {
  known: new Map(),
  fontless: new Set(),
  waiting: new Map(),
  views: new Set(),
  asked: false,
  boxes: new Map(),
};

/** Characters that are known to have no font. */
export function fontless() {
  return fonts.fontless;
}

/** Queue the text of an element for detection; `again` is called if a character turns out to have no font. */
export function drawsText(el: Element, text: string, again: Again = markFontless) {
  let unknown: Set<string> | null = null;
  for (const char of text) {
    const has = fonts.known.get(char);
    if (has) continue;
    if (has === false) fonts.views.add(el);
    else if (needsFont(char)) (unknown ??= new Set()).add(char);
    else fonts.known.set(char, true);
  }
  if (unknown) fonts.waiting.set(el, { chars: [...(fonts.waiting.get(el)?.chars ?? []), ...unknown], again });
  if (!fonts.asked && (unknown || fonts.views.size)) askForTime();
}

function askForTime() {
  fonts.asked = true;
  const look = () => {
    fonts.asked = false;
    lookAtGlyphs();
  };
  // after a frame that shows the text; Safari has no requestIdleCallback
  requestAnimationFrame(() =>
    "requestIdleCallback" in window ? requestIdleCallback(look, { timeout: 1_000 }) : setTimeout(look, 50),
  );
}

function lookAtGlyphs() {
  let left = GLYPHS_AT_ONCE;
  for (const [el, { chars, again }] of fonts.waiting) {
    if (!left) break;
    const unknown = chars.filter((char) => !fonts.known.has(char));
    for (const char of unknown.slice(0, left)) {
      const has = hasFont(char, getComputedStyle(el).fontFamily);
      fonts.known.set(char, has);
      if (!has) fonts.fontless.add(char);
    }
    left -= Math.min(left, unknown.length);
    if (chars.some((char) => !fonts.known.has(char))) break;
    fonts.waiting.delete(el);
    if (!el.isConnected || !chars.some((char) => fonts.fontless.has(char))) continue;
    again(el);
    fonts.views.add(el);
  }
  const views = new Set([...fonts.views].map((el) => el.closest(".tv")));
  fonts.views.clear();
  for (const view of views) if (view instanceof HTMLElement) tellFontless(view);
  if (fonts.waiting.size && !fonts.asked) askForTime();
}

/** Whether a character is drawn as something other than the box for missing characters. */
function hasFont(char: string, family: string) {
  const draw = glyphDrawing(family || "monospace");
  const boxes = fonts.boxes.get(family) ?? [draw(NO_FONT_HAS), draw(CIRCLE + NO_FONT_HAS)];
  fonts.boxes.set(family, boxes);
  const drawn = draw(char);
  return !boxes.some((box) => drawn.every((pixel, at) => pixel === box[at]));
}

let glyphCanvas: CanvasRenderingContext2D | null = null;

/** @returns pixels of a text */
function glyphDrawing(family: string): (text: string) => Uint32Array {
  if (!glyphCanvas) {
    const el = make("canvas");
    [el.width, el.height] = [GLYPH_WIDTH, 2 * GLYPH];
    glyphCanvas = el.getContext("2d", { willReadFrequently: true });
  }
  const context = glyphCanvas;
  if (!context) return (text) => Uint32Array.of(text.codePointAt(0) ?? 0); // without a canvas, no character is a box
  return (text) => {
    context.clearRect(0, 0, GLYPH_WIDTH, 2 * GLYPH);
    context.font = `${GLYPH}px ${family}`;
    context.textBaseline = "middle";
    context.fillText(text, GLYPH / 2, GLYPH);
    return new Uint32Array(context.getImageData(0, 0, GLYPH_WIDTH, 2 * GLYPH).data.buffer);
  };
}

/** Replace the boxes in an element by code points. */
function markFontless(el: Element) {
  const walker = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode as Text);
  for (const node of nodes) {
    if (node.parentElement?.closest(".fontless")) continue;
    const pieces = shownPieces(node.data, fontless());
    if (!pieces.some(({ mark }) => mark === FONTLESS)) continue;
    const before = node.previousElementSibling;
    if (pieces[0].mark === FONTLESS && before?.matches(".circle")) before.remove(); // the code point needs no base
    node.replaceWith(
      ...pieces.map(({ from, to, text, mark }) =>
        mark === FONTLESS ? make("u", mark, text) : node.data.slice(from, to),
      ),
    );
  }
}

const fontObservers = new WeakMap<HTMLElement, MutationObserver>();

/** Update the notice below a view about characters shown by code point. */
function tellFontless(view: HTMLElement) {
  const shown = [...view.querySelectorAll(".fontless")].map((el) => el.textContent ?? "");
  const chars = [...new Set(shown)].map((name) => String.fromCodePoint(parseInt(name.slice(2), 16)));
  const notice = noticeOf(chars);
  const old = view.querySelector(":scope > .fonts");
  if (!notice) {
    old?.remove();
    fontObservers.get(view)?.disconnect();
    fontObservers.delete(view);
    return;
  }
  const line = old ?? view.appendChild(make("p", "fonts"));
  line.setAttribute("role", "status");
  setText(line, notice);
  if (fontObservers.has(view)) return;
  const observer = new MutationObserver((changes) => {
    if (!changes.some(({ target }) => target !== line && !line.contains(target))) return;
    fonts.views.add(view);
    if (!fonts.asked) askForTime();
  });
  observer.observe(view, { childList: true, subtree: true });
  fontObservers.set(view, observer);
}
