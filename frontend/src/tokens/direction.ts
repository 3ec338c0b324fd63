// Direction of text, by the Unicode bidirectional algorithm. The browser resolves whole texts; this module covers two
// cases that it cannot handle: text drawn as a box, and the side of its span on which a token starts.

const RIGHT_TO_LEFT =
  "\\u{590}-\\u{8ff}\\u{200f}\\u{fb1d}-\\u{fdff}\\u{fe70}-\\u{fefc}\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}";
// Characters in these ranges without a direction: separators and signs, digits, points and other marks
const WEAK =
  "\\p{Mn}\\p{Nd}\\u{600}-\\u{607}\\u{609}\\u{60a}\\u{60c}\\u{60e}\\u{60f}\\u{66a}-\\u{66c}\\u{6dd}\\u{6de}\\u{6e9}\\u{7f6}-\\u{7f9}\\u{fb29}\\u{fd3e}-\\u{fd4f}\\u{fdcf}";
const LEFT_TO_RIGHT = "\\p{L}\\p{Nl}\\p{Mc}\\u{200e}";

const ANY_RTL = new RegExp(`[${RIGHT_TO_LEFT}]`, "u");
const RTL = new RegExp(`(?![${WEAK}])[${RIGHT_TO_LEFT}]`, "u");
/** A character with a strong direction. */
export const STRONG = new RegExp(`(?![${WEAK}])[${RIGHT_TO_LEFT}${LEFT_TO_RIGHT}]`, "u");
/** Characters that determine the direction of the characters before them. */
export const STRONG_OR_DIGIT = new RegExp(`${STRONG.source}|\\p{Nd}`, "u");
const ARABIC = /[\u0600-\u07bf\u0860-\u08ff\ufb50-\ufdff\ufe70-\ufefc]|[\u{10d00}-\u{10d3f}\u{1ec70}-\u{1eeff}]/u;
const JOINING = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}]/u;
const DIGIT = /^\p{Nd}/u;
const NUMBER = /^\p{Nd}+$/u;
const MARK = /^[\p{Mn}\p{Me}]/u;

// Invisible marks that give adjacent characters their direction
const LRM = "\u200e";
const RLM = "\u200f";
const ALM = "\u061c";
const SIGNS = new Set([LRM, RLM, ALM]);

/** Whether a text contains right-to-left characters. */
export function isRtl(text: string) {
  return ANY_RTL.test(text);
}

/** Whether a text contains letters that join. */
export function joins(text: string) {
  return JOINING.test(text);
}

/** Whether the first strong character of a text runs right to left. */
export function startsRtl(text: string) {
  return RTL.test(text.match(STRONG)?.[0] ?? "");
}

/** First strong character of a text; "" if it has none. */
export function firstStrong(text: string) {
  return text.match(STRONG)?.[0] ?? "";
}

/** Last strong character of a text; "" if it has none. */
export function lastStrong(text: string) {
  return [...text].reverse().find((char) => STRONG.test(char)) ?? "";
}

/** Invisible mark with the direction of a character; "" for one without a direction. */
export function signOf(char: string) {
  if (DIGIT.test(char)) return LRM;
  if (!STRONG.test(char)) return "";
  if (!RTL.test(char)) return LRM;
  return ARABIC.test(char) ? ALM : RLM;
}

/** The character itself if it is only a direction mark, else "": its name is drawn between two of them. */
export function asSign(char: string) {
  return SIGNS.has(char) ? char : "";
}

/**
 * Direction marks for a box that represents a text: those of its start and its end. A combining mark takes the
 * direction of its base.
 * @param before last strong character before the box
 */
export function signsFor(text: string, before: () => string): [before: string, after: string] {
  if (isBareMark(text)) {
    const sign = signOf(before());
    return [sign, sign];
  }
  return NUMBER.test(text) ? [LRM, LRM] : [signOf(firstStrong(text)), signOf(lastStrong(text))];
}

/** Whether a text starts with a combining mark and has no strong character. */
export function isBareMark(text: string) {
  return MARK.test(text) && !STRONG.test(text);
}

/**
 * Whether a pair of brackets runs right to left: in the direction of the line, unless both its content and the text
 * before it run the other way.
 */
export function bracketsRtl({ before, within }: { before: string; within: string }, isRtlLine: boolean) {
  const directions = new Set(
    Array.from(within)
      .filter((char) => STRONG.test(char))
      .map((char) => RTL.test(char)),
  );
  if (directions.has(isRtlLine)) return isRtlLine;
  const last = lastStrong(before);
  const rtlBefore = last ? RTL.test(last) : isRtlLine;
  return directions.size ? rtlBefore : isRtlLine;
}

/**
 * Whether a position in a text runs right to left, by the characters before and after it in its line.
 * @param here character at the position
 * @param before last strong character before it in the line, "" for none
 * @param behind first strong character after it, or a digit if that comes first
 */
export function runsRtl(here: string, before: string, behind: () => string, isRtlLine: () => boolean) {
  if (DIGIT.test(here)) return false;
  if (STRONG.test(here)) return RTL.test(here);
  const rtlBefore = before ? RTL.test(before) : isRtlLine();
  if (MARK.test(here)) return rtlBefore;
  const next = behind();
  const rtlBehind = DIGIT.test(next) ? rtlBefore : next ? RTL.test(next) : isRtlLine(); // a number follows `before`
  return rtlBefore === rtlBehind ? rtlBefore : isRtlLine();
}
