// Shared drawing of token views: text with marks, chips, captions, the tooltip.

import { shownNumber } from "../page/numbers.ts";
import { find, make, zoomOf } from "../page/elements.ts";
import { glossary } from "../page/terms.ts";
import { t } from "../i18n/words.ts";
import { asSign, startsRtl } from "./direction.ts";
import { drawsText, fontless } from "./fonts.ts";
import { NOTHING, SPACE, isPlain, leadingMarks, shownPieces } from "./marks.ts";
import { colour, keyOf, quoted, type Tokens, type ChipWire, type WordWire } from "./spans.ts";

export interface CaptionsHead {
  title: string;
  rest: string;
  caption: string;
}

const captions = new WeakMap<HTMLElement, string>(); // shown in each view

/**
 * Show the captions of a view: a title, a secondary text beside it, a line below. Empty captions take no space. The
 * second line of the latter two is a hint, which pictures leave out. Equal captions stay, with their terms, one of
 * which may be under the pointer.
 */
export function showCaptions(root: HTMLElement, { title, rest, caption }: CaptionsHead) {
  const now = JSON.stringify([title, rest, caption]);
  if (captions.get(root) === now) return;
  captions.set(root, now);
  const over = find(root, ".over", HTMLElement);
  const under = find(root, ".under", HTMLElement);
  over.hidden = !title;
  under.hidden = !caption;
  const [b, span, hint] = [find(over, "b", HTMLElement), find(over, "span", HTMLElement), find(over, ".hint", HTMLElement)];
  const [says, does = ""] = rest.split("\n");
  const [below, doesBelow = ""] = caption.split("\n");
  b.textContent = title;
  span.textContent = says;
  hint.textContent = does;
  const before = below && doesBelow ? t("{sentence} {next_sentence}", { sentence: below, next_sentence: "" }) : below;
  under.replaceChildren(before, make("span", "hint", doesBelow));
  glossary.mark?.([b, span]);
}

/** Append text with its marks to an element; with `breaks`, an inner newline also starts a line. */
export function appendText(el: HTMLElement, text: string, breaks = false) {
  if (isPlain(text)) {
    el.append(text);
    return;
  }
  if (text[0] === " " && isPlain(text.slice(1))) {
    el.append(make("u", "m sp lead", SPACE), text.slice(1)); // the most frequent form of tokens in text
    return;
  }
  drawsText(el, text);
  let alone: HTMLElement | null = null;
  for (const { from, to, text: shown, mark } of shownPieces(text, fontless())) {
    if (mark === "m circle") {
      alone = make("span", "alone");
      alone.append(make("u", mark, shown));
      el.append(alone);
      continue;
    }
    const marks = alone && !mark ? leadingMarks(shown) : "";
    alone?.append(marks);
    alone = null;
    const sign = mark === "m name" ? asSign(text.slice(from, to)) : "";
    if (sign) el.append(between(sign, sign, make("u", mark, shown)));
    else if (mark) el.append(make("u", from === 0 && mark === "m sp" ? "m sp lead" : mark, shown));
    else if (shown.length > marks.length) el.append(shown.slice(marks.length));
    if (breaks && mark === "m nl" && to < text.length) el.append("\n");
  }
}

/** Wrap nodes in direction marks. The stylesheet adds the marks, so they are not part of the text. */
export function between(before: string, after: string, ...nodes: HTMLElement[]) {
  const nameOfSign = (sign: string) => sign.charCodeAt(0).toString(16);
  const names = [before && `from-${nameOfSign(before)}`, after && `to-${nameOfSign(after)}`];
  const el = make("span", names.filter(Boolean).join(" "));
  el.append(...nodes);
  return el;
}

/** Chips of the tokens of a pair, or of a single one, joined by +. */
export function joinedChips(wires: ChipWire[]) {
  return wires.flatMap((wire, at) => (at ? [make("span", "plus", "+"), makeChip(wire)] : [makeChip(wire)]));
}

/** Chips of a word, side by side, and the number of its other tokens. */
export function wordChips({ word, more }: WordWire) {
  return [...word.map(makeChip), ...(more ? [make("span", "plus", `+ ${shownNumber(more)}`)] : [])];
}

/** Chip of a token. */
export function makeChip([id, pieces, above, special]: ChipWire) {
  const chip = make("span", `t chip1 c${colour(pieces)}${special ? " special" : ""}`);
  chip.title = t("id {id}", { id });
  chip.dataset.id = String(id); // shown in the title
  chip.key = keyOf(pieces);
  if (typeof pieces === "string") appendText(chip, pieces || NOTHING);
  else
    pieces.forEach(([shown, isHex]) => {
      const piece = make("span", isHex ? "hex" : "");
      if (isHex) piece.textContent = shown;
      else appendText(piece, shown);
      chip.append(piece);
    });
  if (!above) return chip;
  const group = make("span", "g");
  const over = make("span", "above");
  over.title = above.endsWith("\u2026")
    ? t("these bytes are part of several characters of the text; the first is shown")
    : t("the character that these bytes are part of");
  appendText(over, above);
  group.append(over, chip);
  return group;
}

/** Whether adjacent tokens run right to left: decided by their first strong character. */
export function chipsRunRtl(chips: ChipWire[]) {
  return startsRtl(textOfChips(chips));
}

/** Text of tokens, as far as it is known. */
export function textOfChips(chips: ChipWire[]) {
  return chips.map(([, pieces, above]) => above || wholeText(pieces)).join("");
}

function wholeText(pieces: ChipWire[1]) {
  if (typeof pieces === "string") return pieces;
  return pieces.map(([shown, isHex]) => (isHex ? "" : shown)).join("");
}

/** Tooltip with details of a token. */
export class Tooltip {
  private readonly el: HTMLElement;

  constructor(el: HTMLElement) {
    this.el = el;
  }

  /**
   * @param box of the token, or of an area that the tooltip must not cover
   * @param owner tokenizer of the token
   */
  show(box: DOMRect, tokens: Tokens, at: number, owner?: string) {
    const text = tokens.texts[at];
    const label = tokens.labels[at];
    const values = { number: shownNumber(tokens.first + at + 1), id: tokens.ids[at] };
    const shown = text ? quoted(text) : "";
    const lines = [
      make(
        "div",
        "tip-title",
        owner && tokens.ids[at] < 0
          ? owner // of words of a dictionary
          : owner
          ? t("{tokenizer}: token {number} \u00b7 id {id}", { ...values, tokenizer: owner })
          : t("Token {number} \u00b7 id {id}", values),
      ),
      make("div", "tip-text", label && shown ? t("{label} for {text}", { label, text: shown }) : label || shown),
      ...[...tokens.unseenNames(at), ...tokens.partNames(at)].map((part) => make("div", "tip-part", part)),
      make("div", "tip-hex", tokens.hex(at)),
      make("div", "", tokens.range(at)),
      make("div", "tip-note", tokens.notes[at] ?? ""),
    ];
    this.say(box, ...lines.filter((line) => line.textContent));
  }

  /** @param box area that the tooltip must not cover */
  say(box: DOMRect, ...lines: Node[]) {
    this.el.replaceChildren(...lines);
    if (!this.open) this.el.showPopover();
    this.place(box);
  }

  /** Place the tooltip above the box if there is space, else below; always inside the window. */
  private place(box: DOMRect) {
    const zoom = zoomOf(this.el);
    const { height, width } = this.el.getBoundingClientRect();
    const top = box.top - height - 8 > 0 ? box.top - height - 8 : box.bottom + 8;
    this.el.style.left = Math.max(4, Math.min(box.left, innerWidth - width - 8)) / zoom + "px";
    this.el.style.top = Math.max(4, Math.min(top, innerHeight - height - 4)) / zoom + "px";
  }

  get open() {
    return this.el.matches(":popover-open");
  }

  hide() {
    if (this.open) this.el.hidePopover();
  }
}

/** First box of an element: for a span over several lines, the one on its first line. */
export function firstBox(el: Element) {
  return el.getClientRects()[0] ?? el.getBoundingClientRect();
}
