// Shows the definition of a term beside it, until the pointer or the focus leaves it, or Escape is pressed. A term may
// be redrawn meanwhile: the browser reports neither for a removed element.

import { make } from "../page/elements.ts";
import { definitions } from "./definitions.ts";
import STYLE from "./glossary.css";

const GAP = 6; // px between the term and its definition
const MARGIN = 8; // px to the edges of the window

const tip = make("div");
tip.id = "bpe-lab-term";
tip.setAttribute("popover", "manual");
tip.setAttribute("role", "tooltip");
document.head.append(make("style", "", STYLE));

let shown = new AbortController(); // of the listeners that hide it

/** @param term link whose hash names it; it may have been left while this script was loading */
export function explain(term: HTMLAnchorElement) {
  const says = definitions()[term.hash.replace("#term-", "")];
  if (!says || !isPointedAt(term)) return;
  term.setAttribute("aria-description", says);
  const app = getComputedStyle(document.querySelector(".stApp") ?? document.body);
  tip.style.backgroundColor = app.backgroundColor;
  tip.style.color = app.color;
  tip.textContent = says;
  document.body.append(tip);
  tip.showPopover();
  const box = term.getBoundingClientRect();
  place(box);
  hideAfter(term, box);
}

function place({ left, top, bottom }: DOMRect) {
  const { width, height } = tip.getBoundingClientRect();
  const below = bottom + GAP + height + MARGIN < innerHeight;
  tip.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`;
  tip.style.top = `${below ? bottom + GAP : top - GAP - height}px`;
}

function isPointedAt(term: HTMLAnchorElement) {
  return term.matches(":hover, :focus");
}

/** Whether a term is still where it was: another area may scroll, and an earlier scroll is reported late. */
function isAt(term: HTMLAnchorElement, { left, top }: DOMRect) {
  const now = term.getBoundingClientRect();
  return now.left === left && now.top === top;
}

function hideAfter(term: HTMLAnchorElement, box: DOMRect) {
  shown.abort(); // of another term, which may be left later
  shown = new AbortController();
  const { signal } = shown;
  const hide = () => {
    shown.abort();
    tip.remove();
  };
  for (const name of ["pointerleave", "blur"]) term.addEventListener(name, hide, { signal });
  document.addEventListener("pointermove", () => isPointedAt(term) || hide(), { capture: true, signal });
  document.addEventListener("scroll", () => isAt(term, box) || hide(), { capture: true, signal });
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide(), { capture: true, signal });
  document.addEventListener("pointerdown", (event) => event.composedPath().includes(term) || hide(), { capture: true, signal });
}
