// @ts-check
// Words of the stages: character numbers, names, titles.

import { shownNumber } from "../../page/numbers.js";
import { t, tn } from "../../i18n/words.js";

/** @typedef {import("./links.js").Item} Item */
/** @typedef {import("./links.js").ItemKind} ItemKind */
/** @typedef {import("./links.js").Links} Links */

/** @param {ItemKind} kind */
function pluralOf(kind) {
  /** @type {Record<ItemKind, string>} */
  const plurals = {
    chars: t("characters"),
    pieces: t("pieces"),
    words: t("words"),
    tokens: t("tokens"),
    out: t("ids"),
    decoded: t("pieces"),
  };
  return plurals[kind];
}

/**
 * Label for the items of a stage.
 * @param {string} stage
 * @param {ItemKind} kind
 */
export function itemsOf(stage, kind) {
  return t("{stage}: {items}", { stage, items: pluralOf(kind) });
}

/**
 * Character numbers for display, counted from 1.
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
  return tn("character {range}", "characters {range}", end - start, { range: counted(start, end) });
}

/**
 * Title of an item.
 * @param {Item} item
 * @param {Links} links
 */
export function titleOf({ kind, p, i }, links) {
  const { out, passages } = links;
  if (kind === "out" && p < 0) {
    const values = { number: shownNumber(i + 1) };
    return links.isPad(i)
      ? t("Pad token, id {number} of the whole", values)
      : t("Special token of the template, id {number} of the whole", values);
  }
  const title = numbered(kind, shownNumber((kind === "out" ? out.token[i] : i) + 1));
  return passages.length > 1 ? t("{title} of {text}", { title, text: passages[p].name }) : title;
}

/**
 * @param {ItemKind} kind
 * @param {string} number
 */
function numbered(kind, number) {
  switch (kind) {
    case "chars":
      return t("Character {number}", { number });
    case "pieces":
      return t("Normalized piece {number}", { number });
    case "words":
      return t("Word {number}", { number });
    case "decoded":
      return t("Decoded piece {number}", { number });
    default:
      return t("Token {number}", { number });
  }
}

/**
 * Words after the last drawn item.
 * @param {number} rest
 */
export function restText(rest) {
  return t("\u2026 {count} more", { count: shownNumber(rest) });
}
