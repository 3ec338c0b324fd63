// @ts-check
// What a flow computes: the direction of its lines, what it leaves out, the token above or below another.

import { shownNumber } from "../numbers.js";
import { RTL, STRONG, isRtl, startsRtl } from "../tokens/marks.js";

/** @typedef {import("../tokens/spans.js").Tokens} Tokens */

const LOOKED_AT = 200; // tokens of a line whose characters may tell its direction

/**
 * What is said below the flow.
 * @param {{ first: number, length: number, total: number }} tokens
 */
export function restOf({ first, length, total }) {
  if (!total) return "No tokens.";
  const rest = total - first - length;
  return rest > 0 ? `\u2026 and ${shownNumber(rest)} more tokens` : "";
}

/**
 * What is said of a part of a text: which of its characters it is, and a rest.
 * @param {[start: number, total: number] | null} part null for the whole text
 * @param {[first: number, end: number]} chars of the part
 * @param {string} caption
 */
export function placeOf(part, [first, end], caption) {
  if (!part) return caption;
  const [start, total] = part;
  return `Characters ${shownNumber(start + first + 1)} to ${shownNumber(start + end)} of ${shownNumber(total)}${caption}`;
}

/**
 * Whether any line may run from right to left.
 * @param {Tokens} tokens
 */
export function mayBeRtl(tokens) {
  return tokens.texts.some(isRtl) || tokens.parts.some(([char]) => RTL.test(char));
}

/**
 * Whether the line that begins with token `at` runs from right to left: its first character with a direction does.
 * @param {Tokens} tokens
 * @param {number} at
 */
export function isRtlLine(tokens, at) {
  for (let i = at; i < Math.min(tokens.length, at + LOOKED_AT); i++) {
    const text = tokens.reading(i);
    if (STRONG.test(text)) return startsRtl(text);
    if (text.includes("\n")) return false;
  }
  return false;
}

/**
 * The token nearest to `from` in the next line of the page; the first or the last of all where there is no such line.
 * @param {(at: number) => { left: number, top: number, height: number }} box where a token is drawn
 * @param {number} count how many tokens are drawn
 * @param {number} from
 * @param {number} step 1: the line below, -1: the line above
 */
export function inNextLine(box, count, from, step) {
  const { left, top, height } = box(from);
  const isFar = (/** @type {number} */ distance) => Math.abs(distance) > 0.7 * height;
  /** @type {{ at: number, distance: number } | null} */
  let best = null;
  /** @type {number | null} */
  let lineTop = null;
  for (let at = from + step; at >= 0 && at < count; at += step) {
    const here = box(at);
    if (lineTop === null) {
      if (!isFar(here.top - top)) continue;
      lineTop = here.top;
    }
    if (isFar(here.top - lineTop)) break;
    const distance = Math.abs(here.left - left);
    if (best === null || distance < best.distance) best = { at, distance };
  }
  if (best) return best.at;
  return step > 0 ? count - 1 : 0;
}
