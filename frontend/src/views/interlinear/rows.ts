// One tokenizer's tokens, and facts about them that need no drawing.

import { firstOver, shownNumber } from "../../page/numbers.ts";
import { Tokens, edgesOf, quoted, type PlacedTokens, type TokensBody } from "../../tokens/spans.ts";
import { t, tn } from "../../i18n/words.ts";

export interface LaneBody extends TokensBody, PlacedTokens {
  name: string;
  unshared: number[];
  dictionary: boolean; // words of a dictionary, without ids
}

interface LegendEntry {
  marks: string[];
  words: string;
}

const CROWDED = 0.35; // share of a row's tokens with a mark above which marks are drawn as low ticks
const MOST_NAMED = 3; // maximum number of tokens without text named in the legend

/** Tokens of a tokenizer, with the bytes of the text that each covers. */
export class Row extends Tokens {
  readonly name: string;
  readonly begin: number[];
  readonly end: number[];
  readonly unshared: Set<number>;
  readonly dictionary: boolean;
  readonly crowded: boolean;

  constructor(body: LaneBody) {
    super(body);
    this.name = body.name;
    [this.begin, this.end] = edgesOf(body);
    this.unshared = new Set(body.unshared);
    this.dictionary = body.dictionary;
    this.crowded = this.unshared.size > CROWDED * this.length;
  }

  /** Whether a token is shown by name: a special token, or a token with a label. */
  isNamed(at: number) {
    return this.special.has(at) || this.labels[at] !== undefined;
  }

  /** Short name of a token. */
  briefly(at: number) {
    return this.labels[at] || this.partNames(at).join(", ") || quoted(this.texts[at]);
  }

  /** Whether a token covers no text. */
  isBare(at: number) {
    return this.begin[at] === this.end[at];
  }

  /** Whether a token that covers no text comes before a word (a bare \u2581), not after one (a bare </w>). */
  private leads(at: number) {
    return this.begin[at] === 0 || (at > 0 && this.end[at - 1] < this.begin[at]);
  }

  /** Tokens with bytes in start … end, and those without text that belong there. */
  tokensIn(start: number, end: number) {
    const tokens = [];
    for (let at = firstOver(this.length, (i) => this.end[i], start - 1); at < this.length; at++) {
      const first = this.begin[at];
      if (first > end || (first === end && !this.isBare(at))) break;
      const holds = !this.isBare(at)
        ? this.end[at] > start
        : this.leads(at)
          ? first >= start && first < end
          : first > start;
      if (holds) tokens.push(at);
    }
    return tokens;
  }

  /** Number of tokens that start in start … end. */
  startingIn(start: number, end: number) {
    return this.firstFrom(end) - this.firstFrom(start);
  }

  /** First token that starts at a byte, or after it. */
  firstFrom(byte: number) {
    return firstOver(this.length, (at) => this.begin[at], byte - 1);
  }

  /** Token that contains a byte. */
  tokenAt(byte: number) {
    return firstOver(this.length, (i) => this.end[i], byte);
  }

  some(test: (at: number) => unknown) {
    return this.ids.some((_, at) => test(at));
  }
}

/** Every byte at which a token of any row starts or ends. */
export function boundariesOf(rows: Row[]) {
  return new Set(rows.flatMap((row) => [...row.begin, ...row.end]));
}

/** Entries of the legend: only for marks that occur in these lines. */
export function legendOf(rows: Row[]): LegendEntry[] {
  const marked = rows.filter((row) => row.unshared.size);
  const edges = [];
  if (marked.some((row) => !row.crowded)) edges.push("edge");
  if (marked.some((row) => row.crowded)) edges.push("tick");
  const bare = new Set(
    rows.flatMap((row) => row.ids.flatMap((_, at) => (row.isBare(at) ? [row.labels[at] ?? ""] : []))),
  );
  const names = [...bare].filter(Boolean).slice(0, MOST_NAMED).join(", ");
  const entries: LegendEntry[] = [];
  if (edges.length) entries.push({ marks: edges, words: t("a boundary not shared by all") });
  if (rows.some((row) => row.some((at) => row.head(at) || row.tail(at))))
    entries.push({ marks: ["slit"], words: t("a boundary within a character") });
  if (bare.size)
    entries.push({
      marks: ["dot"],
      words: names ? t("a token that covers no text: {names}", { names }) : t("a token that covers no text"),
    });
  if (rows.some((row) => row.some((at) => row.isNamed(at) && !row.isBare(at))))
    entries.push({ marks: ["named"], words: t("a special or unknown token") });
  return entries;
}

/**
 * Label of the button below the lines.
 * @param hidden whether anything is below, and how many lines start there
 */
export function furtherText({ below, unseen }: { below: boolean; unseen: number }) {
  if (!below) return t("The last line");
  if (!unseen) return t("\u2193 The line goes on");
  return tn("\u2193 {count} more line", "\u2193 {count} more lines", unseen, { count: shownNumber(unseen) });
}

/** Text above the lines; "" if nothing precedes them. */
export function beforeText(characters: number) {
  const values = { count: shownNumber(characters) };
  if (!characters) return "";
  return tn(
    "\u2026 {count} character before these lines",
    "\u2026 {count} characters before these lines",
    characters,
    values,
  );
}

/** Text below the lines; "" if nothing follows them. */
export function afterText(characters: number) {
  const values = { count: shownNumber(characters) };
  if (!characters) return "";
  return tn(
    "\u2026 {count} character after these lines",
    "\u2026 {count} characters after these lines",
    characters,
    values,
  );
}
