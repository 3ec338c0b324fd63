// @ts-check
// How the stages draw characters: combining marks by themselves are on a dotted circle.

import { make } from "../page.js";
import { appendText } from "../tokens/drawing.js";
import { leadingMarks, shownPieces } from "../tokens/marks.js";

/**
 * Text with its marks.
 * @param {HTMLElement} el
 * @param {string} text
 */
export function appendPiece(el, text) {
  const [first] = shownPieces(text);
  if (first?.mark === "m circle" && leadingMarks(text) === text) {
    el.append(first.text + text);
    el.classList.add("alone");
  } else appendText(el, text);
}

/**
 * Characters side by side, each by itself: a base and its accent do not melt into one.
 * @param {HTMLElement} el
 * @param {string[]} chars
 */
export function appendEach(el, chars) {
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

/**
 * The parts of a sentence, as they are appended.
 * @param {(string | HTMLElement | { strong: string })[]} parts
 */
export function drawnParts(parts) {
  return parts.map((part) => (typeof part !== "string" && "strong" in part ? make("b", "", part.strong) : part));
}

/**
 * A text that is quoted in a sentence.
 * @param {string} text
 */
export function quote(text) {
  const el = make("span", "quote");
  appendPiece(el, text);
  return el;
}
