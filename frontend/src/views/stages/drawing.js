// @ts-check
// Drawing of characters in the stages: isolated combining marks get a dotted circle.

import { make } from "../../page/elements.js";
import { appendText } from "../../tokens/drawing.js";
import { leadingMarks, shownPieces } from "../../tokens/marks.js";

/**
 * Append text with its marks.
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
 * Append characters separately, so that a base and its accent do not combine.
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
 * Parts of a sentence as appendable nodes.
 * @param {(string | HTMLElement | { strong: string })[]} parts
 */
export function drawnParts(parts) {
  return parts.map((part) => (typeof part !== "string" && "strong" in part ? make("b", "", part.strong) : part));
}

/**
 * Text quoted in a sentence.
 * @param {string} text
 */
export function quote(text) {
  const el = make("span", "quote");
  appendPiece(el, text);
  return el;
}
