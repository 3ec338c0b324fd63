// Drawing of characters in the stages: isolated combining marks get a dotted circle.

import { make } from "../../page/elements.ts";
import { appendText } from "../../tokens/drawing.ts";
import { leadingMarks, shownPieces } from "../../tokens/marks.ts";
import type { Strong } from "../../i18n/words.ts";

/** Append text with its marks. */
export function appendPiece(el: HTMLElement, text: string) {
  const [first] = shownPieces(text);
  if (first?.mark === "m circle" && leadingMarks(text) === text) {
    el.append(first.text + text);
    el.classList.add("alone");
  } else appendText(el, text);
}

/** Append characters separately, so that a base and its accent do not combine. */
export function appendEach(el: HTMLElement, chars: string[]) {
  if (chars.length === 1) {
    appendPiece(el, chars[0]);
    return;
  }
  for (const char of chars) {
    const single = make("span", "single");
    appendPiece(single, char);
    el.append(single);
  }
}

/** Parts of a sentence as appendable nodes. */
export function drawnParts(parts: (string | HTMLElement | Strong)[]) {
  return parts.map((part) => (typeof part !== "string" && "strong" in part ? make("b", "", part.strong) : part));
}

/** Text quoted in a sentence. */
export function quote(text: string) {
  const el = make("span", "quote");
  appendPiece(el, text);
  return el;
}
