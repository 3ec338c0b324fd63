// Characters, bytes and tokens in three lanes. A byte is one column, which shows the part of a character in each token.

import { View, type Segmentation } from "../../bridge/view.ts";
import { clamp } from "../../page/numbers.ts";
import { build, closest, find, make, pointAt } from "../../page/elements.ts";
import { Tooltip, appendText, firstBox } from "../../tokens/drawing.ts";
import { NO_TOKENS, Tokens, type TokensBody } from "../../tokens/spans.ts";
import { t } from "../../i18n/words.ts";
import { Columns, idClass, partText, type TokenColumns } from "./columns.ts";

interface Block {
  from: number;
  to: number;
  /** Whether its columns run right to left. */
  rtl: boolean;
}

interface LanesHead {
  rev: string;
  name: string;
  label: string;
  height: number | null;
  selected: number | null;
}

const CELL = 44; // pixels of a byte
const SIDE = 84; // pixels of the lane names
const LEAST = 4; // columns of a block

export class Lanes extends View {
  private readonly lanes: HTMLElement;
  private readonly more: HTMLElement;
  private readonly tip: Tooltip;
  private tokens = NO_TOKENS;
  private columns: Columns;
  private width = 0; // of a block, in columns
  private cursor = 0;
  private selected: number | null = null;
  private elements: HTMLElement[][] = [];

  static markup() {
    return [build("div", { class: "lanes", role: "listbox", tabindex: "0" }), make("p", "more")];
  }

  constructor(root: HTMLElement) {
    super(root);
    this.lanes = find(root, ".lanes", HTMLElement);
    this.more = find(root, ".more", HTMLElement);
    this.tip = new Tooltip(find(root, ".tip", HTMLElement));
    this.columns = new Columns(NO_TOKENS);
    this.listen();
    const observer = new ResizeObserver(() => {
      if (this.rev && this.fitting() !== this.width) this.build();
    });
    observer.observe(this.lanes);
    this.onEnd(() => observer.disconnect());
  }

  update(component: Mount) {
    const { head, body } = this.open<LanesHead, TokensBody>(component);
    this.lanes.setAttribute("aria-label", head.label);
    this.lanes.style.maxHeight = head.height ? head.height + "px" : "";
    if (body) {
      this.tokens = new Tokens(body);
      this.columns = new Columns(this.tokens);
      this.cursor = 0;
      this.build();
    }
    this.select(head.selected);
  }

  private fitting() {
    return Math.max(LEAST, Math.floor((this.lanes.clientWidth - SIDE - 8) / CELL));
  }

  private build() {
    this.tip.hide();
    this.width = this.fitting();
    this.elements = this.columns.tokens.map(() => []);
    const blocks = this.columns.blocks(this.width);
    const directions = this.columns.directions(blocks);
    this.lanes.replaceChildren(...blocks.map((block, at) => this.block({ ...block, rtl: directions[at] })));
    this.more.textContent = this.tokens.total ? "" : t("No tokens.");
    this.select(this.selected);
  }

  private block({ from, to, rtl }: Block) {
    const { bytes, chars, tokens } = this.columns;
    const block = make("div", "block");
    if (rtl) block.dir = "rtl";
    block.style.gridTemplateColumns = `${SIDE}px repeat(${to - from}, ${CELL}px)`;
    [t("characters"), t("bytes"), t("tokens")].forEach((name, row) => {
      const side = make("div", "side", name);
      side.style.gridRow = String(row + 1);
      block.append(side);
    });
    const place = (el: HTMLElement, { first, count }: TokenColumns) => {
      const start = Math.max(first, from);
      el.style.gridColumn = `${start - from + 2} / span ${Math.min(first + count, to) - start}`;
      block.append(el);
    };
    const isWithin = ({ first, count }: TokenColumns) => first < to && first + count > from;
    for (const char of chars.filter(isWithin)) {
      const owners = this.columns.owners(char);
      const split = owners > 1 || char.count < char.of;
      const el = make(
        "div",
        "char" + (split ? " split" : "") + (char.hidden ? (rtl ? " open-right" : " open-left") : ""),
      );
      appendText(el, char.text);
      el.title = owners > 1 ? t("split over {count} tokens", { count: owners }) : "";
      place(el, char);
    }
    bytes.slice(from, to).forEach(({ hex, token }, at) => {
      const el = make("div", token < 0 ? "byte none" : `byte c${this.tokens.colour(token)}`, hex);
      place(el, { first: from + at, count: 1 });
    });
    tokens.forEach((columns, at) => {
      if (isWithin(columns)) place(this.token(at, columns, { from, to, rtl }), columns);
    });
    return block;
  }

  private token(at: number, { first, count }: TokenColumns, { from, to, rtl }: Block) {
    const { labels } = this.tokens;
    const id = this.tokens.ids[at];
    const el = make("div", `token c${this.tokens.colour(at)}`);
    el.token = at;
    el.classList.toggle(rtl ? "open-right" : "open-left", first < from);
    el.classList.toggle(rtl ? "open-left" : "open-right", first + count > to);
    el.classList.toggle("special", this.tokens.special.has(at));
    const fitted = idClass(id, count);
    if (fitted) el.classList.add(fitted);
    if (labels[at]) {
      const what = make("span", "what");
      appendText(what, labels[at]);
      el.append(what, " ");
    }
    el.append(make("span", "id", id));
    const room = Math.min(first + count, to) - Math.max(first, from);
    for (const part of [this.tokens.head(at), this.tokens.tail(at)])
      if (part) el.append(" ", make("span", "part", partText(part, room <= 2)));
    if (!this.elements[at].length) {
      el.setAttribute("role", "option");
      el.setAttribute("aria-selected", "false");
      const spoken = this.tokens.spoken(at);
      const seen = el.textContent ?? "";
      el.setAttribute(
        "aria-label",
        seen === String(id) ? spoken : t("{token}: {meaning}", { token: seen, meaning: spoken }),
      ); // begins with the visible text
    } else el.setAttribute("aria-hidden", "true");
    this.elements[at].push(el);
    return el;
  }

  override get keyed() {
    return null;
  }

  override segmentations(): Segmentation[] {
    return [{ tokens: this.tokens, elements: (at) => this.elements[at] ?? [] }];
  }

  private select(at: number | null) {
    const mark = (index: number, on: boolean) =>
      (this.elements[index] ?? []).forEach((el) => {
        el.classList.toggle("selected", on);
        if (el.getAttribute("role")) el.setAttribute("aria-selected", String(on));
      });
    if (this.selected !== null) mark(this.selected, false);
    this.selected = at;
    if (at === null) return;
    this.cursor = at;
    mark(at, true);
  }

  private listen() {
    const { lanes } = this;
    lanes.onmouseover = (event) => {
      const el = closest(event, ".token");
      if (el?.token !== undefined) this.tip.show(firstBox(el), this.tokens, el.token);
      else this.tip.hide();
    };
    lanes.onmouseleave = () => this.tip.hide();
    lanes.onscroll = () => this.tip.hide();
    lanes.onfocus = () => {
      if (lanes.matches(":focus-visible")) this.moveTo(this.cursor);
    };
    lanes.onblur = () => {
      this.tip.hide();
      pointAt(lanes, null);
    };
    lanes.onclick = (event) => {
      const token = closest(event, ".token")?.token;
      if (token !== undefined) this.pick(token);
    };
    lanes.onkeydown = (event) => {
      const to = { ArrowRight: this.cursor + 1, ArrowLeft: this.cursor - 1, Home: 0, End: Infinity }[event.key];
      if (to !== undefined) this.moveTo(to);
      else if (event.key === "Enter" || event.key === " ") this.pick(this.cursor);
      else if (event.key === "Escape") this.tip.hide();
      else return;
      event.preventDefault();
    };
  }

  private moveTo(target: number) {
    const at = clamp(target, 0, Math.max(0, this.elements.length - 1));
    const el = this.elements[at]?.[0];
    if (!el) return;
    this.cursor = at;
    pointAt(this.lanes, el, el.getAttribute("aria-label") ?? "");
    el.scrollIntoView({ block: "nearest" });
    this.tip.show(firstBox(el), this.tokens, at);
  }

  /** Report the selection to Python; a click on the selected token clears it. */
  private pick(at: number) {
    this.select(at === this.selected ? null : at);
    this.outbox?.act("picked", [this.rev, this.selected === null ? null : this.tokens.first + at]);
  }
}
