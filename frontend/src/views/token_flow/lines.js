// @ts-check
// Computations for a flow: direction of its lines, omitted tokens, the token above or below another.

import { shownNumber } from "../../page/numbers.js";
import { STRONG, STRONG_OR_DIGIT, bracketsRtl, firstStrong, isRtl, lastStrong, runsRtl, startsRtl } from "../../tokens/direction.js";
import { t, tn } from "../../i18n/words.js";

/** @typedef {import("../../tokens/spans.js").Tokens} Tokens */

/** @type {Record<string, string>} */
const PAIRS = { ")": "(", "]": "[", "}": "{" };
const CLOSING = /[)\]}]/;
const LOOKED_AT = 200; // maximum number of tokens per line checked for a direction

/**
 * Words below the flow.
 * @param {{ first: number, length: number, total: number }} tokens
 */
export function restOf({ first, length, total }) {
  if (!total) return t("No tokens.");
  const rest = total - first - length;
  return rest > 0 ? tn("\u2026 and {count} more token", "\u2026 and {count} more tokens", rest, { count: shownNumber(rest) }) : "";
}

/**
 * Caption for a part of a text: its range of characters, then the rest.
 * @param {[start: number, total: number] | null} part null for the whole text
 * @param {[first: number, end: number]} chars of the part
 * @param {string} caption
 */
export function placeOf(part, [first, end], caption) {
  if (!part) return caption;
  const [start, total] = part;
  const place = { first: shownNumber(start + first + 1), last: shownNumber(start + end), all: shownNumber(total) };
  return t("Characters {first} to {last} of {all}{rest}", { ...place, rest: caption });
}

/**
 * Whether any line may run right to left.
 * @param {Tokens} tokens
 */
export function mayBeRtl(tokens) {
  return tokens.texts.some(isRtl) || tokens.parts.some(([char]) => isRtl(char));
}

/**
 * Last character with a direction before a token in its line; "" if there is none.
 * @param {Tokens} tokens
 * @param {number} at
 */
export function strongBefore(tokens, at) {
  for (let i = at - 1; i >= Math.max(0, at - LOOKED_AT); i--) {
    const text = tokens.reading(i);
    const strong = lastStrong(text.slice(text.lastIndexOf("\n") + 1));
    if (strong || text.includes("\n")) return strong;
  }
  return "";
}

/**
 * Whether a token starts at its right edge.
 * @param {Tokens} tokens
 * @param {number} at
 */
export function beginsRtl(tokens, at) {
  const [here = ""] = tokens.reading(at);
  return runsRtlAt(tokens, at, here, "");
}

/**
 * Whether a token ends at its left edge.
 * @param {Tokens} tokens
 * @param {number} at
 */
export function endsRtl(tokens, at) {
  const chars = [...tokens.reading(at)];
  const here = chars.pop() ?? "";
  return runsRtlAt(tokens, at, here, chars.join(""));
}

/**
 * @param {Tokens} tokens
 * @param {number} at
 * @param {string} here a character of the token
 * @param {string} head characters of the token before it
 */
function runsRtlAt(tokens, at, here, head) {
  const isRtlHere = () => isRtlLine(tokens, at);
  if (CLOSING.test(here)) {
    const inside = pairBefore(tokens, at, here, head);
    if (inside) return bracketsRtl(inside, isRtlHere());
  }
  const behind = () => {
    const [rest] = tokens.reading(at).slice(head.length + here.length).split("\n", 1);
    return rest.match(STRONG_OR_DIGIT)?.[0] ?? (here === "\n" ? "" : inLineFrom(tokens, at + 1, STRONG_OR_DIGIT));
  };
  return runsRtl(here, lastStrong(head) || strongBefore(tokens, at), behind, isRtlHere);
}

/**
 * Content of the brackets that close here, and the line before them; null if no bracket opens them.
 * @param {Tokens} tokens
 * @param {number} at
 * @param {string} closing
 * @param {string} head
 */
function pairBefore(tokens, at, closing, head) {
  let text = head;
  for (let i = at - 1; i >= Math.max(0, at - LOOKED_AT) && !text.includes("\n"); i--) text = tokens.reading(i) + text;
  const line = text.slice(text.lastIndexOf("\n") + 1);
  let open = 1;
  for (let i = line.length - 1; i >= 0; i--) {
    if (line[i] === closing) open++;
    else if (line[i] === PAIRS[closing]) open--;
    if (!open) return { before: line.slice(0, i), within: line.slice(i + 1) };
  }
  return null;
}

/**
 * First matching character in the line, from a token on; "" if there is none.
 * @param {Tokens} tokens
 * @param {number} from
 * @param {RegExp} wanted
 */
function inLineFrom(tokens, from, wanted) {
  for (let i = from; i < Math.min(tokens.length, from + LOOKED_AT); i++) {
    const [text] = tokens.reading(i).split("\n", 1);
    const found = text.match(wanted);
    if (found) return found[0];
    if (tokens.reading(i).includes("\n")) break;
  }
  return "";
}

/**
 * Whether the line in which a token starts runs right to left, by its first character with a direction.
 * @param {Tokens} tokens
 * @param {number} at
 */
export function isRtlLine(tokens, at) {
  let first = at;
  while (first > 0 && at - first < LOOKED_AT && !tokens.reading(first - 1).includes("\n")) first--;
  const rest = first ? tokens.reading(first - 1).split("\n").pop() : "";
  return startsRtl(firstStrong(rest ?? "") || inLineFrom(tokens, first, STRONG));
}

/**
 * Token nearest to `from` in the next line of the page; the first or last of all if there is no such line.
 * @param {(at: number) => { left: number, top: number, height: number }} box of a drawn token
 * @param {number} count number of drawn tokens
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
