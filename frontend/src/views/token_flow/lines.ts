// Computations for a flow: direction of its lines, omitted tokens, the token above or below another.

import { shownNumber } from "../../page/numbers.ts";
import {
  STRONG,
  STRONG_OR_DIGIT,
  bracketsRtl,
  firstStrong,
  isRtl,
  lastStrong,
  runsRtl,
  startsRtl,
} from "../../tokens/direction.ts";
import { t, tn } from "../../i18n/words.ts";
import type { Tokens } from "../../tokens/spans.ts";

const PAIRS: Record<string, string> = { ")": "(", "]": "[", "}": "{" };
const CLOSING = /[)\]}]/;
const LOOKED_AT = 200; // maximum number of tokens per line checked for a direction

/** Words below the flow. */
export function restOf({ first, length, total }: { first: number; length: number; total: number }) {
  if (!total) return t("No tokens.");
  const rest = total - first - length;
  return rest > 0
    ? tn("\u2026 and {count} more token", "\u2026 and {count} more tokens", rest, { count: shownNumber(rest) })
    : "";
}

/**
 * Caption for a part of a text: its range of characters, then the rest.
 * @param part null for the whole text
 * @param chars of the part
 */
export function placeOf(
  part: [start: number, total: number] | null,
  [first, end]: [first: number, end: number],
  caption: string,
) {
  if (!part) return caption;
  const [start, total] = part;
  const place = { first: shownNumber(start + first + 1), last: shownNumber(start + end), all: shownNumber(total) };
  const range = t("Characters {first} to {last} of {all}.", place);
  return caption ? t("{sentence} {next_sentence}", { sentence: range, next_sentence: caption }) : range;
}

/** Whether any line may run right to left. */
export function mayBeRtl(tokens: Tokens) {
  return tokens.texts.some(isRtl) || tokens.parts.some(([char]) => isRtl(char));
}

/** Last character with a direction before a token in its line; "" if there is none. */
export function strongBefore(tokens: Tokens, at: number) {
  for (let i = at - 1; i >= Math.max(0, at - LOOKED_AT); i--) {
    const text = tokens.reading(i);
    const strong = lastStrong(text.slice(text.lastIndexOf("\n") + 1));
    if (strong || text.includes("\n")) return strong;
  }
  return "";
}

/** Whether a token starts at its right edge. */
export function beginsRtl(tokens: Tokens, at: number) {
  const [here = ""] = tokens.reading(at);
  return runsRtlAt(tokens, at, here, "");
}

/** Whether a token ends at its left edge. */
export function endsRtl(tokens: Tokens, at: number) {
  const chars = [...tokens.reading(at)];
  const here = chars.pop() ?? "";
  return runsRtlAt(tokens, at, here, chars.join(""));
}

/**
 * @param here a character of the token
 * @param head characters of the token before it
 */
function runsRtlAt(tokens: Tokens, at: number, here: string, head: string) {
  const isRtlHere = () => isRtlLine(tokens, at);
  if (CLOSING.test(here)) {
    const inside = pairBefore(tokens, at, here, head);
    if (inside) return bracketsRtl(inside, isRtlHere());
  }
  const behind = () => {
    const [rest] = tokens
      .reading(at)
      .slice(head.length + here.length)
      .split("\n", 1);
    return rest.match(STRONG_OR_DIGIT)?.[0] ?? (here === "\n" ? "" : inLineFrom(tokens, at + 1, STRONG_OR_DIGIT));
  };
  return runsRtl(here, lastStrong(head) || strongBefore(tokens, at), behind, isRtlHere);
}

/** Content of the brackets that close here, and the line before them; null if no bracket opens them. */
function pairBefore(tokens: Tokens, at: number, closing: string, head: string) {
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

/** First matching character in the line, from a token on; "" if there is none. */
function inLineFrom(tokens: Tokens, from: number, wanted: RegExp) {
  for (let i = from; i < Math.min(tokens.length, from + LOOKED_AT); i++) {
    const [text] = tokens.reading(i).split("\n", 1);
    const found = text.match(wanted);
    if (found) return found[0];
    if (tokens.reading(i).includes("\n")) break;
  }
  return "";
}

/** Whether the line in which a token starts runs right to left, by its first character with a direction. */
export function isRtlLine(tokens: Tokens, at: number) {
  let first = at;
  while (first > 0 && at - first < LOOKED_AT && !tokens.reading(first - 1).includes("\n")) first--;
  const rest = first
    ? tokens
        .reading(first - 1)
        .split("\n")
        .pop()
    : "";
  return startsRtl(firstStrong(rest ?? "") || inLineFrom(tokens, first, STRONG));
}

/**
 * Token nearest to `from` in the next line of the page; the first or last of all if there is no such line.
 * @param box of a drawn token
 * @param count number of drawn tokens
 * @param step 1: the line below, -1: the line above
 */
export function inNextLine(
  box: (at: number) => { left: number; top: number; height: number },
  count: number,
  from: number,
  step: number,
) {
  const { left, top, height } = box(from);
  const isFar = (distance: number) => Math.abs(distance) > 0.7 * height;
  let best: { at: number; distance: number } | null = null;
  let lineTop: number | null = null;
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
