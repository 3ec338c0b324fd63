// Translation of texts in scripts. The texts in the source are English; other languages have a catalogue of their
// translations. Texts must be plain literals in double quotes, since they are extracted from the source.

type Values = Record<string, string | number>;

/** A bold part of a sentence. */
export interface Strong {
  strong: string;
}

const current: { language: string; translated: Record<string, string> } = { language: "en", translated: {} };
const followers: (() => unknown)[] = [];
const PLACE = /\{(\w+)\}/g;

/** Language of the texts. */
export function language() {
  return current.language;
}

/**
 * Set the language of all subsequent texts.
 * @param catalogue translations by English text; empty for English
 */
export function setLanguage(name: string, catalogue: Record<string, string>) {
  const isAnother = name !== current.language;
  current.language = name;
  current.translated = catalogue;
  if (isAnother) for (const follow of followers) follow();
}

/** Call this whenever the language has changed. */
export function onLanguage(follow: () => unknown) {
  followers.push(follow);
}

/**
 * Translate a text and fill in the values in braces. The text must be a literal: catalogues are made from the source.
 * @returns t("{done} of {all}", { done: 1, all: 2 }) is "1 of 2"
 */
export function t(text: string, values: Values = {}): string {
  return filled(current.translated[text] ?? text, values);
}

/**
 * Translate a word that has several meanings, each with a translation of its own.
 * @param context which of them is meant
 */
export function term(context: string, text: string): string {
  return current.translated[`${context}\u0004${text}`] ?? text;
}

/**
 * Translate a text whose form depends on a number.
 * @param values must include the formatted number
 * @returns tn("{n} line", "{n} lines", 2, { n: 2 }) is "2 lines"
 */
export function tn(one: string, many: string, count: number, values: Values = {}): string {
  const form = count === 1 ? one : many;
  return filled(current.translated[form] ?? form, values);
}

/**
 * Join items into a list in words.
 * @returns "a, b and c"
 */
export function listOf(items: string[]): string {
  const last = items.length - 1;
  if (last < 1) return items.join("");
  const others = items.slice(1, last).reduce((list, item) => t("{items}, {item}", { items: list, item }), items[0]);
  return t("{items} and {item}", { items: others, item: items[last] });
}

/**
 * Translate a sentence into parts: texts, bold texts as { strong }, and the values that are neither text nor number
 * unchanged. In the text, **two stars** surround bold parts.
 */
export function partsOf<T>(text: string, values: Record<string, T | string | number>): (T | string | Strong)[] {
  const parts: (T | string | Strong)[] = [];
  let isStrong = false;
  let bold: Strong | null = null;
  const add = (piece: string) => {
    if (!piece) return;
    const last = parts.length - 1;
    if (isStrong && bold && parts[last] === bold) bold.strong += piece;
    else if (isStrong) parts.push((bold = { strong: piece }));
    else if (typeof parts[last] === "string") parts[last] += piece;
    else parts.push(piece);
  };
  for (const [at, piece] of (current.translated[text] ?? text).split(PLACE).entries()) {
    if (at % 2) {
      const value = values[piece];
      if (typeof value === "string" || typeof value === "number") add(String(value));
      else parts.push(value);
    } else {
      for (const [turn, plain] of piece.split("**").entries()) {
        if (turn) isStrong = !isStrong;
        add(plain);
      }
    }
  }
  return parts;
}

function filled(text: string, values: Values) {
  return text.replace(PLACE, (place, name) => String(values[name] ?? place));
}
