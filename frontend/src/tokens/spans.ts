// Tokens of a payload, and their colours. Python's side is spans.py.

import { rangeOf, shownNumber } from "../page/numbers.ts";
import { t, tn } from "../i18n/words.ts";
import { codePoint, leadingMarks, markedText, shownPieces, type ShownPiece } from "./marks.ts";

/** Bytes first … last, from 1, of a character that has `of` of them. */
export type CharacterPart = [char: string, first: number, last: number, of: number, hex: string];
export type Piece = [shown: string, isHex: number | boolean];
/** A token by itself; a text alone, or pieces. */
export type ChipWire = [id: number, pieces: string | Piece[], above?: string, special?: number];

/** Tokens side by side. */
export interface WordWire {
  word: ChipWire[];
  more: number; // tokens that are not in it
}

/** `TokenSpans.payload()` of spans.py. */
export interface TokensBody {
  first: number;
  total: number;
  ids: number[];
  texts: string[];
  char: number;
  steps: number[];
  heads: Record<number, number>;
  tails: Record<number, number>;
  parts: CharacterPart[];
  gaps: Record<number, string>;
  labels: Record<number, string>;
  notes: Record<number, string>;
  special: number[];
  words: number[]; // tokens that begin a word of the split
  means?: string[]; // `keyOf` of each token, where texts are its spelling in a file
  unseen?: Record<string, string>; // names of characters that are not seen as they are
}

/** Bytes of a lane's tokens, as they are sent. */
export interface PlacedTokens {
  sizes: number[];
  jumps: Record<number, number>; // by token that does not follow directly: bytes since the previous one's end
}

const LONGEST_SHOWN = 200;
const encoder = new TextEncoder();

/** Colour of a token, 0 … 7: a hash of the bytes of its `keyOf`, as colour_number of bpe_core/drawing/token_spans.py. */
export function colour(pieces: string | Piece[]) {
  let hash = 0x811c9dc5; // FNV-1a, then scattered: its first and last bits barely differ between short texts
  keyOf(pieces).split(/\0([0-9A-F]{2})/).forEach((part, at) => {
    for (const byte of at % 2 ? [parseInt(part, 16)] : encoder.encode(part)) hash = Math.imul(hash ^ byte, 0x01000193);
  });
  return Math.imul(hash, 4113493667) >>> 29;
}

/** @returns its UTF-8 as "E3 81 93" */
export function hexOf(text: string): string {
  return Array.from(encoder.encode(text), (byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ");
}

/** Text as a string literal: "the", "\n", "\u{200b}". */
export function quoted(text: string) {
  const cut = text.slice(0, LONGEST_SHOWN);
  const shown = `"${shownPieces(cut).map(inCode).join("")}"`;
  if (text.length <= LONGEST_SHOWN) return shown;
  return t("{text} \u2026 ({count} characters)", { text: shown, count: shownNumber(text.length) });

  function inCode({ from, to, mark }: ShownPiece, at: number, pieces: ShownPiece[]) {
    const source = cut.slice(from, to);
    if (mark === "m name" || mark === "m wide") return codePointEscape(source);
    // combining marks without a base would be drawn on the preceding character
    const marks = pieces[at - 1]?.mark === "m circle" ? leadingMarks(source) : "";
    return [...marks].map(codePointEscape).join("") + JSON.stringify(source.slice(marks.length)).slice(1, -1);
  }
}

function codePointEscape(char: string) {
  return `\\u{${char.codePointAt(0)?.toString(16)}}`;
}

/** Identity of a token by what it stands for, the same in all tokenizers: its text, and each byte of a divided character. */
export function keyOf(pieces: string | Piece[]): string {
  if (typeof pieces !== "string") return pieces.map(([shown, isHex]) => (isHex ? hexKey(shown) : keyOf(shown))).join("");
  return pieces.replace(/^##(?=\p{L})|(?<=.)<\/w>$/gu, "").replace(/^\u2581/, " ");
}

function hexKey(hex = "") {
  return hex.replace(/ ?(\w\w)/g, "\0$1");
}

/** Accessible name of a chip. */
export function chipReading([, pieces]: ChipWire) {
  return typeof pieces === "string" ? quoted(pieces) : pieces.map(([shown]) => shown).join(" ");
}

/** The byte at which each token begins, and the one at which it ends. */
export function edgesOf({ sizes, jumps }: PlacedTokens): [begin: number[], end: number[]] {
  let byte = 0;
  const begin: number[] = [];
  const end = sizes.map((size, at) => {
    begin.push((byte += jumps[at] ?? 0));
    return (byte += size);
  });
  return [begin, end];
}

/** Parallel lists of one payload; `at` counts from the first token sent. */
export class Tokens {
  readonly first: number;
  readonly total: number;
  readonly ids: number[];
  readonly texts: string[];
  readonly gaps: Record<number, string>;
  readonly labels: Record<number, string>;
  readonly notes: Record<number, string>;
  readonly parts: CharacterPart[];
  readonly special: Set<number>;
  readonly words: Set<number>;
  readonly length: number;
  private readonly unseen: Record<string, string>;
  private readonly heads: Record<number, number>;
  readonly tails: Record<number, number>;
  private readonly firstChar: number;
  private readonly steps: number[];
  private charStarts: number[] | null = null;
  private knownKeys: string[] | null = null;
  private readonly colourOf = new Map<string, number>();

  constructor(body: TokensBody) {
    this.first = body.first;
    this.total = body.total;
    this.ids = body.ids;
    this.texts = body.texts;
    this.gaps = body.gaps;
    this.labels = body.labels;
    this.notes = body.notes;
    this.parts = body.parts;
    this.special = new Set(body.special);
    this.words = new Set(body.words);
    this.knownKeys = body.means ?? null;
    this.unseen = body.unseen ?? {};
    this.length = body.ids.length;
    this.heads = body.heads;
    this.tails = body.tails;
    this.firstChar = body.char;
    this.steps = body.steps;
  }

  /** Colour of a token, computed once for all of its text. */
  colour(at: number) {
    const key = this.keys()[at];
    let number = this.colourOf.get(key);
    if (number === undefined) this.colourOf.set(key, (number = colour(key)));
    return number;
  }

  /** Part of a character at a token's start, if the token starts within a character. */
  head(at: number): CharacterPart | undefined {
    return this.parts[this.heads[at]];
  }

  /** Part of a character at a token's end, if the token ends within a character. */
  tail(at: number): CharacterPart | undefined {
    return this.parts[this.tails[at]];
  }

  /** Number of the character in which a token starts. */
  charStart(at: number) {
    if (!this.charStarts) {
      let char = this.firstChar;
      this.charStarts = [char, ...this.steps.map((step) => (char += step))];
    }
    return this.charStarts[at];
  }

  /** Identity of every token: `keyOf`. */
  keys(): string[] {
    if (!this.knownKeys) {
      const keys = this.texts.slice();
      for (const at of [...Object.keys(this.heads), ...Object.keys(this.tails)].map(Number))
        keys[at] = hexKey(this.head(at)?.[4]) + this.texts[at] + hexKey(this.tail(at)?.[4]);
      for (const [at, label] of Object.entries(this.labels)) keys[Number(at)] = keyOf(label);
      this.knownKeys = keys;
    }
    return this.knownKeys;
  }

  /** Readable text of a token, including whole split characters. */
  reading(at: number) {
    return (this.head(at)?.[0] ?? "") + this.texts[at] + (this.tail(at)?.[0] ?? "");
  }

  /** Bytes of a token in hex, up to a limit. */
  hex(at: number) {
    const text = this.texts[at];
    const middle = hexOf(text.slice(0, LONGEST_SHOWN));
    const bytes = [this.head(at)?.[4], middle, this.tail(at)?.[4]].filter(Boolean).join(" ");
    return bytes + (text.length > LONGEST_SHOWN ? " \u2026" : "");
  }

  /** "bytes 1–2 of 3 of こ" for each part of a character that the token holds. */
  partNames(at: number) {
    return [this.head(at), this.tail(at)].flatMap((part) => {
      if (!part) return [];
      const [char, first, last, of] = part;
      const values = { range: rangeOf(first, last), all: of, character: markedText(char) };
      return [
        tn("byte {range} of {all} of {character}", "bytes {range} of {all} of {character}", last - first + 1, values),
      ];
    });
  }

  /** "U+3000 ideographic space" for each character of a token that is not seen as it is. */
  unseenNames(at: number) {
    return [...new Set(this.texts[at])].flatMap((char) =>
      this.unseen[char] ? `${codePoint(char)} ${this.unseen[char]}` : [],
    );
  }

  /** Range of characters that a token covers. */
  range(at: number) {
    const first = this.charStart(at) + 1;
    const count = [...this.reading(at)].length;
    if (!count) return t("no characters");
    return tn("character {range}", "characters {range}", count, { range: rangeOf(first, first + count - 1) });
  }

  /** Accessible description of a token. */
  spoken(at: number) {
    const token = this.partNames(at).join(", ") || this.labels[at] || quoted(this.texts[at]);
    if (this.ids[at] < 0) return token; // a word of a dictionary
    const values = { number: this.first + at + 1, id: this.ids[at], token, note: this.notes[at] };
    return values.note
      ? t("token {number}, id {id}, {token}, {note}", values)
      : t("token {number}, id {id}, {token}", values);
  }
}

/** Body of a payload without tokens, to be filled. */
export function emptyBody(): TokensBody {
  return {
    first: 0,
    total: 0,
    ids: [],
    texts: [],
    char: 0,
    steps: [],
    heads: {},
    tails: {},
    parts: [],
    gaps: {},
    labels: {},
    notes: {},
    special: [],
    words: [],
  };
}

/** Initial value of a view before its first payload. */
export const NO_TOKENS = new Tokens(emptyBody());
