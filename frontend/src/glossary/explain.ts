// Shows the definition of a term beside it, until the pointer or the focus leaves it, or Escape.

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

/** @param term link whose hash names it */
export function explain(term: HTMLAnchorElement) {
  const says = definitions()[term.hash.replace("#term-", "")];
  if (!says) return;
  term.setAttribute("aria-description", says);
  const app = getComputedStyle(document.querySelector(".stApp") ?? document.body);
  tip.style.backgroundColor = app.backgroundColor;
  tip.style.color = app.color;
  tip.textContent = says;
  document.body.append(tip);
  tip.showPopover();
  place(term.getBoundingClientRect());
  hideAfter(term);
}

function place({ left, top, bottom }: DOMRect) {
  const { width, height } = tip.getBoundingClientRect();
  const below = bottom + GAP + height + MARGIN < innerHeight;
  tip.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`;
  tip.style.top = `${below ? bottom + GAP : top - GAP - height}px`;
}

function hideAfter(term: HTMLAnchorElement) {
  const shown = new AbortController();
  const { signal } = shown;
  const hide = () => {
    shown.abort();
    tip.remove();
  };
  for (const name of ["pointerleave", "blur"]) term.addEventListener(name, hide, { signal });
  document.addEventListener("scroll", hide, { capture: true, signal });
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide(), { capture: true, signal });
  document.addEventListener("pointerdown", (event) => event.composedPath().includes(term) || hide(), { capture: true, signal });
}
