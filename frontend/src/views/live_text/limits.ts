// Rules of a live text area: when to send the text, whether it is short enough, its line ends.

import { shownNumber } from "../../page/numbers.ts";
import { t } from "../../i18n/words.ts";

const PAUSE = 60; // milliseconds without a key before a short text is sent; the first key is sent at once
const REST = 200; // milliseconds since the last message after which a key counts as the first
export const LONG = 50_000; // UTF-16 units above which the long pause applies, and edits are sent instead of the text
const LONG_PAUSE = 350;
const LONG_REST = 1_000;
const encoder = new TextEncoder();

/**
 * Delay before a text is sent, in case another key follows.
 * @param length of the text, in UTF-16 units
 * @param sinceSent milliseconds
 * @param isLight whether the server draws only what is in sight at each key
 */
export function pauseFor(length: number, sinceSent: number, isLight: boolean) {
  if (length > LONG) return isLight && sinceSent > LONG_REST ? 0 : LONG_PAUSE;
  return isLight || sinceSent > REST ? 0 : PAUSE;
}

/**
 * Reason for not sending a text; "" if it is short enough.
 * @param limits in characters, and in bytes of the message
 */
export function problemOf(text: string, { longest, bytes }: { longest: number; bytes: number }) {
  const characters = text.length <= longest ? text.length : [...text].length;
  if (characters > longest) return tooManyCharacters(characters, longest);
  const size = text.length * 3 <= bytes / 2 ? 0 : sizeOf(JSON.stringify(text), bytes);
  return size > bytes ? tooManyBytes(size, bytes) : "";
}

/** Size in bytes of UTF-8; 0 if it is certainly not above a limit. */
function sizeOf(json: string, limit: number) {
  return json.length * 3 <= limit ? 0 : encoder.encode(json).length;
}

function tooManyCharacters(size: number, limit: number) {
  return t(
    "The text has {size} characters; the limit is {limit}. Shorten it: until then the page shows the previous text.",
    {
      size: shownNumber(size),
      limit: shownNumber(limit),
    },
  );
}

function tooManyBytes(size: number, limit: number) {
  return t("The text has {size} bytes; the limit is {limit}. Shorten it: until then the page shows the previous text.", {
    size: shownNumber(size),
    limit: shownNumber(limit),
  });
}

/** Whether all lines of a text end with CR LF; a text area itself has only LF. */
export function hasCrlf(text: string) {
  return /\r\n/.test(text) && !/(^|[^\r])\n/.test(text);
}

/** Text of an area with its original line ends. */
export function withLineEnds(text: string, crlf: boolean) {
  return crlf ? text.replace(/\n/g, "\r\n") : text;
}
