// @ts-check
// Items of all stages, and the links between items that come from the same characters.

/** @typedef {"chars" | "pieces" | "words" | "tokens" | "out" | "decoded"} ItemKind */
/** @typedef {{ kind: ItemKind, p: number, i: number, at: number }} Item item i of passage p, index `at` in its stage */

// In every list: s, e are the characters of the original that an item covers; ns, ne those of the normalized text.
/** @typedef {{ s: number[], e: number[], text: string[], rest: number }} Covering */
/** @typedef {Covering & { ns: number[], ne: number[], changed: number[] }} PiecesWire */
/** @typedef {Covering & { ns: number[], ne: number[] }} WordsWire */
/**
 * `word`: word of the token, -1 for a special token; `hex`: its bytes; `over`: the whole character, if the token has
 * only a part of it and `text` is null; `part`: which part.
 * @typedef {Omit<Covering, "text"> & { ns: number[], ne: number[], text: (string | null)[], id: number[],
 *   word: number[], hex: string[], over: string[], part: string[], special: number[], kept?: [number, number] }}
 *   TokensWire
 */
/** @typedef {Covering & { first: number[], end: number[] }} DecodedWire tokens first … end - 1 of each piece */
/**
 * `said`: in a chat, the characters of the messages; the others are markup of the chat.
 * @typedef {{ name: string, text: string, total: number, names: string[], said?: [number, number][],
 *   pieces: PiecesWire, words: WordsWire, tokens: TokensWire, decoded: DecodedWire,
 *   loss: [] | [stage: string, what: string, became: string, where: string] }} PassageWire
 */
/**
 * Output ids: passage (-1: from the template, or padding) and token of each, the ids added to the vocabulary, and the
 * positions of pad tokens.
 * @typedef {{ id: number[], passage: number[], token: number[], names: Record<number, string>, added: number[],
 *   pads?: number[], type: number[], types: boolean, rest: number }} OutWire
 */
/** @typedef {PassageWire & { chars: string[] }} Passage */

/** @type {ItemKind[]} */
export const KINDS = ["chars", "pieces", "words", "tokens", "out", "decoded"];
const LONGEST_RUN = 24; // unchanged characters drawn together

/** All items of a drawing. */
export class Links {
  /**
   * @param {PassageWire[]} passages
   * @param {OutWire} out
   */
  constructor(passages, out) {
    /** @type {Passage[]} */
    this.passages = passages.map((passage) => ({ ...passage, chars: [...passage.text] }));
    this.out = out;
    this.specials = passages.map(({ tokens }) => new Set(tokens.special));
    this.changed = passages.map(({ pieces }) => new Set(pieces.changed));
    /** @type {Record<ItemKind, Item[]>} */
    this.items = { chars: [], pieces: [], words: [], tokens: [], out: [], decoded: [] };
  }

  /**
   * Append the next item of a stage.
   * @param {ItemKind} kind
   * @param {number} p
   * @param {number} i
   * @returns {Item}
   */
  add(kind, p, i) {
    const item = { kind, p, i, at: this.items[kind].length };
    this.items[kind].push(item);
    return item;
  }

  /**
   * Number of items of a passage in a stage.
   * @param {ItemKind} kind
   * @param {number} p
   */
  count(kind, p) {
    if (kind === "out") return this.out.id.length;
    return kind === "chars" ? this.passages[p].chars.length : this.passages[p][kind].text.length;
  }

  /**
   * Number of items of a passage that are not drawn.
   * @param {ItemKind} kind
   * @param {number} p
   */
  rest(kind, p) {
    const passage = this.passages[p];
    if (kind === "chars") return passage.total - passage.chars.length;
    return kind === "decoded" || kind === "out" ? 0 : passage[kind].rest;
  }

  /**
   * Whether a normalized piece differs from its source.
   * @param {number} p
   * @param {number} i
   */
  isChanged(p, i) {
    return this.changed[p].has(i);
  }

  /**
   * In a chat: whether a character belongs to a message rather than the markup.
   * @param {number} p
   * @param {number} char
   */
  isSaid(p, char) {
    return Boolean(this.passages[p].said?.some(([start, end]) => start <= char && char < end));
  }

  /**
   * Whether a token is a special token written in a message.
   * @param {number} p
   * @param {number} t
   */
  isForged(p, t) {
    const { tokens } = this.passages[p];
    return tokens.word[t] < 0 && this.isSaid(p, tokens.s[t]);
  }

  /**
   * Whether truncation removed an item: a token, or a decoded piece with all its tokens.
   * @param {ItemKind} kind
   * @param {number} p
   * @param {number} i
   */
  isRemoved(kind, p, i) {
    if ((kind !== "tokens" && kind !== "decoded") || !this.passages[p].tokens.kept) return false;
    const { tokens, decoded } = this.passages[p];
    const [start, end] = tokens.kept ?? [0, 0];
    const [first, last] = kind === "tokens" ? [i, i + 1] : [decoded.first[i], decoded.end[i]];
    return last <= start || first >= end;
  }

  /**
   * Whether an output id is a pad token.
   * @param {number} i
   */
  isPad(i) {
    return Boolean(this.out.pads?.includes(i));
  }

  /**
   * Whether an item ends its line, by a newline as a character, in a word or in a token.
   * @param {ItemKind} kind
   * @param {number} p
   * @param {number} i
   */
  endsLine(kind, p, i) {
    if (kind === "out") return false;
    const text = kind === "chars" ? this.passages[p].chars[i] : this.passages[p][kind].text[i];
    return Boolean(text?.endsWith("\n"));
  }

  /**
   * End of a run of unchanged pieces drawn together: the next white space or change.
   * @param {number} p
   * @param {number} from
   */
  runEnd(p, from) {
    const { text, s, e } = this.passages[p].pieces;
    let end = from;
    while (end < Math.min(text.length, from + LONGEST_RUN) && !this.isChanged(p, end)) {
      if (end > from && s[end] !== e[end - 1]) break;
      if (/\s/u.test(text[end++])) break;
    }
    return end;
  }

  /**
   * Characters of the original that an item covers; null for a token of the template.
   * @param {Item} item
   * @returns {[start: number, end: number] | null}
   */
  range({ kind, p, i }) {
    if (kind === "chars") return [i, i + 1];
    if (kind === "out") {
      if (p < 0) return null;
      const { tokens } = this.passages[p];
      return [tokens.s[this.out.token[i]], tokens.e[this.out.token[i]]];
    }
    return [this.passages[p][kind].s[i], this.passages[p][kind].e[i]];
  }

  /**
   * Items that share characters with this one; in the stages of tokens only the token itself.
   * @param {Item} item
   * @returns {Item[]}
   */
  linked(item) {
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

  /**
   * @param {Item} item
   * @returns {Item[]}
   */
  ofChar(item) {
    const { s, e, ns, ne } = this.passages[item.p].pieces;
    const around = [...s.keys()].filter((at) => s[at] <= item.i && item.i < e[at]);
    if (!around.length) return [item];
    return [item, ...this.ofNormalized(item.p, ns[around[0]], ne[around[around.length - 1]])];
  }

  /**
   * @param {Item} item
   * @returns {Item[]}
   */
  ofWord(item) {
    const { p, i } = item;
    const { words, tokens } = this.passages[p];
    return [
      ...this.within(p, words.s[i], words.e[i]),
      ...this.touching("pieces", p, words.ns[i], words.ne[i]),
      item,
      ...tokens.word.flatMap((word, t) => (word === i ? this.tokenItems(p, t) : [])),
    ];
  }

  /**
   * @param {number} p
   * @param {number} t
   * @returns {Item[]}
   */
  ofToken(p, t) {
    const { tokens } = this.passages[p];
    return [
      ...this.within(p, tokens.s[t], tokens.e[t]),
      ...this.touching("pieces", p, tokens.ns[t], tokens.ne[t]),
      ...this.items.words.filter((item) => item.p === p && item.i === tokens.word[t]),
      ...this.tokenItems(p, t),
    ];
  }

  /**
   * @param {number} p
   * @param {number} i
   * @returns {Item[]}
   */
  ofDecoded(p, i) {
    const { first, end } = this.passages[p].decoded;
    /** @type {Set<Item>} */
    const found = new Set();
    for (let t = first[i]; t < end[i]; t++) this.ofToken(p, t).forEach((each) => found.add(each));
    return [...found];
  }

  /**
   * Items that come from the characters start … end of the normalized text.
   * @param {number} p
   * @param {number} start
   * @param {number} end
   * @returns {Item[]}
   */
  ofNormalized(p, start, end) {
    const { ns, ne } = this.passages[p].tokens;
    return [
      ...this.touching("pieces", p, start, end),
      ...this.touching("words", p, start, end),
      ...[...ns.keys()].filter((t) => ns[t] < end && ne[t] > start).flatMap((t) => this.tokenItems(p, t)),
    ];
  }

  /**
   * Items of a token in the last three stages.
   * @param {number} p
   * @param {number} t
   */
  tokenItems(p, t) {
    const { first, end } = this.passages[p].decoded;
    return [
      ...this.items.tokens.filter((item) => item.p === p && item.i === t),
      ...this.items.out.filter((item) => item.p === p && this.out.token[item.i] === t),
      ...this.items.decoded.filter((item) => item.p === p && first[item.i] <= t && t < end[item.i]),
    ];
  }

  /**
   * @param {number} p
   * @param {number} start
   * @param {number} end
   */
  within(p, start, end) {
    return this.items.chars.filter((item) => item.p === p && start <= item.i && item.i < end);
  }

  /**
   * @param {"pieces" | "words"} kind
   * @param {number} p
   * @param {number} start
   * @param {number} end
   */
  touching(kind, p, start, end) {
    const { ns, ne } = this.passages[p][kind];
    return this.items[kind].filter((item) => item.p === p && ns[item.i] < end && ne[item.i] > start);
  }

  /**
   * Linked item in the nearest stage that has one: after this item's stage (step 1) or before it (-1).
   * @param {Item} item
   * @param {number} step
   * @returns {Item | undefined}
   */
  across(item, step) {
    const links = this.linked(item);
    for (let at = KINDS.indexOf(item.kind) + step; KINDS[at]; at += step) {
      const next = links.find((each) => each.kind === KINDS[at]);
      if (next) return next;
    }
    return undefined;
  }
}
