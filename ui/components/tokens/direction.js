// @ts-check
// Which way a text runs, as the Unicode bidirectional algorithm has it. What it decides of a whole text is left to the
// browser; here is what it cannot know: of a text that is drawn as a box, and at which side of its span a token begins.

const RIGHT_TO_LEFT = "\\u{590}-\\u{8ff}\\u{200f}\\u{fb1d}-\\u{fdff}\\u{fe70}-\\u{fefc}\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}";
// Among them without a direction: separators and signs, digits, points and other marks
const WEAK = "\\p{Mn}\\p{Nd}\\u{600}-\\u{607}\\u{609}\\u{60a}\\u{60c}\\u{60e}\\u{60f}\\u{66a}-\\u{66c}\\u{6dd}\\u{6de}\\u{6e9}\\u{7f6}-\\u{7f9}\\u{fb29}\\u{fd3e}-\\u{fd4f}\\u{fdcf}";
const LEFT_TO_RIGHT = "\\p{L}\\p{Nl}\\p{Mc}\\u{200e}";

const ANY_RTL = new RegExp(`[${RIGHT_TO_LEFT}]`, "u");
const RTL = new RegExp(`(?![${WEAK}])[${RIGHT_TO_LEFT}]`, "u");
/** A character with a direction of its own. */
export const STRONG = new RegExp(`(?![${WEAK}])[${RIGHT_TO_LEFT}${LEFT_TO_RIGHT}]`, "u");
/** What decides how the characters before it run. */
export const STRONG_OR_DIGIT = new RegExp(`${STRONG.source}|\\p{Nd}`, "u");
const ARABIC = /[\u0600-\u07bf\u0860-\u08ff\ufb50-\ufdff\ufe70-\ufefc]|[\u{10d00}-\u{10d3f}\u{1ec70}-\u{1eeff}]/u;
const JOINING = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}]/u;
const DIGIT = /^\p{Nd}/u;
const NUMBER = /^\p{Nd}+$/u;
const MARK = /^[\p{Mn}\p{Me}]/u;

// They run one way and are not seen: each gives what is beside it its direction
const LRM = "\u200e";
const RLM = "\u200f";
const ALM = "\u061c";
const SIGNS = new Set([LRM, RLM, ALM]);

/**
 * Whether a text has characters that run from right to left.
 * @param {string} text
 */
export function isRtl(text) {
  return ANY_RTL.test(text);
}

/**
 * Whether a text has letters that are joined to each other.
 * @param {string} text
 */
export function joins(text) {
  return JOINING.test(text);
}

/**
 * Whether the first character of a text that has a direction runs from right to left.
 * @param {string} text
 */
export function startsRtl(text) {
  return RTL.test(text.match(STRONG)?.[0] ?? "");
}

/**
 * The first character of a text that has a direction, "" where none has.
 * @param {string} text
 */
export function firstStrong(text) {
  return text.match(STRONG)?.[0] ?? "";
}

/**
 * The last character of a text that has a direction, "" where none has.
 * @param {string} text
 */
export function lastStrong(text) {
  return [...text].reverse().find((char) => STRONG.test(char)) ?? "";
}

/**
 * What runs as a character does and is not seen; "" for one without a direction of its own.
 * @param {string} char
 */
export function signOf(char) {
  if (DIGIT.test(char)) return LRM;
  if (!STRONG.test(char)) return "";
  if (!RTL.test(char)) return LRM;
  return ARABIC.test(char) ? ALM : RLM;
}

/**
 * A character itself if it does nothing but give a direction, else "": its name is drawn between two of them.
 * @param {string} char
 */
export function asSign(char) {
  return SIGNS.has(char) ? char : "";
}

/**
 * What gives a box that is drawn for a text the directions in which the text begins and ends. A mark goes as the
 * character that it is on.
 * @param {string} text
 * @param {() => string} before the last character with a direction before it
 * @returns {[before: string, after: string]}
 */
export function signsFor(text, before) {
  if (isBareMark(text)) {
    const sign = signOf(before());
    return [sign, sign];
  }
  return NUMBER.test(text) ? [LRM, LRM] : [signOf(firstStrong(text)), signOf(lastStrong(text))];
}

/**
 * Whether a text begins with a mark, and has nothing that gives it a direction.
 * @param {string} text
 */
export function isBareMark(text) {
  return MARK.test(text) && !STRONG.test(text);
}

/**
 * Whether a pair of brackets runs from right to left: as the line does, unless all within it and what is before it runs the
 * other way.
 * @param {{ before: string, within: string }} text
 * @param {boolean} isRtlLine
 */
export function bracketsRtl({ before, within }, isRtlLine) {
  const directions = new Set(Array.from(within).filter((char) => STRONG.test(char)).map((char) => RTL.test(char)));
  if (directions.has(isRtlLine)) return isRtlLine;
  const last = lastStrong(before);
  const rtlBefore = last ? RTL.test(last) : isRtlLine;
  return directions.size ? rtlBefore : isRtlLine;
}

/**
 * Whether a place in a text runs from right to left, by what is before and behind it in its line.
 * @param {string} here the character at this place
 * @param {string} before the last character with a direction before it in the line, "" for none
 * @param {() => string} behind the first one behind it, or a digit where that comes first
 * @param {() => boolean} isRtlLine
 */
export function runsRtl(here, before, behind, isRtlLine) {
  if (DIGIT.test(here)) return false;
  if (STRONG.test(here)) return RTL.test(here);
  const rtlBefore = before ? RTL.test(before) : isRtlLine();
  if (MARK.test(here)) return rtlBefore;
  const next = behind();
  const rtlBehind = DIGIT.test(next) ? rtlBefore : next ? RTL.test(next) : isRtlLine(); // a number goes as what is before it
  return rtlBefore === rtlBehind ? rtlBefore : isRtlLine();
}
