// @ts-check
// What the stages say of an item: numbers of characters, names, titles.

import { shownNumber } from "../numbers.js";

/** @typedef {import("./links.js").Item} Item */
/** @typedef {import("./links.js").ItemKind} ItemKind */
/** @typedef {import("./links.js").Links} Links */

/** @type {Record<ItemKind, string>} */
const PLURALS = { chars: "characters", pieces: "pieces", words: "words", tokens: "tokens", out: "ids", decoded: "pieces" };
/** @type {Record<ItemKind, string>} */
const TITLES = {
  chars: "Character",
  pieces: "Normalized piece",
  words: "Word",
  tokens: "Token",
  out: "Token",
  decoded: "Decoded piece",
};

/** @param {ItemKind} kind */
export function pluralOf(kind) {
  return PLURALS[kind];
}

/**
 * Characters as people count them, from 1.
 * @param {number} start
 * @param {number} end
 * @returns {string} "4", "4–6", or "–" for none
 */
export function counted(start, end) {
  if (end <= start) return "\u2013";
  return end === start + 1 ? shownNumber(end) : `${shownNumber(start + 1)}\u2013${shownNumber(end)}`;
}

/**
 * @param {number} start
 * @param {number} end
 * @returns {string} "character 4", "characters 4–6"
 */
export function characters(start, end) {
  return `${end === start + 1 ? "character" : "characters"} ${counted(start, end)}`;
}

/**
 * What an item is called.
 * @param {Item} item
 * @param {Links} links
 */
export function titleOf({ kind, p, i }, links) {
  const { out, passages } = links;
  const what = links.isPad(i) ? "Pad token" : "Special token of the template";
  if (kind === "out" && p < 0) return `${what}, id ${shownNumber(i + 1)} of the whole`;
  const of = passages.length > 1 ? ` of ${passages[p].name}` : "";
  return `${TITLES[kind]} ${shownNumber((kind === "out" ? out.token[i] : i) + 1)}${of}`;
}

/**
 * What is said after the items that are drawn.
 * @param {number} rest
 */
export function restText(rest) {
  return `\u2026 ${shownNumber(rest)} more`;
}
