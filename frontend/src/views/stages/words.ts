// Words of the stages: character numbers, names, titles.

import { shownNumber } from "../../page/numbers.ts";
import { t, term, tn } from "../../i18n/words.ts";
import type { Item, ItemKind, Links } from "./links.ts";

function pluralOf(kind: ItemKind) {
  const plurals: Record<ItemKind, string> = {
    chars: t("characters"),
    pieces: t("pieces"),
    words: term("of the split", "words"),
    tokens: t("tokens"),
    out: t("ids"),
    decoded: t("pieces"),
  };
  return plurals[kind];
}

/** Label for the items of a stage. */
export function itemsOf(stage: string, kind: ItemKind) {
  return t("{stage}: {items}", { stage, items: pluralOf(kind) });
}

/**
 * Character numbers for display, counted from 1.
 * @returns "4", "4–6", or "–" for none
 */
export function counted(start: number, end: number): string {
  if (end <= start) return "\u2013";
  return end === start + 1 ? shownNumber(end) : `${shownNumber(start + 1)}\u2013${shownNumber(end)}`;
}

/** @returns "character 4", "characters 4–6" */
export function characters(start: number, end: number): string {
  return tn("character {range}", "characters {range}", end - start, { range: counted(start, end) });
}

/** Title of an item. */
export function titleOf({ kind, p, i }: Item, links: Links) {
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

function numbered(kind: ItemKind, number: string) {
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

/** Words after the last drawn item. */
export function restText(rest: number) {
  return t("\u2026 {count} more", { count: shownNumber(rest) });
}
