// A text whose cuts the reader draws by clicks between its characters; below it, on the same grid, the real tokens.

import { build, make } from "../../page/elements.ts";
import { appendText } from "../../tokens/drawing.ts";
import { piecesOf } from "../../tokens/evidence.ts";
import { colour } from "../../tokens/spans.ts";
import { t } from "../../i18n/words.ts";
import { cutsOf, type CutsQuestion, type Given } from "./answers.ts";

const MOST_REASONS = 6;

export class CutsRow {
  readonly el: HTMLElement;
  private readonly question: CutsQuestion;
  private readonly gaps: HTMLElement[];
  private readonly given: number[];

  /** @param shown whether the tokenizer's cuts are drawn, too */
  constructor(question: CutsQuestion, given: Given | null, shown: boolean) {
    this.question = question;
    this.given = Array.isArray(given) ? given : [];
    const { cells, by } = question;
    this.el = build("div", { class: "grid", role: "toolbar" });
    this.el.setAttribute("aria-label", t("Gaps between the characters"));
    this.gaps = cells.slice(1).map((_cell, at) => this.gap(at + 1, this.given.includes(at + 1)));
    this.el.append(make("span", "side", t("You")));
    cells.forEach((cell, at) => {
      if (at) this.el.append(this.gaps[at - 1]);
      const el = make("span", "cell");
      appendText(el, cell);
      this.el.append(el);
    });
    if (shown) this.el.append(make("span", "side below", by), ...this.marks(), ...this.tokens());
    this.gaps.forEach((gap, at) => (gap.tabIndex = at === 0 ? 0 : -1));
    this.el.onkeydown = (event) => this.key(event);
  }

  /** Positions of the drawn cuts. */
  cuts() {
    return this.gaps.flatMap((gap, at) => (gap.getAttribute("aria-checked") === "true" ? [at + 1] : []));
  }

  private gap(at: number, checked: boolean) {
    const gap = build("button", { type: "button", class: "gap", role: "checkbox", "data-focus": `gap ${at}` });
    gap.setAttribute("aria-checked", String(checked));
    const { cells } = this.question;
    gap.setAttribute("aria-label", t("Cut between {left} and {right}", { left: named(cells[at - 1]), right: named(cells[at]) }));
    gap.onclick = () => gap.setAttribute("aria-checked", String(gap.getAttribute("aria-checked") !== "true"));
    return gap;
  }

  /** A mark under each gap where both sides differ or agree. */
  private marks() {
    const { common, missed, extra } = cutsOf(this.question, this.given);
    const said = new Map([
      ...common.map((cut) => [cut, "\u2713", "same"] as const),
      ...missed.map((cut) => [cut, "\u25b4", "missed"] as const),
      ...extra.map((cut) => [cut, "\u2717", "extra"] as const),
    ].map(([cut, sign, name]) => [cut, { sign, name }]));
    return [...said].map(([cut, { sign, name }]) => {
      const mark = make("span", `mark ${name}`, sign);
      mark.style.gridColumn = String(2 * cut + 1);
      mark.setAttribute("aria-hidden", "true");
      return mark;
    });
  }

  private tokens() {
    const { tokens, cells } = this.question;
    return tokens.map(([start, end, id]) => {
      const key = cells.slice(start, end).join("");
      const token = make("span", id < 0 ? "t token" : `t token c${colour(key)}`);
      token.key = key;
      appendText(token, key);
      if (id >= 0) token.title = t("id {id}", { id });
      token.style.gridColumn = `${2 * start + 2} / ${2 * end + 1}`;
      return token;
    });
  }

  /** Arrow keys move between the gaps. */
  private key(event: KeyboardEvent) {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = this.gaps.findIndex((gap) => gap === event.target);
    if (!way || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = this.gaps[at + way];
    if (!next) return;
    this.gaps[at].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}

function named(cell: string) {
  return cell === " " ? t("space") : cell;
}

/**
 * Reasons of the cuts that differ, or of all if none does.
 * @param given the reader's answer, or null
 */
export function reasonsOf(question: CutsQuestion, given: Given | null) {
  const { tokens, why, cells } = question;
  const { common, missed, extra } = cutsOf(question, given ?? []);
  const differ = given === null ? [] : [...missed, ...extra].sort((a, b) => a - b);
  const places = differ.length ? differ : [...common, ...missed].sort((a, b) => a - b);
  const lines = places.slice(0, MOST_REASONS).map((cut) => {
    const at = tokens.findIndex(([start]) => start === cut);
    const line = make("li");
    const where = make("b", "where");
    appendText(where, `${cells.slice(Math.max(0, cut - 3), cut).join("")}\u2502${cells.slice(cut, cut + 3).join("")}`);
    line.append(where, " ", ...(at > 0 ? piecesOf(why[at - 1]) : [insideToken(question, cut)]));
    return line;
  });
  return lines.length ? [build("ul", { class: "reasons" }, ...lines)] : [];
}

/** Why there is no cut at a place. */
function insideToken({ tokens, cells }: CutsQuestion, cut: number) {
  const token = tokens.find(([start, end]) => start < cut && cut < end);
  if (!token || token[2] < 0) return t("No cut here: the tokens share a character.");
  const text = cells.slice(token[0], token[1]).join("");
  return t("No cut here: \u201c{text}\u201d is one token, id {id}.", { text, id: token[2] });
}
