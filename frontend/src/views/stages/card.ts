// Card below the stages: facts about the item under the pointer.

import { shownNumber } from "../../page/numbers.ts";
import { make } from "../../page/elements.ts";
import { NOTHING, codePoint } from "../../tokens/marks.ts";
import { partsOf, t } from "../../i18n/words.ts";
import { appendPiece, drawnParts, quote } from "./drawing.ts";
import { characters, restText, titleOf } from "./words.ts";
import type { Item, Links, Passage } from "./links.ts";

type Content = (string | HTMLElement)[];
type Fact = [name: string, content: string | Content];

const LONGEST_QUOTE = 40; // characters
const MOST_POINTS = 3; // characters listed with their code points
const MOST_CHANGES = 4;
const MOST_LISTED = 6;

function hint() {
  return t(
    "Point at a piece to see where it comes from and what it becomes; click to pin it. Numbers count characters.",
  );
}

/** Facts about an item. */
export class Facts {
  readonly links: Links;

  constructor(links: Links) {
    this.links = links;
  }

  /** Available facts, each with a name. */
  of(item: Item): Fact[] {
    const facts = item.p < 0 ? this.ofTemplate(item) : this.ofText(item);
    return facts.filter(([, content]) => content.length);
  }

  /** Accessible description of an item. */
  spoken(item: Item) {
    const text = (part: string | HTMLElement) => (typeof part === "string" ? part : (part.textContent ?? ""));
    const facts = this.of(item).map(([name, content]) => `${name} ${[content].flat().map(text).join("")}`);
    return [titleOf(item, this.links), ...facts].join(". ");
  }

  private ofTemplate({ i }: Item): Fact[] {
    const { out } = this.links;
    return [
      [t("Name"), [quote(out.names[i])]],
      [t("Id"), String(out.id[i])],
      [t("Type"), out.types ? String(out.type[i]) : ""],
      [t("In the vocabulary"), out.added.includes(out.id[i]) ? t("no: it was given the next free id") : t("yes")],
      [t("In the text"), this.links.isPad(i) ? t("nothing: padding adds it") : t("nothing: the template adds it")],
    ];
  }

  private ofText(item: Item): Fact[] {
    const { kind, p, i } = item;
    const { links } = this;
    const passage = links.passages[p];
    const { words, tokens } = passage;
    const token = kind === "out" ? links.out.token[i] : kind === "tokens" ? i : null;
    const linked = links.linked(item);
    const of = (name: string) => linked.filter((each) => each.kind === name).map((each) => each.i);
    const [start, end] = links.range(item) ?? [0, 0];
    const changed = of("pieces").filter((at) => links.isChanged(p, at));
    const isDropped = kind === "chars" && !of("pieces").length;
    const facts: Fact[] = token === null ? [] : this.ofToken(item, token);
    if (kind === "words") facts.push([t("Word"), [quote(words.text[i])]]);
    facts.push(
      [t("In the text"), origin(passage, start, end)],
      [t("Characters"), points(passage, start, end)],
      [t("Offsets"), t("({start}, {end}), counted from 0: text[{start}:{end}]", { start, end })],
      [kind === "pieces" ? t("Became") : t("Normalized"), changes(passage, changed)],
    );
    if (isDropped) facts.push([t("Normalized"), t("dropped")]);
    else if (kind !== "words") {
      const isSpecial = token !== null && tokens.word[token] < 0;
      const named = listed(of("words"), (at) =>
        drawnParts(partsOf("{word} number {number}", { word: quote(words.text[at]), number: shownNumber(at + 1) })),
      );
      facts.push([t("Word"), named ?? (isSpecial ? t("none: a special token") : t("none: dropped by the split"))]);
    }
    if (token === null) {
      const named = listed(of("tokens"), (at) =>
        drawnParts(partsOf("{token} id {id}", { token: tokenName(passage, at), id: tokens.id[at] })),
      );
      facts.push([t("Tokens"), named ?? t("none")]);
    }
    return facts;
  }

  /** In a chat, who wrote a token. */
  private writer(p: number, token: number) {
    const { by } = this.links.passages[p].tokens;
    if (this.links.isForged(p, token)) return t("the message itself");
    if (!by) return "";
    return [t("the template"), t("a message"), t("the template and a message")][by[token]];
  }

  private ofToken({ kind, p, i }: Item, token: number): Fact[] {
    const { out, specials, passages } = this.links;
    const { tokens } = passages[p];
    return [
      [t("Id"), String(tokens.id[token])],
      [t("Bytes"), specials[p].has(token) ? "" : tokens.hex[token]],
      [t("Holds"), tokens.part[token]],
      [t("Truncated"), this.links.isRemoved("tokens", p, token) ? t("removed: the model does not receive it") : ""],
      [t("Written by"), this.writer(p, token)],
      [t("Type"), kind === "out" && out.types ? String(out.type[i]) : ""],
    ];
  }
}

/** Draw the card; without an item, the hint. */
export function drawCard(card: HTMLElement, facts: Facts, item: Item | null) {
  card.classList.toggle("idle", !item);
  if (!item) {
    card.replaceChildren(make("span", "hint", hint()));
    return;
  }
  const list = make("dl");
  for (const [name, content] of facts.of(item)) {
    const fact = make("div", "fact");
    const value = make("dd");
    value.append(...[content].flat());
    fact.append(make("dt", "", name), value);
    list.append(fact);
  }
  card.replaceChildren(make("div", "what", titleOf(item, facts.links)), list);
}

/**
 * Sentence about the loss in a passage.
 * @param several whether there are other passages
 */
export function lossLine({ loss, name }: Passage, several: boolean) {
  const line = make("p", "loss");
  const [stage = "", what = "", became = "", number = ""] = loss;
  const values = { what: bold(what), became: bold(became), number, stage, text: name };
  line.append(...drawnParts(several ? lossOfOne(values, what, became) : lossOfAll(values, what, became)));
  return line;
}

type LossValues = {
  what: HTMLElement;
  became: HTMLElement;
  number: string;
  stage: string;
  text: string;
};

function lossOfAll(values: LossValues, what: string, became: string) {
  if (!what)
    return partsOf("First difference at character {number}, in addition {became}; lost in the {stage}.", values);
  return became
    ? partsOf("First difference at character {number}, {what} became {became}; lost in the {stage}.", values)
    : partsOf("First difference at character {number}, {what} is gone; lost in the {stage}.", values);
}

function lossOfOne(values: LossValues, what: string, became: string) {
  if (!what)
    return partsOf(
      "{text}: first difference at character {number}, in addition {became}; lost in the {stage}.",
      values,
    );
  return became
    ? partsOf("{text}: first difference at character {number}, {what} became {became}; lost in the {stage}.", values)
    : partsOf("{text}: first difference at character {number}, {what} is gone; lost in the {stage}.", values);
}

function bold(text: string) {
  const el = make("b");
  appendPiece(el, text);
  return el;
}

function origin({ chars }: Passage, start: number, end: number): string | Content {
  if (end <= start) return "nothing";
  const shown = chars.slice(start, Math.min(end, start + LONGEST_QUOTE)).join("");
  return [quote(shown + (end > start + LONGEST_QUOTE ? "\u2026" : "")), ` ${characters(start, end)}`];
}

/** Code points of a few characters: é = e U+0065 + ◌́ U+0301, with a name if there is one. */
function points(passage: Passage, start: number, end: number): string | Content {
  const chars = passage.chars.slice(start, end);
  if (!chars.length || chars.length > MOST_POINTS) return "";
  const parts = chars.flatMap((char, at) => [...(at ? [" + "] : []), quote(char), ` ${codePoint(char)}`]);
  const name = chars.length === 1 ? passage.names[start] : "";
  return name ? [...parts, ` ${name}`] : parts;
}

/** @param changed pieces */
function changes({ chars, pieces }: Passage, changed: number[]): Content {
  const parts = changed
    .slice(0, MOST_CHANGES)
    .flatMap((at, nth) => [
      ...(nth ? [", "] : []),
      ...sum(chars.slice(pieces.s[at], pieces.e[at])),
      " \u2192 ",
      ...sum([...pieces.text[at]]),
    ]);
  return changed.length > MOST_CHANGES ? [...parts, " \u2026"] : parts;
}

function sum(chars: string[]) {
  return chars.slice(0, MOST_LISTED).flatMap((char, at) => [...(at ? [" + "] : []), quote(char)]);
}

function tokenName({ tokens }: Passage, at: number) {
  const text = tokens.text[at];
  return text === null ? make("span", "quote", tokens.hex[at]) : quote(text || NOTHING);
}

/** @returns null for an empty list */
function listed(list: number[], write: (at: number) => Content): Content | null {
  if (!list.length) return null;
  const parts = list.slice(0, MOST_LISTED).flatMap((at, nth) => [...(nth ? [", "] : []), ...write(at)]);
  return list.length > MOST_LISTED ? [...parts, `, ${restText(list.length - MOST_LISTED)}`] : parts;
}
