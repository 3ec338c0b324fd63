// Columns for a window of tokens: one per byte; characters and tokens span as many as they have bytes.

import { rangeOf } from "../../page/numbers.ts";
import { isRtl, startsRtl } from "../../tokens/direction.ts";
import { hexOf, type Tokens, type CharacterPart } from "../../tokens/spans.ts";
import { t, tn } from "../../i18n/words.ts";

/** Column of a byte. A token without bytes also gets a column, without hex. */
interface ByteColumn {
  hex: string;
  token: number; // -1 for none
}

interface CharColumns {
  text: string;
  first: number;
  count: number;
  of: number; // bytes of the whole character
  hidden: number; // how many of them precede the window
}

export interface TokenColumns {
  first: number;
  count: number;
}

const NEAR = 0.6; // share of a block's width from which a token's end may end the block
const NARROW = 9_999; // largest id that fits one column unscaled
const TIGHT = 99_999;

/** Characters, bytes and tokens with their columns. */
export class Columns {
  readonly bytes: ByteColumn[] = [];
  readonly chars: CharColumns[] = [];
  readonly tokens: TokenColumns[] = [];

  constructor(tokens: Tokens) {
    for (let at = 0; at < tokens.length; at++) {
      this.addText(tokens.gaps[at] ?? "", -1);
      const first = this.bytes.length;
      const [head, tail] = [tokens.head(at), tokens.tail(at)];
      if (head) this.addPart(head, at);
      this.addText(tokens.texts[at], at);
      if (tail) this.addPart(tail, at);
      if (this.bytes.length === first) this.bytes.push({ hex: "", token: at });
      this.tokens.push({ first, count: this.bytes.length - first });
    }
    this.addText(tokens.gaps[tokens.length] ?? "", -1);
  }

  private addText(text: string, token: number) {
    for (const char of text) {
      const hexes = hexOf(char).split(" ");
      this.chars.push({ text: char, first: this.bytes.length, count: hexes.length, of: hexes.length, hidden: 0 });
      this.addBytes(hexes, token);
    }
  }

  /** Add part of a character: extends the previous one if that was left open at this byte. */
  private addPart([char, first, last, of, hex]: CharacterPart, token: number) {
    const before = this.chars.at(-1);
    const count = last - first + 1;
    const goesOn = first > 1 && before?.text === char && before.hidden + before.count === first - 1;
    if (goesOn) before.count += count;
    else this.chars.push({ text: char, first: this.bytes.length, count, of, hidden: first - 1 });
    this.addBytes(hex.split(" "), token);
  }

  private addBytes(hexes: string[], token: number) {
    for (const hex of hexes) this.bytes.push({ hex, token });
  }

  /** Whether each block runs right to left: decided by the first character with a direction in its line. */
  directions(blocks: { from: number; to: number }[]) {
    if (!this.chars.some(({ text }) => isRtl(text))) return blocks.map(() => false);
    let rtl = false;
    let isLineStart = true;
    return blocks.map(({ from, to }) => {
      const at = this.chars.findIndex(({ first }) => first >= from);
      if (isLineStart && at >= 0) rtl = this.isRtlFrom(at);
      isLineStart = this.chars.some(({ text, first }) => text === "\n" && first >= from && first < to);
      return rtl;
    });
  }

  /** @param at first character of a line */
  private isRtlFrom(at: number) {
    const end = this.chars.findIndex(({ text }, i) => i >= at && text === "\n");
    const line = this.chars.slice(at, end < 0 ? undefined : end);
    return startsRtl(line.map(({ text }) => text).join(""));
  }

  /** Number of tokens that share a character. */
  owners({ first, count }: CharColumns) {
    return new Set(this.bytes.slice(first, first + count).map(({ token }) => token)).size;
  }

  /**
   * Divide the columns into blocks of a width: after a newline, else at a token's end if one is near, else at a
   * character's end.
   * @param width in columns
   */
  blocks(width: number): { from: number; to: number }[] {
    const ends = new Set(this.tokens.map(({ first, count }) => first + count));
    const blocks = [];
    let nextChar = 0;
    for (let from = 0; from < this.bytes.length;) {
      let to = from;
      let tokenEnd = from;
      while (to < this.bytes.length) {
        const char = this.chars[nextChar];
        const isChar = char !== undefined && char.first <= to; // a token without bytes has no character
        const upTo = isChar ? to + char.count : to + 1;
        if (upTo - from > width && to > from) break;
        if (isChar) nextChar++;
        to = upTo;
        if (ends.has(to)) tokenEnd = to;
        if (isChar && char.text === "\n") {
          tokenEnd = to;
          break;
        }
      }
      if (to < this.bytes.length && tokenEnd - from > width * NEAR) to = tokenEnd;
      while (nextChar > 0 && this.chars[nextChar - 1].first >= to) nextChar--;
      blocks.push({ from, to });
      from = to;
    }
    return blocks;
  }
}

/**
 * Label of the part of a character that a token holds.
 * @param short whether space is tight
 */
export function partText([, first, last, of]: CharacterPart, short: boolean) {
  const values = { range: rangeOf(first, last), all: of };
  if (short) return t("{range} of {all}", values);
  return tn("byte {range} of {all}", "bytes {range} of {all}", last - first + 1, values);
}

/** CSS class that makes an id fit its columns; "" if it fits unscaled. */
export function idClass(id: number, columns: number) {
  if (columns > 1 || id <= NARROW) return "";
  return id > TIGHT ? "tight" : "narrow";
}
