// A text in all stages of a tokenizer. Pointing at an item marks the same characters in every other stage.

import { View } from "../../bridge/view.ts";
import { clamp, shownNumber } from "../../page/numbers.ts";
import { build, closest, find, make, pointAt } from "../../page/elements.ts";
import { startsRtl } from "../../tokens/direction.ts";
import { NOTHING } from "../../tokens/marks.ts";
import { colour } from "../../tokens/spans.ts";
import { t } from "../../i18n/words.ts";
import { Facts, drawCard, lossLine } from "./card.ts";
import { appendEach, appendPiece } from "./drawing.ts";
import { KINDS, Links, type Item, type ItemKind, type PassageWire, type OutWire } from "./links.ts";
import { counted, itemsOf, restText } from "./words.ts";

interface StageInfo {
  title: string;
  setting: string;
  count: string;
  lost: string;
  quiet: string;
}

interface StagesBody {
  stages: StageInfo[];
  passages: PassageWire[];
  out: OutWire;
}

const itemOf = new WeakMap<HTMLElement, Item>(); // item of each element

export class Stages extends View {
  private readonly stages: HTMLElement;
  private readonly card: HTMLElement;
  private info: StageInfo[] = [];
  private links: Links;
  private facts: Facts;
  private flows: HTMLElement[] = [];
  private elements = new Map<Item, HTMLElement>();
  private picked: Item | null = null;
  private hovered: Item | null = null;
  private cursor: Item | null = null;
  private byKeys = false; // ignores the hover when a key scrolls the page below a resting pointer
  private marked: (HTMLElement | undefined)[] = [];

  static markup() {
    return [make("div", "stages"), build("div", { class: "card", role: "status" })];
  }

  constructor(root: HTMLElement) {
    super(root);
    this.stages = find(root, ".stages", HTMLElement);
    this.card = find(root, ".card", HTMLElement);
    this.links = new Links([], {
      id: [],
      passage: [],
      token: [],
      names: {},
      added: [],
      type: [],
      types: false,
      rest: 0,
    });
    this.facts = new Facts(this.links);
    this.listen();
  }

  update(component: Mount) {
    const { body } = this.open<{ rev: string }, StagesBody>(component);
    if (!body) return;
    this.info = body.stages;
    this.links = new Links(body.passages, body.out);
    this.facts = new Facts(this.links);
    this.build();
  }

  private get several() {
    return this.links.passages.length > 1;
  }

  // ---- building -----------------------------------------------------------------------------------------

  private build() {
    this.picked = this.hovered = this.cursor = null;
    this.marked = [];
    this.elements = new Map();
    this.flows = KINDS.map((kind, at) => {
      const flow = make("div", "flow");
      flow.tabIndex = 0;
      flow.setAttribute("role", "listbox");
      flow.setAttribute("aria-label", itemsOf(this.info[at].title, kind));
      if (kind === "out") this.fillOutput(flow);
      else this.links.passages.forEach((_, p) => this.fill(flow, kind, p));
      if (!this.links.items[kind].length) flow.append(make("span", "rest", t("nothing")));
      return flow;
    });
    this.stages.replaceChildren(...this.flows.map((flow, at) => this.row(flow, at)));
    this.stages.dataset.rev = this.rev ?? ""; // read by tests: everything is built
    this.show(null);
  }

  private row(flow: HTMLElement, at: number) {
    const { title, setting, count, lost, quiet } = this.info[at];
    const row = make("section", "stage");
    const side = make("div", "side");
    const name = make("div", "title");
    if (at) name.append(make("span", "step", at));
    name.append(title);
    side.append(name, make("div", "setting", setting));
    for (const [className, text] of Object.entries({ count, quiet, lost }))
      if (text) side.append(make("div", className, text));
    const main = make("div", "main");
    main.append(flow);
    if (KINDS[at] === "decoded")
      for (const passage of this.links.passages) if (passage.loss.length) main.append(lossLine(passage, this.several));
    row.append(side, main);
    return row;
  }

  private fill(flow: HTMLElement, kind: ItemKind, p: number) {
    const { links } = this;
    if (this.several) flow.append(make("span", "name", links.passages[p].name));
    const line = make("span", "line");
    for (let i = 0; i < links.count(kind, p); i++) {
      const end = kind === "pieces" ? links.runEnd(p, i) : i + 1;
      if (end > i + 1) {
        line.append(this.run(p, i, end));
        i = end - 1;
      } else line.append(this.item(kind, p, i));
      if (links.endsLine(kind, p, i)) line.append(make("span", "break"));
    }
    flow.append(line);
    const rest = links.rest(kind, p);
    if (rest) flow.append(make("span", "rest", restText(rest)));
  }

  /** Run of unchanged pieces. */
  private run(p: number, from: number, to: number) {
    const { s, e, text } = this.links.passages[p].pieces;
    const run = make("span", "run");
    const inner = make("span", "text");
    if (startsRtl(text.slice(from, to).join(""))) inner.dir = "rtl"; // its first letter on the right, as in the word
    for (let i = from; i < to; i++) inner.append(this.item("pieces", p, i, true));
    run.append(inner, make("span", "at", counted(s[from], e[to - 1])));
    return run;
  }

  private fillOutput(flow: HTMLElement) {
    const { out } = this.links;
    const line = make("span", "line");
    out.id.forEach((_, i) => line.append(this.item("out", out.passage[i], i)));
    flow.append(line);
    if (out.rest) flow.append(make("span", "rest", restText(out.rest)));
  }

  /**
   * Item of a stage: its text, and below it its source characters.
   * @param bare only the text
   */
  private item(kind: ItemKind, p: number, i: number, bare = false) {
    const item = this.links.add(kind, p, i);
    const el = make("span", `p ${kind}${bare ? " bare" : ""}`);
    if (this.links.isRemoved(kind, p, i)) el.classList.add("gone");
    const text = make("span", "text");
    const below: HTMLElement[] = [];
    if (kind === "chars") this.fillChar(el, text, below, p, i);
    else if (kind === "out") this.fillId(el, text, below, i);
    else {
      if (kind === "tokens") this.fillToken(el, text, p, i);
      else if (kind === "pieces") this.fillPiece(el, text, p, i);
      else appendPiece(text, this.links.passages[p][kind].text[i] || NOTHING);
      const [start, end] = this.links.range(item) ?? [0, 0];
      if (!bare) below.push(make("span", "at", counted(start, end)));
    }
    el.append(text, ...below);
    el.setAttribute("role", "option");
    el.setAttribute("aria-selected", "false");
    itemOf.set(el, item);
    this.elements.set(item, el);
    return el;
  }

  private fillChar(el: HTMLElement, text: HTMLElement, below: HTMLElement[], p: number, i: number) {
    const { said, chars } = this.links.passages[p];
    appendPiece(text, chars[i]);
    if (said && !this.links.isSaid(p, i)) el.classList.add("frame");
    below.push(make("span", "at", shownNumber(i + 1)));
  }

  private fillPiece(el: HTMLElement, text: HTMLElement, p: number, i: number) {
    const { pieces, chars } = this.links.passages[p];
    appendEach(text, [...pieces.text[i]]);
    if (!this.links.isChanged(p, i)) return;
    el.classList.add("changed");
    const source = make("span", "source");
    appendEach(source, chars.slice(pieces.s[i], pieces.e[i]));
    el.append(source);
  }

  private fillToken(el: HTMLElement, text: HTMLElement, p: number, at: number) {
    const { tokens } = this.links.passages[p];
    if (this.links.specials[p].has(at)) el.classList.add("special");
    if (this.links.isForged(p, at)) el.classList.add("forged");
    if (tokens.by) el.classList.add(["by-template", "by-message", "by-both"][tokens.by[at]]);
    const shown = tokens.text[at];
    el.classList.add(`c${colour(shown ?? [[tokens.hex[at], 1]])}`);
    if (shown === null) {
      const source = make("span", "source");
      appendPiece(source, tokens.over[at]);
      el.append(source);
      text.classList.add("hex");
      text.textContent = tokens.hex[at];
    } else appendPiece(text, shown || NOTHING);
  }

  private fillId(el: HTMLElement, text: HTMLElement, below: HTMLElement[], i: number) {
    const { out } = this.links;
    const p = out.passage[i];
    if (p < 0) {
      el.classList.add(...(this.links.isPad(i) ? ["pad"] : [`c${colour(out.names[i])}`, "special", "own"]));
      text.textContent = out.names[i];
    } else this.fillToken(el, text, p, out.token[i]);
    const isNew = out.added.includes(out.id[i]);
    below.push(make("span", isNew ? "id new" : "id", isNew ? t("{id} new", { id: out.id[i] }) : out.id[i]));
    if (out.types) below.push(make("span", "type", t("type {number}", { number: out.type[i] })));
  }

  // ---- links ----------------------------------------------------------------------------------------------

  /** Mark an item and its links, and describe it in the card; null unmarks. */
  private show(item: Item | null) {
    this.marked.forEach((el) => el?.classList.remove("on", "chosen"));
    this.marked = item ? [item, ...this.links.linked(item)].map((each) => this.elements.get(each)) : [];
    this.marked.forEach((el) => el?.classList.add("on"));
    this.marked[0]?.classList.add("chosen");
    drawCard(this.card, this.facts, item);
  }

  private pick(item: Item) {
    const select = (on: boolean) =>
      this.picked && this.elements.get(this.picked)?.setAttribute("aria-selected", String(on));
    select(false);
    this.picked = item === this.picked ? null : item;
    select(true);
    this.stages.classList.toggle("fixed", Boolean(this.picked));
    this.hovered = null;
    this.show(this.picked);
  }

  // ---- pointing and moving --------------------------------------------------------------------------------

  private listen() {
    const { stages } = this;
    const itemAt = (event: Event) => {
      const el = closest(event, ".p");
      return (el && itemOf.get(el)) ?? null;
    };
    stages.onmouseover = (event) => {
      const item = itemAt(event);
      if (item === this.hovered || this.byKeys) {
        this.byKeys = false;
        return;
      }
      this.hovered = item;
      this.show(item ?? this.picked);
    };
    stages.onmouseleave = () => {
      this.hovered = null;
      this.show(this.picked);
    };
    stages.onclick = (event) => {
      const item = itemAt(event);
      if (!item) return;
      this.pick(item);
      this.cursor = item;
    };
    stages.onkeydown = (event) => this.key(event);
    stages.addEventListener("focusin", (event) => {
      const kind = this.kindOf(event);
      if (!kind || !closest(event, ".flow")?.matches(":focus-visible")) return;
      this.moveTo(this.cursor?.kind === kind ? this.cursor : this.links.items[kind][0]);
    });
    stages.addEventListener("focusout", () => {
      this.point(null);
      this.show(this.picked);
    });
  }

  /** Stage in which an event occurred. */
  private kindOf(event: Event): ItemKind | undefined {
    const flow = closest(event, ".flow");
    return flow ? KINDS[this.flows.indexOf(flow)] : undefined;
  }

  private key(event: KeyboardEvent) {
    const kind = this.kindOf(event);
    const list = kind ? this.links.items[kind] : [];
    if (!list.length) return;
    const at = this.cursor?.kind === kind ? (this.cursor?.at ?? 0) : 0;
    const sideways = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: list.length - 1 }[event.key];
    const up = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (sideways !== undefined) this.moveTo(list[clamp(sideways, 0, list.length - 1)]);
    else if (up) this.moveAcross(list[at], up);
    else if (event.key === "Enter" || event.key === " ") this.pick(list[at]);
    else if (event.key === "Escape" && this.picked) this.pick(this.picked);
    else return;
    event.preventDefault();
  }

  /** Move to the linked item in the stage below or above. */
  private moveAcross(item: Item, step: number) {
    const next = this.links.across(item, step);
    if (!next) return;
    this.cursor = next;
    this.flows[KINDS.indexOf(next.kind)].focus({ preventScroll: true });
    this.moveTo(next);
  }

  private moveTo(item: Item | undefined) {
    if (!item) return;
    this.cursor = item;
    this.byKeys = true;
    this.point(item);
    this.elements.get(item)?.scrollIntoView({ block: "nearest" });
    this.show(item);
  }

  private point(item: Item | null) {
    this.flows.forEach((flow, at) => {
      if (KINDS[at] === item?.kind) pointAt(flow, this.elements.get(item) ?? null, this.facts.spoken(item));
      else pointAt(flow, null);
    });
  }
}
