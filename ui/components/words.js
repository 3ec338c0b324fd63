// @ts-check
// What scripts say to people, in the language of the page. A script is joined for each language (scripts.py), with the
// translations of its own words as CATALOGUE; in English, and in Node, that is empty. Words are plain literals in double
// quotes: they are found in the source.

import CATALOGUE from "./catalogue.json" with { type: "json" };

/** @type {Record<string, string>} */
const TRANSLATED = CATALOGUE;
const PLACE = /\{(\w+)\}/g;

/**
 * Words in the language of the page, with values in braces. The text is a literal: catalogues are made from the source.
 * @param {string} text
 * @param {Record<string, string | number>} [values]
 * @returns {string} t("{done} of {all}", { done: 1, all: 2 }) is "1 of 2"
 */
export function t(text, values = {}) {
  return filled(TRANSLATED[text] ?? text, values);
}

/**
 * Words whose form depends on a number.
 * @param {string} one
 * @param {string} many
 * @param {number} count
 * @param {Record<string, string | number>} [values] the number is not among them: say how it is written
 * @returns {string} tn("{n} line", "{n} lines", 2, { n: 2 }) is "2 lines"
 */
export function tn(one, many, count, values = {}) {
  const form = count === 1 ? one : many;
  return filled(TRANSLATED[form] ?? form, values);
}

/**
 * Items as a list in words.
 * @param {string[]} items
 * @returns {string} "a, b and c"
 */
export function listOf(items) {
  const last = items.length - 1;
  if (last < 1) return items.join("");
  const others = items.slice(1, last).reduce((list, item) => t("{items}, {item}", { items: list, item }), items[0]);
  return t("{items} and {item}", { items: others, item: items[last] });
}

/**
 * The parts of a sentence in the language of the page: texts, bold ones as { strong }, and the values that are neither
 * text nor number as they are. In the text, **two stars** are around what is bold.
 * @template T
 * @param {string} text
 * @param {Record<string, T | string | number>} values
 * @returns {(T | string | { strong: string })[]}
 */
export function partsOf(text, values) {
  /** @type {(T | string | { strong: string })[]} */
  const parts = [];
  let isStrong = false;
  /** @type {{ strong: string } | null} */
  let bold = null;
  /** @param {string} piece */
  const add = (piece) => {
    if (!piece) return;
    const last = parts.length - 1;
    if (isStrong && bold && parts[last] === bold) bold.strong += piece;
    else if (isStrong) parts.push((bold = { strong: piece }));
    else if (typeof parts[last] === "string") parts[last] += piece;
    else parts.push(piece);
  };
  for (const [at, piece] of (TRANSLATED[text] ?? text).split(PLACE).entries()) {
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

/**
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
function filled(text, values) {
  return text.replace(PLACE, (place, name) => String(values[name] ?? place));
}
