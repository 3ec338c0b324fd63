// Selection in a text: characters, words, and the effect of keys. Independent of the page.

import { clamp, rangeOf, shownNumber } from "../../page/numbers.ts";
import { tn } from "../../i18n/words.ts";

/** In code points of the text. */
type Range = [start: number, end: number];
export type Mark = [start: number, end: number, label: string];

interface Character {
  at: number; // offset in the text
  text: string;
  word: number; // index of its word, -1 for none
}

/** Grapheme clusters of a text, with offsets in code points, as in Python. */
export function segmented(text: string): { characters: Character[]; words: Range[]; length: number } {
  const starts: number[] = []; // by UTF-16 unit
  let length = 0;
  for (const char of text) {
    for (let unit = 0; unit < char.length; unit++) starts.push(length);
    length += 1;
  }
  starts.push(length);
  const words: Range[] = [];
  for (const { index, segment, isWordLike } of new Intl.Segmenter("en", { granularity: "word" }).segment(text)) {
    if (isWordLike) words.push([starts[index], starts[index + segment.length]]);
  }
  let word = 0;
  const characters = Array.from(new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text), (each) => {
    const at = starts[each.index];
    while (word < words.length && words[word][1] <= at) word += 1;
    return { at, text: each.segment, word: word < words.length && words[word][0] <= at ? word : -1 };
  });
  return { characters, words, length };
}

/** Selection in a text, in code points. */
export class Choice {
  readonly characters: Character[];
  private readonly words: Range[];
  private readonly length: number;
  range: Range | null = null;

  constructor(text: string) {
    const { characters, words, length } = segmented(text);
    this.characters = characters;
    this.words = words;
    this.length = length;
  }

  /** End of a character. */
  private endOf(number: number) {
    return this.characters[number + 1]?.at ?? this.length;
  }

  /** Select from one character to another, in either direction. */
  drag(from: number, to: number) {
    this.range = [this.characters[Math.min(from, to)].at, this.endOf(Math.max(from, to))];
  }

  /** Select by a click on a character: the mark there, else its word, else the character. */
  click(number: number, marks: Mark[]) {
    this.range = this.around(number, marks);
  }

  /** Extend the selection by a click. */
  extend(number: number) {
    const [start, end] = this.around(number, []);
    this.range = this.range ? [Math.min(start, this.range[0]), Math.max(end, this.range[1])] : [start, end];
  }

  /** @param number of a character */
  private around(number: number, marks: Mark[]): Range {
    const { at, word } = this.characters[number];
    const mark = marks.find(([start, end]) => start <= at && at < end);
    if (mark) return [mark[0], mark[1]];
    return word >= 0 ? this.words[word] : [at, this.endOf(number)];
  }

  /**
   * Select the word before or after the selection; the first or last one if there is none.
   * @param by -1, 1, or an infinity for the first or the last word
   */
  step(by: number) {
    const { words, range } = this;
    if (!words.length) return;
    const after = range ? words.findIndex(([start]) => start >= range[1]) : 0;
    const before = range ? words.findLastIndex(([, end]) => end <= range[0]) : words.length - 1;
    const found = by > 0 ? (after < 0 ? words.length - 1 : after + by - 1) : before < 0 ? 0 : before + by + 1;
    this.range = words[clamp(found, 0, words.length - 1)];
  }

  /**
   * Move the end of the selection by a character; at least one stays selected.
   * @param by -1 or 1
   */
  grow(by: number) {
    if (!this.range) {
      this.step(1);
      return;
    }
    const [start, end] = this.range;
    const ends = this.characters.map((_, number) => this.endOf(number));
    const to = by > 0 ? ends.find((each) => each > end) : ends.findLast((each) => each < end);
    if (to !== undefined && to > start) this.range = [start, to];
  }

  /** Whether a mark overlaps the selection. */
  isMarked(marks: Mark[]) {
    const { range } = this;
    return range !== null && marks.some(([start, end]) => start < range[1] && range[0] < end);
  }

  /** Selected text; "" for none. */
  get text() {
    const { range } = this;
    if (!range) return "";
    return this.characters
      .filter(({ at }) => range[0] <= at && at < range[1])
      .map((each) => each.text)
      .join("");
  }
}

/** Line below the text. */
export function chosenText({ range, text }: Choice) {
  if (!range) return "";
  const [start, end] = range;
  const shown = text.length > 60 ? text.slice(0, 60) + "\u2026" : text;
  const values = { text: shown, range: rangeOf(start + 1, end) };
  return tn("\u201c{text}\u201d, character {range}", "\u201c{text}\u201d, characters {range}", end - start, values);
}

/** @param rest characters that are not drawn */
export function restText(rest: number) {
  return rest
    ? tn("\u2026 {count} more character", "\u2026 {count} more characters", rest, { count: shownNumber(rest) })
    : "";
}
