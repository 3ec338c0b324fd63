// Tokens of a text at any step of its training, computed from its base symbols and the merge that joined each symbol to
// the previous one. Python's side is bpe_core/bpe/text_symbols.py; the result equals that of spans.py for the core's tokens
// of that step.

import { emptyBody, hexOf, type TokensBody, type CharacterPart } from "./spans.ts";

export interface SymbolsBody {
  text: string;
  /** Whether the text includes the start of the whole text. */
  begins: boolean;
  /** Whether it includes the end. */
  ends: boolean;
  /** Id of the first merge's token. */
  firstId: number;
  ids: number[];
  /** Rank of the merge that joined each symbol to the previous one, -1 for none. */
  joined: number[];
  /** The rank for the symbol after the text. */
  joinedAfter: number;
  /** Bytes of each symbol, null if all have one. */
  sizes: number[] | null;
  /** Bytes outside words, by the symbol after them. */
  skips: Record<number, number>;
  /** Label of the end-of-word mark. */
  mark: string;
  /** Ranks at the steps before `until`, where the split changed, if they differ. */
  earlier?: { until: number; joined: number[]; joinedAfter: number };
}

interface Replayed {
  body: TokensBody;
  /** First symbol of each token, then the end of the last one. */
  symbols: number[];
  /** Tokens made by the step's merge. */
  fresh: number[];
  /** Range of the characters in the tokens and gaps, first and end. */
  chars: [number, number];
}

const NO_MERGE = -1;

/** A text in base symbols. */
export class Replay {
  private readonly body: SymbolsBody;
  private readonly count: number;
  private readonly ranks: Float64Array;
  private readonly earlier: Float64Array;
  private readonly starts: Int32Array;
  private readonly ends: Int32Array;
  readonly charBytes: number[];
  private readonly charUnits: number[];
  private readonly charOf: Int32Array;
  private readonly size: number;
  private readonly unseen: Record<string, string>;

  /** @param unseen names of characters that are not seen as they are */
  constructor(body: SymbolsBody, unseen: Record<string, string> = {}) {
    this.body = body;
    this.unseen = unseen;
    const { ids, joined, sizes, skips, joinedAfter } = body;
    this.count = ids.length;
    this.ranks = ranksOf(joined, joinedAfter);
    this.earlier = body.earlier ? ranksOf(body.earlier.joined, body.earlier.joinedAfter) : this.ranks;
    this.starts = new Int32Array(this.count + 1);
    this.ends = new Int32Array(this.count + 1);
    let at = 0;
    for (let i = 0; i < this.count; i++) {
      at += skips[i] ?? 0;
      this.starts[i] = at;
      this.ends[i] = at += sizes ? sizes[i] : 1;
    }
    const { bytes, units, of } = charactersOf(body.text);
    this.charBytes = bytes;
    this.charUnits = units;
    this.charOf = of;
    this.size = bytes[bytes.length - 1];
  }

  private isEdge(byte: number) {
    return this.charBytes[this.charOf[byte]] === byte;
  }

  /** Text between two characters, by their numbers. */
  between(first: number, end: number) {
    return first < end ? this.body.text.slice(this.charUnits[first], this.charUnits[end]) : "";
  }

  /** First symbol of each token at a step, then the end of the last one; only tokens entirely within the text. */
  private tokens(step: number, ranks: Float64Array) {
    const heads: number[] = [];
    for (let i = 0; i < this.count; i++) if (ranks[i] >= step) heads.push(i);
    if (ranks[this.count] >= step) heads.push(this.count); // otherwise the last token continues after the text
    let first = 0;
    let end = heads.length - 1;
    while (first < end && !this.isEdge(this.starts[heads[first]])) first++;
    while (end > first && !this.isEdge(this.ends[heads[end] - 1])) end--;
    return end > first ? heads.slice(first, end + 1) : [];
  }

  /** Tokens after a number of merges. */
  at(step: number): Replayed {
    const { ids, firstId, begins, ends, earlier } = this.body;
    const ranks = earlier && step < earlier.until ? this.earlier : this.ranks;
    const symbols = this.tokens(step, ranks);
    const count = Math.max(0, symbols.length - 1);
    const body: TokensBody = { ...emptyBody(), total: count, unseen: this.unseen };
    const parts = new Parts(this, body.parts);
    const firstByte = begins || !count ? 0 : this.starts[symbols[0]];
    const made = firstId + step - 1;
    const fresh: number[] = [];
    let before = firstByte;
    let lastChar = this.charOf[firstByte];
    for (let token = 0; token < count; token++) {
      let latest = NO_MERGE;
      for (let i = symbols[token] + 1; i < symbols[token + 1]; i++) if (ranks[i] > latest) latest = ranks[i];
      const id = latest === NO_MERGE ? ids[symbols[token]] : firstId + latest;
      if (id === made) fresh.push(token);
      body.ids.push(id);
      const start = this.starts[symbols[token]];
      const end = this.ends[symbols[token + 1] - 1];
      if (start > before) body.gaps[token] = this.gap(before, start);
      before = end;
      const char = this.addText(body, parts, token, start, end);
      if (token) body.steps.push(char - lastChar);
      else body.char = char - this.charOf[firstByte];
      lastChar = char;
      if (start === end) body.labels[token] = this.body.mark;
    }
    const lastByte = ends || !count ? this.size : before;
    if (lastByte > before) body.gaps[count] = this.gap(before, lastByte);
    const chars: [number, number] = [this.charOf[firstByte], this.charOf[lastByte]];
    return { body, symbols, fresh: step ? fresh : [], chars };
  }

  /**
   * Add the whole characters of a token, and the parts of others at both its ends.
   * @returns character in which the token starts
   */
  private addText(body: TokensBody, parts: Parts, token: number, start: number, end: number): number {
    const first = this.charOf[start];
    const last = this.charOf[end];
    const opens = start < end && this.charBytes[first] !== start;
    const goesOn = start < end && this.charBytes[last] !== end;
    body.texts.push(this.between(opens ? first + 1 : first, last));
    if (opens) body.heads[token] = parts.of(first, start, end);
    if (goesOn && !(opens && end <= this.charBytes[first + 1])) body.tails[token] = parts.of(last, start, end);
    return first;
  }

  /** Text outside tokens; splits have boundaries only between characters. */
  private gap(start: number, end: number) {
    return this.between(this.charOf[start], this.charOf[end]);
  }
}

function ranksOf(joined: number[], joinedAfter: number) {
  return Float64Array.from([...joined, joinedAfter], (rank) => (rank === NO_MERGE ? Infinity : rank));
}

/** Start of each character in the text's UTF-8 and in the string, and the character of each byte. */
function charactersOf(text: string) {
  const bytes = [0];
  const units = [0];
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    bytes.push(bytes[bytes.length - 1] + (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4));
    units.push(units[units.length - 1] + char.length);
  }
  const of = new Int32Array(bytes[bytes.length - 1] + 1);
  for (let char = 0; char + 1 < bytes.length; char++) of.fill(char, bytes[char], bytes[char + 1]);
  of[of.length - 1] = bytes.length - 1;
  return { bytes, units, of };
}

/** Parts of characters in tokens, each distinct part once. */
class Parts {
  private readonly replay: Replay;
  private readonly parts: CharacterPart[];
  private readonly known = new Map<string, number>();

  constructor(replay: Replay, parts: CharacterPart[]) {
    this.replay = replay;
    this.parts = parts;
  }

  /** Index of the part of a character in a range of bytes. */
  of(char: number, start: number, end: number) {
    const { charBytes } = this.replay;
    const first = Math.max(start - charBytes[char], 0) + 1;
    const last = Math.min(end, charBytes[char + 1]) - charBytes[char];
    const text = this.replay.between(char, char + 1);
    const name = `${text} ${first} ${last}`;
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const hex = hexOf(text).split(" ");
    this.known.set(name, this.parts.length);
    this.parts.push([text, first, last, hex.length, hex.slice(first - 1, last).join(" ")]);
    return this.parts.length - 1;
  }
}
