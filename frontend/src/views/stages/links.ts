// Items of all stages, and the links between items that come from the same characters.

export type ItemKind = "chars" | "pieces" | "words" | "tokens" | "out" | "decoded";

/** Item i of passage p, index `at` in its stage. */
export interface Item {
  kind: ItemKind;
  p: number;
  i: number;
  at: number;
}

// In every list: s, e are the characters of the original that an item covers; ns, ne those of the normalized text.
interface Covering {
  s: number[];
  e: number[];
  text: string[];
  rest: number;
}

interface PiecesWire extends Covering {
  ns: number[];
  ne: number[];
  changed: number[];
}

interface WordsWire extends Covering {
  ns: number[];
  ne: number[];
}

interface TokensWire extends Omit<Covering, "text"> {
  ns: number[];
  ne: number[];
  text: (string | null)[];
  id: number[];
  word: number[]; // of the token, -1 for a special token
  hex: string[];
  /** The whole character, if the token has only a part of it and `text` is null. */
  over: string[];
  part: string[]; // which part
  special: number[];
  /** In a chat, who wrote each token: 0 the template, 1 a message, 2 both. */
  by?: number[];
  kept?: [number, number];
}

/** Tokens first … end - 1 of each piece. */
interface DecodedWire extends Covering {
  first: number[];
  end: number[];
}

export interface PassageWire {
  name: string;
  text: string;
  total: number;
  names: string[];
  /** In a chat, the characters of the messages; the others are markup of the chat. */
  said?: [number, number][];
  pieces: PiecesWire;
  words: WordsWire;
  tokens: TokensWire;
  decoded: DecodedWire;
  loss: [] | [stage: string, what: string, became: string, where: string];
}

/**
 * Output ids: passage (-1: from the template, or padding) and token of each, the ids added to the vocabulary, and the
 * positions of pad tokens.
 */
export interface OutWire {
  id: number[];
  passage: number[];
  token: number[];
  names: Record<number, string>;
  added: number[];
  pads?: number[];
  type: number[];
  types: boolean;
  rest: number;
}

export interface Passage extends PassageWire {
  chars: string[];
}

export const KINDS: ItemKind[] = ["chars", "pieces", "words", "tokens", "out", "decoded"];
const LONGEST_RUN = 24; // unchanged characters drawn together

/** All items of a drawing. */
export class Links {
  readonly passages: Passage[];
  readonly out: OutWire;
  readonly specials: Set<number>[];
  private readonly changed: Set<number>[];
  readonly items: Record<ItemKind, Item[]> = { chars: [], pieces: [], words: [], tokens: [], out: [], decoded: [] };

  constructor(passages: PassageWire[], out: OutWire) {
    this.passages = passages.map((passage) => ({ ...passage, chars: [...passage.text] }));
    this.out = out;
    this.specials = passages.map(({ tokens }) => new Set(tokens.special));
    this.changed = passages.map(({ pieces }) => new Set(pieces.changed));
  }

  /** Append the next item of a stage. */
  add(kind: ItemKind, p: number, i: number): Item {
    const item = { kind, p, i, at: this.items[kind].length };
    this.items[kind].push(item);
    return item;
  }

  /** Number of items of a passage in a stage. */
  count(kind: ItemKind, p: number) {
    if (kind === "out") return this.out.id.length;
    return kind === "chars" ? this.passages[p].chars.length : this.passages[p][kind].text.length;
  }

  /** Number of items of a passage that are not drawn. */
  rest(kind: ItemKind, p: number) {
    const passage = this.passages[p];
    if (kind === "chars") return passage.total - passage.chars.length;
    return kind === "decoded" || kind === "out" ? 0 : passage[kind].rest;
  }

  /** Whether a normalized piece differs from its source. */
  isChanged(p: number, i: number) {
    return this.changed[p].has(i);
  }

  /** In a chat: whether a character belongs to a message rather than the markup. */
  isSaid(p: number, char: number) {
    return Boolean(this.passages[p].said?.some(([start, end]) => start <= char && char < end));
  }

  /** Whether a token is a special token written in a message. */
  isForged(p: number, t: number) {
    const { tokens } = this.passages[p];
    return tokens.word[t] < 0 && this.isSaid(p, tokens.s[t]);
  }

  /** Whether truncation removed an item: a token, or a decoded piece with all its tokens. */
  isRemoved(kind: ItemKind, p: number, i: number) {
    if ((kind !== "tokens" && kind !== "decoded") || !this.passages[p].tokens.kept) return false;
    const { tokens, decoded } = this.passages[p];
    const [start, end] = tokens.kept ?? [0, 0];
    const [first, last] = kind === "tokens" ? [i, i + 1] : [decoded.first[i], decoded.end[i]];
    return last <= start || first >= end;
  }

  /** Whether an output id is a pad token. */
  isPad(i: number) {
    return Boolean(this.out.pads?.includes(i));
  }

  /** Whether an item ends its line, by a newline as a character, in a word or in a token. */
  endsLine(kind: ItemKind, p: number, i: number) {
    if (kind === "out") return false;
    const text = kind === "chars" ? this.passages[p].chars[i] : this.passages[p][kind].text[i];
    return Boolean(text?.endsWith("\n"));
  }

  /** End of a run of unchanged pieces drawn together: the next white space or change. */
  runEnd(p: number, from: number) {
    const { text, s, e } = this.passages[p].pieces;
    let end = from;
    while (end < Math.min(text.length, from + LONGEST_RUN) && !this.isChanged(p, end)) {
      if (end > from && s[end] !== e[end - 1]) break;
      if (/\s/u.test(text[end++])) break;
    }
    return end;
  }

  /** Characters of the original that an item covers; null for a token of the template. */
  range({ kind, p, i }: Item): [start: number, end: number] | null {
    if (kind === "chars") return [i, i + 1];
    if (kind === "out") {
      if (p < 0) return null;
      const { tokens } = this.passages[p];
      return [tokens.s[this.out.token[i]], tokens.e[this.out.token[i]]];
    }
    return [this.passages[p][kind].s[i], this.passages[p][kind].e[i]];
  }

  /** Items that share characters with this one; in the stages of tokens only the token itself. */
  linked(item: Item): Item[] {
    const { kind, p, i } = item;
    switch (kind) {
      case "out":
        return p < 0 ? [item] : this.ofToken(p, this.out.token[i]);
      case "tokens":
        return this.ofToken(p, i);
      case "decoded":
        return this.ofDecoded(p, i);
      case "words":
        return this.ofWord(item);
      case "pieces": {
        const { pieces } = this.passages[p];
        return [...this.within(p, pieces.s[i], pieces.e[i]), ...this.ofNormalized(p, pieces.ns[i], pieces.ne[i])];
      }
      default:
        return this.ofChar(item);
    }
  }

  private ofChar(item: Item): Item[] {
    const { s, e, ns, ne } = this.passages[item.p].pieces;
    const around = [...s.keys()].filter((at) => s[at] <= item.i && item.i < e[at]);
    if (!around.length) return [item];
    return [item, ...this.ofNormalized(item.p, ns[around[0]], ne[around[around.length - 1]])];
  }

  private ofWord(item: Item): Item[] {
    const { p, i } = item;
    const { words, tokens } = this.passages[p];
    return [
      ...this.within(p, words.s[i], words.e[i]),
      ...this.touching("pieces", p, words.ns[i], words.ne[i]),
      item,
      ...tokens.word.flatMap((word, t) => (word === i ? this.tokenItems(p, t) : [])),
    ];
  }

  private ofToken(p: number, t: number): Item[] {
    const { tokens } = this.passages[p];
    return [
      ...this.within(p, tokens.s[t], tokens.e[t]),
      ...this.touching("pieces", p, tokens.ns[t], tokens.ne[t]),
      ...this.items.words.filter((item) => item.p === p && item.i === tokens.word[t]),
      ...this.tokenItems(p, t),
    ];
  }

  private ofDecoded(p: number, i: number): Item[] {
    const { first, end } = this.passages[p].decoded;
    const found = new Set<Item>();
    for (let t = first[i]; t < end[i]; t++) this.ofToken(p, t).forEach((each) => found.add(each));
    return [...found];
  }

  /** Items that come from the characters start … end of the normalized text. */
  private ofNormalized(p: number, start: number, end: number): Item[] {
    const { ns, ne } = this.passages[p].tokens;
    return [
      ...this.touching("pieces", p, start, end),
      ...this.touching("words", p, start, end),
      ...[...ns.keys()].filter((t) => ns[t] < end && ne[t] > start).flatMap((t) => this.tokenItems(p, t)),
    ];
  }

  /** Items of a token in the last three stages. */
  private tokenItems(p: number, t: number) {
    const { first, end } = this.passages[p].decoded;
    return [
      ...this.items.tokens.filter((item) => item.p === p && item.i === t),
      ...this.items.out.filter((item) => item.p === p && this.out.token[item.i] === t),
      ...this.items.decoded.filter((item) => item.p === p && first[item.i] <= t && t < end[item.i]),
    ];
  }

  private within(p: number, start: number, end: number) {
    return this.items.chars.filter((item) => item.p === p && start <= item.i && item.i < end);
  }

  private touching(kind: "pieces" | "words", p: number, start: number, end: number) {
    const { ns, ne } = this.passages[p][kind];
    return this.items[kind].filter((item) => item.p === p && ns[item.i] < end && ne[item.i] > start);
  }

  /** Linked item in the nearest stage that has one: after this item's stage (step 1) or before it (-1). */
  across(item: Item, step: number): Item | undefined {
    const links = this.linked(item);
    for (let at = KINDS.indexOf(item.kind) + step; KINDS[at]; at += step) {
      const next = links.find((each) => each.kind === KINDS[at]);
      if (next) return next;
    }
    return undefined;
  }
}
