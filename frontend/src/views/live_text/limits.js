// @ts-check
// Rules of a live text area: when to send the text, whether it is short enough, its line ends.

import { shownNumber } from "../../page/numbers.js";
import { t } from "../../i18n/words.js";

const PAUSE = 60; // milliseconds without a key before a short text is sent; the first key is sent at once
const REST = 200; // milliseconds since the last message after which a key counts as the first
const LONG = 50_000; // UTF-16 units above which the long pause applies
const LONG_PAUSE = 350;
const encoder = new TextEncoder();

/**
 * Delay before a text is sent, in case another key follows.
 * @param {number} length of the text, in UTF-16 units
 * @param {number} sinceSent milliseconds
 */
export function pauseFor(length, sinceSent) {
  if (length > LONG) return LONG_PAUSE;
  return sinceSent > REST ? 0 : PAUSE;
}

/**
 * Reason for not sending a text; "" if it is short enough.
 * @param {string} text
 * @param {{ longest: number, bytes: number }} limits in characters, and in bytes of the message
 */
export function problemOf(text, { longest, bytes }) {
  const characters = text.length <= longest ? text.length : [...text].length;
  if (characters > longest) return tooManyCharacters(characters, longest);
  const size = text.length * 3 <= bytes / 2 ? 0 : encoder.encode(JSON.stringify(text)).length;
  return size > bytes ? tooManyBytes(size, bytes) : "";
}

/**
 * @param {number} size
 * @param {number} limit
 */
function tooManyCharacters(size, limit) {
  return t("The text has {size} characters; {limit} are taken. Shorten it: until then the page shows the previous text.", {
    size: shownNumber(size),
    limit: shownNumber(limit),
  });
}

/**
 * @param {number} size
 * @param {number} limit
 */
function tooManyBytes(size, limit) {
  return t("The text has {size} bytes; {limit} are taken. Shorten it: until then the page shows the previous text.", {
    size: shownNumber(size),
    limit: shownNumber(limit),
  });
}

/**
 * Whether all lines of a text end with CR LF; a text area itself knows only LF.
 * @param {string} text
 */
export function hasCrlf(text) {
  return /\r\n/.test(text) && !/(^|[^\r])\n/.test(text);
}

/**
 * Text of an area with its original line ends.
 * @param {string} text
 * @param {boolean} crlf
 */
export function withLineEnds(text, crlf) {
  return crlf ? text.replace(/\n/g, "\r\n") : text;
}
