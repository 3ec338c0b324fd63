// Visible forms of invisible characters. The table is shared with the core: marks.py renders the same as plain text.

import TABLE from "../../../bpe_core/text/marks.json" with { type: "json" };

export interface ShownPiece {
  from: number;
  to: number;
  text: string;
  mark: string;
}

/** Mark for a space. */
export const SPACE = TABLE.signs[" "];
/** Mark for a token without text. */
export const NOTHING = TABLE.nothing;
/** Base for a combining mark that follows nothing. */
export const CIRCLE = TABLE.circle;

const NAMES = new Map(Object.entries(TABLE.names).map(([code, name]) => [parseInt(code, 16), name]));
const WHITE_SPACE: Record<string, string> = TABLE.signs;
const WHITE_SPACE_CLASSES: Record<string, string> = { " ": "m sp", "\n": "m nl", "\t": "m tab", "\u3000": "m wide" };
const PLAIN = /^[\x21-\x7e]*$/;
const HIDDEN = new RegExp(`[${characterClass(TABLE.sets.hidden)}]`, "u");
const COMBINING = new RegExp(`^[${characterClass(TABLE.sets.combining)}]+`, "u");
const CARE = new RegExp(`(${emojiSequences()})|${HIDDEN.source}`, "gu");

/** Decode a set of the table into a character class; marks.py describes the encoding. */
function characterClass(set: string) {
  let end = 0;
  const escaped = (code: number) => `\\u{${code.toString(16)}}`;
  return set.replace(/(\w+)(?:\+(\w+))? ?/g, (_, gap, more = "0") => {
    const first = end + parseInt(gap, 36);
    end = first + parseInt(more, 36);
    return first === end ? escaped(first) : `${escaped(first)}-${escaped(end)}`;
  });
}

/** Pattern of an emoji: its first character, and the invisible characters that belong to its picture. */
function emojiSequences() {
  const offset = parseInt(TABLE.tags.offset, 16);
  const tag = (char: string) => String.fromCodePoint(offset + char.charCodeAt(0));
  const flags = TABLE.tagged_flags.map((flag) => [...flag].map(tag).join("")).join("|");
  const text = characterClass(TABLE.sets.text_pictographs);
  const isText = new RegExp(`[${text}]`, "u");
  const skin = "[\\u{1f3fb}-\\u{1f3ff}]?";
  const one = `(?:[${text}]\\ufe0f|[${characterClass(TABLE.sets.pictographs)}])${skin}`;
  const joined = TABLE.sequences.split(" ").sort((a, b) => b.length - a.length); // the longest first
  const begins = joined.map((each) => String.fromCodePoint(each.codePointAt(0) ?? 0)).join("");
  const part = (char: string, tone: string) =>
    char + (isText.test(char) ? "\\ufe0f?" : "") + (tone && skin) + "\\u200d";
  const every = joined.map((each) =>
    each.replace(/(.)(\u{1f3fb}?)/gu, (_, char, tone) => part(char, tone)).slice(0, -6),
  );
  return `\\u{1f3f4}(?:${flags})\\u{e007f}|[#*0-9]\\ufe0f\\u20e3|(?=[${begins}])(?:${every.join("|")})|${one}`;
}

/** Name under which an invisible character is shown: NBSP, ZWJ, VS16, U+0007. */
export function nameOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const name = NAMES.get(code);
  if (name !== undefined) return name;
  const within = ({ first, last }: { first: string; last: string }) =>
    parseInt(first, 16) <= code && code <= parseInt(last, 16);
  const numbered = TABLE.numbered.find(within);
  if (numbered) return numbered.name + (code - parseInt(numbered.first, 16) + numbered.from);
  if (within(TABLE.tags)) return TABLE.tags.name + String.fromCharCode(code - parseInt(TABLE.tags.offset, 16));
  return codePoint(char);
}

/** @returns "U+0041" */
export function codePoint(char: string): string {
  return "U+" + (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
}

/** Whether a character has a visible glyph: it is neither white space nor shown by name. */
export function showsItself(char: string) {
  return !HIDDEN.test(char);
}

/** Combining marks at the start of a text. */
export function leadingMarks(text: string) {
  return text.match(COMBINING)?.[0] ?? "";
}

/** Whether every character has a visible glyph, so that no mark is needed. */
export function isPlain(text: string) {
  return PLAIN.test(text);
}

const NONE = new Set<string>();

/**
 * Divide text into its visible forms, like `shown_pieces` of marks.py; `mark` is the class of a drawn mark, "" for
 * plain text.
 * @param fontless characters shown by code point, since no font has them
 */
export function shownPieces(text: string, fontless: Set<string> = NONE): ShownPiece[] {
  const pieces = visiblePieces(text);
  if (!fontless.size || PLAIN.test(text)) return pieces;
  const shown = pieces.flatMap((piece) => (piece.mark ? [piece] : withCodePoints(piece, fontless)));
  return shown.filter(({ mark }, at) => mark !== "m circle" || shown[at + 1]?.mark !== "m name fontless");
}

/** @param piece without a mark */
function withCodePoints({ from, text }: ShownPiece, fontless: Set<string>): ShownPiece[] {
  const pieces: ShownPiece[] = [];
  let at = from;
  for (const char of text) {
    const isShown = !fontless.has(char);
    const last = pieces.at(-1);
    if (isShown && last && !last.mark) {
      last.text += char;
      last.to += char.length;
    } else if (isShown) pieces.push({ from: at, to: at + char.length, text: char, mark: "" });
    else pieces.push({ from: at, to: at + char.length, text: codePoint(char), mark: "m name fontless" });
    at += char.length;
  }
  return pieces;
}

function visiblePieces(text: string): ShownPiece[] {
  if (PLAIN.test(text) || !(HIDDEN.test(text) || COMBINING.test(text)))
    return [{ from: 0, to: text.length, text, mark: "" }];
  const pieces: ShownPiece[] = [];
  const addPlain = (from: number, to: number) => {
    if (from === to) return;
    const shown = text.slice(from, to);
    const isBare = (!pieces.length || pieces.at(-1)?.mark) && leadingMarks(shown) !== "";
    if (isBare) pieces.push({ from, to: from, text: CIRCLE, mark: "m circle" });
    pieces.push({ from, to, text: shown, mark: "" });
  };
  let done = 0;
  // matchAll would copy this large RegExp at every call
  CARE.lastIndex = 0;
  for (let match = CARE.exec(text); match; match = CARE.exec(text)) {
    const [char, emoji] = match;
    if (emoji) continue;
    addPlain(done, match.index);
    done = match.index + char.length;
    const sign = WHITE_SPACE[char];
    pieces.push({
      from: match.index,
      to: done,
      text: sign ?? nameOf(char),
      mark: sign ? WHITE_SPACE_CLASSES[char] : "m name",
    });
  }
  addPlain(done, text.length);
  return pieces;
}

/** Plain text with names in brackets, identical to `marked` of marks.py. */
export function markedText(text: string) {
  return shownPieces(text)
    .map(({ text: shown, mark }) => (mark === "m name" ? `[${shown}]` : shown))
    .join("");
}
