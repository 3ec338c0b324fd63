// Animation of a merge: the two tokens of a pair move together and take the colour of the new token. It is drawn over
// the tokens of the new step, which do not change.

import { isOnStage, make, unzoomed, zoomOf } from "../../page/elements.ts";
import type { Divided } from "./pieces.ts";

/** New token, and images of the merged tokens. */
interface Pair {
  token: number;
  left: Ghost;
  right: Ghost;
}

interface Ghost {
  el: HTMLElement;
  box: DOMRect;
  colour: string;
}

const LASTS = 380; // milliseconds
const APART = 0.3; // fraction of that time at which they are farthest apart
const GAP = 0.12; // in heights of the type
const SINGLE = 334; // milliseconds of pause before an animated step; quicker steps are not animated
const MOST = 80; // pairs

/**
 * For each fresh token the pair that it was one step before; tokens that were no pair are omitted.
 * @returns the right token follows the left
 */
export function joinedPairs(
  { symbols: old }: Pick<Divided, "symbols">,
  { symbols }: Pick<Divided, "symbols">,
  fresh: number[],
): [token: number, left: number][] {
  const pairs: [number, number][] = [];
  let at = 0;
  for (const token of fresh) {
    while (at < old.length && old[at] < symbols[token]) at++;
    if (old[at] === symbols[token] && old[at + 2] === symbols[token + 1]) pairs.push([token, at]);
  }
  return pairs;
}

/**
 * Whether a step is animated: a single step forward, after a pause.
 * @param waited milliseconds since the previous step
 */
export function isSingleStep(from: number, to: number, waited: number) {
  return to === from + 1 && waited >= SINGLE;
}

export class Joining {
  private readonly flow: HTMLElement;
  private readonly calm: MediaQueryList;
  private readonly layer = make("div", "joining");
  private running: Animation[] = [];
  private readonly stops = () => this.stop();

  constructor(flow: HTMLElement) {
    this.flow = flow;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.layer.setAttribute("aria-hidden", "true");
  }

  /** True on the stage while the flow is visible, unless motion is reduced. */
  get isSeen() {
    return (
      isOnStage() && !this.calm.matches && this.flow.isConnected && getComputedStyle(this.flow).visibility === "visible"
    );
  }

  /** Visible part of the window for tokens. */
  private sight() {
    const root = this.flow.getRootNode();
    const card = root instanceof ShadowRoot ? root.host.closest("[data-stage-card]") : null;
    const boxes = [this.flow, ...(card ? [card] : [])].map((el) => el.getBoundingClientRect());
    return {
      top: Math.max(0, ...boxes.map(({ top }) => top)),
      bottom: Math.min(innerHeight, ...boxes.map(({ bottom }) => bottom)),
    };
  }

  /**
   * Record the look of the visible pairs before they merge.
   * @param elements of the tokens
   */
  look(pairs: [token: number, left: number][], elements: HTMLElement[]): Pair[] {
    const { top, bottom } = this.sight();
    const blocks = new Map<Element | null, boolean>(); // measuring a token in a skipped block would lay the block out
    const found = [];
    for (const [token, at] of pairs) {
      const [left, right] = [elements[at], elements[at + 1]];
      const block = left.closest(".b");
      if (!blocks.has(block)) {
        const box = block?.getBoundingClientRect();
        blocks.set(block, Boolean(box && box.bottom > top && box.top < bottom));
      }
      if (!blocks.get(block)) continue;
      const [l, r] = [left, right].map((el) => el.getClientRects());
      const oneLine = l.length === 1 && r.length === 1 && Math.abs(l[0].top - r[0].top) < 2;
      if (!oneLine || l[0].bottom < top || l[0].top > bottom) continue;
      found.push({ token, left: ghostOf(left, l[0]), right: ghostOf(right, r[0]) });
      if (found.length === MOST) break;
    }
    return found;
  }

  /**
   * Animate the pairs.
   * @param elements of the tokens, including the new ones
   */
  play(pairs: Pair[], elements: HTMLElement[]) {
    this.stop();
    if (!pairs.length) return;
    const { layer, flow } = this;
    layer.style.inset = `${flow.offsetTop}px auto auto ${flow.offsetLeft}px`;
    layer.style.width = flow.offsetWidth + "px";
    layer.style.height = flow.offsetHeight + "px";
    flow.after(layer);
    const zoom = zoomOf(layer);
    const origin = unzoomed(layer.getBoundingClientRect(), zoom);
    const gap = GAP * parseFloat(getComputedStyle(flow).fontSize);
    for (const { token, left, right } of pairs) {
      const el = elements[token];
      const boxes = el.getClientRects();
      if (boxes.length !== 1) continue;
      const box = unzoomed(boxes[0], zoom);
      const colour = getComputedStyle(el).backgroundColor;
      const rtl = left.box.left > right.box.left;
      for (const [ghost, isFirst] of [
        [left, !rtl],
        [right, rtl],
      ] as const) {
        const was = unzoomed(ghost.box, zoom);
        const x = isFirst ? box.left : box.right - was.width;
        ghost.el.style.left = x - origin.left + "px";
        ghost.el.style.top = box.top - origin.top + "px";
        ghost.el.style.width = was.width + "px";
        ghost.el.style.height = box.height + "px";
        ghost.el.style.lineHeight = box.height + "px";
        layer.append(ghost.el);
        this.move(ghost, was.left - x, was.top - box.top, isFirst ? -gap : gap, colour);
      }
      this.running.push(el.animate([{ opacity: 0 }, { opacity: 0, offset: 0.9 }, { opacity: 1 }], LASTS));
    }
    flow.addEventListener("scroll", this.stops, { passive: true });
    addEventListener("scroll", this.stops, { capture: true, passive: true });
    addEventListener("resize", this.stops);
    const [last] = this.running.slice(-1);
    if (last) last.onfinish = this.stops;
    else this.stop();
  }

  private move({ el, colour: own }: Ghost, x: number, y: number, gap: number, colour: string) {
    const frames = [
      { transform: `translate(${x}px, ${y}px)`, backgroundColor: own, easing: "ease-out" },
      { transform: `translate(${x + gap}px, ${y}px)`, backgroundColor: own, offset: APART, easing: "ease-in-out" },
      { transform: "none", backgroundColor: colour },
    ];
    this.running.push(el.animate(frames, { duration: LASTS, fill: "both" }));
  }

  /** Finish all animations at once. */
  stop() {
    for (const each of this.running) each.cancel();
    this.running = [];
    this.layer.remove();
    this.layer.replaceChildren();
    this.flow.removeEventListener("scroll", this.stops);
    removeEventListener("scroll", this.stops, { capture: true });
    removeEventListener("resize", this.stops);
  }

  /** Scroll one of these tokens into view, unless one is already visible. */
  keepInSight(tokens: Iterable<number>, elements: HTMLElement[]) {
    const { top, bottom } = this.sight();
    let first: HTMLElement | null = null;
    for (const token of tokens) {
      first ??= elements[token];
      const block = elements[token].closest(".b")?.getBoundingClientRect();
      if (!block || block.bottom < top || block.top > bottom) continue;
      const box = elements[token].getBoundingClientRect();
      if (box.top >= top && box.bottom <= bottom) return;
    }
    first?.scrollIntoView({ block: "center" });
  }
}

/** Inert copy of a token, hidden from screen readers and the pointer. */
function ghostOf(el: HTMLElement, box: DOMRect): Ghost {
  const colour = getComputedStyle(el).backgroundColor;
  const ghost = make("span", "ghost");
  ghost.append(...[...el.childNodes].map((node) => node.cloneNode(true)));
  ghost.classList.toggle("hex", el.classList.contains("hex"));
  ghost.style.backgroundColor = colour;
  return { el: ghost, box, colour };
}
