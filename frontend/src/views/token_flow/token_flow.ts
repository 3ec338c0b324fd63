// Flow of tokens as coloured spans; a split character is above its parts in hex. For the text of a training, the flow
// computes the tokens itself at the player's step, and redraws only what changed.

import { View, type Segmentation } from "../../bridge/view.ts";
import { currentStep, subscribeStep } from "../../bridge/current_step.ts";
import { clamp } from "../../page/numbers.ts";
import { build, closest, find, isOnStage, make, pointAt } from "../../page/elements.ts";
import { subscribe } from "../../bridge/published.ts";
import { Tooltip, appendText, between, firstBox, showCaptions, type CaptionsHead } from "../../tokens/drawing.ts";
import { isBareMark, isRtl, joins, signOf, signsFor, startsRtl } from "../../tokens/direction.ts";
import { NOTHING } from "../../tokens/marks.ts";
import { readHead, readPayload } from "../../bridge/payload.ts";
import { Replay, type SymbolsBody } from "../../tokens/replay.ts";
import { NO_TOKENS, Tokens, type TokensBody, type CharacterPart } from "../../tokens/spans.ts";
import { Joining, isSingleStep, joinedPairs } from "./joining.ts";
import { beginsRtl, endsRtl, inNextLine, mayBeRtl, placeOf, restOf, strongBefore } from "./lines.ts";
import { changedLines, changesOf, piecesOf, type Piece as TextPiece, type Divided } from "./pieces.ts";

interface FlowHead extends CaptionsHead {
  rev: string;
  name: string;
  tells: boolean;
  label: string;
  height: number | null;
  tellsBoundaries: boolean;
  fresh: number[];
  command: [number: number, at: number | null];
}

/**
 * A text at a step: `of` names the training, `symbols` is the rev of the text's symbols, in the body or published
 * alone.
 */
interface StepHead extends CaptionsHead {
  rev: string;
  name: string;
  label: string;
  height: number | null;
  step: number;
  of: string;
  symbols: string;
  /** Start in the whole text, and length of the whole in characters; null if it is the whole text. */
  part: [start: number, total: number] | null;
}

/** Whole lines, as one element; `at`: the first token. */
interface Block {
  at: number;
  el: HTMLElement;
}

const FIRST_SLICE = 1500; // tokens built before the first paint; each later slice is twice as large
const EDGE = 4; // pixels beside a boundary in which a click counts as on it
const BLOCK = 100; // tokens in a block that the browser may skip laying out

/** A flow: its tokens, their elements, and the selection. */
export class TokenFlow extends View {
  private readonly flow: HTMLElement;
  private readonly more: HTMLElement;
  private readonly tip: Tooltip;
  private tokens = NO_TOKENS;
  private command = 0;
  private tells = false; // reports selections to Python
  private tellsBoundaries = false; // reports clicks on boundaries
  private readonly isRelayed: boolean; // then Python gets the id of the selected token
  private decoration = "";
  private fresh = new Set<number>();
  private outlined: HTMLElement[] = []; // fragments of the fresh tokens
  private last = make("span", "last"); // text after the last token
  private fixed = false;
  private mixed = false;
  private blocks: Block[] = [];
  private isUneven = false; // whether a block ends within a line
  private frame = 0;
  private cursor = 0;
  private selected: number | null = null;
  // ---- during building
  private built = 0;
  private inBlock = 0;
  private lineStart = true;
  private block: (ParentNode & Node) | null = null;
  private line: ParentNode & Node;
  private group: { pieces: HTMLElement; next: number } | null = null;
  private elements: HTMLElement[] = [];
  private moreFragments = new Map<number, HTMLElement[]>();
  // ---- for a text at a step
  private stepHead: StepHead | null = null;
  private replay: Replay | null = null;
  private symbols = ""; // rev of the replayed symbols
  private chars: [number, number] = [0, 0]; // range of the drawn characters
  private divided: Divided | null = null;
  private piece: TextPiece | null = null; // being drawn
  private nextPiece = 0;
  private step = -1; // drawn step
  private stepAt = -Infinity; // milliseconds, time of drawing it
  private readonly joining: Joining;

  static markup() {
    return [build("div", { class: "flow", role: "listbox", tabindex: "0" }), make("p", "more")];
  }

  /** @param data the first payload */
  constructor(root: HTMLElement, data: Uint8Array) {
    super(root);
    this.flow = find(root, ".flow", HTMLElement);
    this.more = find(root, ".more", HTMLElement);
    this.tip = new Tooltip(find(root, ".tip", HTMLElement));
    const { relayed } = readHead<{ relayed?: string }>(data);
    this.isRelayed = relayed !== undefined;
    this.line = this.flow;
    this.joining = new Joining(this.flow);
    this.listen();
    if (relayed === undefined) return;
    this.onEnd(
      subscribe(`${relayed}: symbols`, root, (symbols) => this.takeSymbols(symbols)),
      subscribeStep(() => this.drawStep()),
    );
  }

  update(component: Mount) {
    if (readHead<Partial<StepHead>>(component.data).symbols !== undefined) {
      this.updateStep(component);
      return;
    }
    this.stepHead = null;
    const { head, body } = this.open<FlowHead, TokensBody>(component);
    showCaptions(this.root, head);
    this.flow.setAttribute("aria-label", head.label);
    this.fixed = Boolean(head.height);
    this.tells = head.tells;
    this.tellsBoundaries = head.tellsBoundaries;
    this.setHeight(head.height);
    const decoration = JSON.stringify(head.fresh);
    const redecorate = decoration !== this.decoration;
    this.decoration = decoration;
    this.fresh = new Set(head.fresh);
    if (body) this.draw(head.rev, new Tokens(body));
    else if (redecorate) this.redecorate();
    if (body || head.command[0] !== this.command) {
      this.command = head.command[0];
      this.select(head.command[1], { scroll: true });
    }
  }

  /**
   * Override the height, on the stage.
   * @param height in pixels
   */
  private setHeight(height: number | null) {
    if (height) this.flow.style.setProperty("--height", height + "px");
    else this.flow.style.removeProperty("--height");
  }

  // ---- a text at a step ---------------------------------------------------------------------------------

  /** Apply the server's data of a step. */
  private updateStep(component: Mount) {
    const { data } = component;
    const head = readHead<StepHead>(data);
    this.mountOutbox(head.name, component);
    this.stepHead = head;
    this.flow.setAttribute("aria-label", head.label);
    this.fixed = Boolean(head.height);
    this.tells = this.tellsBoundaries = false;
    this.setHeight(head.height);
    if (head.rev === head.symbols) this.takeSymbols(data);
    else this.drawStep();
  }

  private takeSymbols(data: Uint8Array) {
    const { head, body } = readPayload<{ rev: string; unseen?: Record<string, string> }, SymbolsBody>(data, this.symbols);
    if (body) {
      this.symbols = head.rev;
      this.replay = new Replay(body, head.unseen);
      this.mixed = isRtl(body.text);
      this.divided = null;
    }
    this.drawStep();
  }

  /** Draw the step that the player shows, which may be ahead of the server's. */
  private drawStep() {
    const { stepHead: head, replay } = this;
    if (!head || !replay || head.symbols !== this.symbols) return; // the symbols of this text have not arrived
    const step = currentStep(head.of) ?? head.step;
    const rev = `${this.symbols} ${step}`;
    if (rev !== this.rev) this.drawAt(step, rev, replay);
    showCaptions(this.root, { ...head, caption: placeOf(head.part, this.chars, head.caption) });
  }

  private drawAt(step: number, rev: string, replay: Replay) {
    const { body, symbols, fresh, chars } = replay.at(step);
    this.chars = chars;
    const tokens = new Tokens(body);
    const before = this.divided;
    const now = { tokens, symbols, pieces: piecesOf(tokens, symbols, this.mixed) };
    this.fresh = new Set(fresh);
    const drawnAt = performance.now();
    const isSingle = isSingleStep(this.step, step, drawnAt - this.stepAt);
    this.step = step;
    this.stepAt = drawnAt;
    if (before && before.tokens === this.tokens) this.change(before, now, rev, isSingle ? fresh : []);
    else this.build(rev, tokens, now);
    this.flow.dataset.step = String(step);
  }

  /**
   * Draw another step of the text, with an animation for a single step.
   * @param joined tokens made by a single step; empty otherwise
   */
  private change(before: Divided, now: Divided, rev: string, joined: number[]) {
    this.joining.stop();
    const isBuilt = this.built === this.tokens.length;
    const pairs = joined.length && isBuilt && this.joining.isSeen ? joinedPairs(before, now, joined) : [];
    const seen = pairs.length ? this.joining.look(pairs, this.elements) : []; // measuring forces a layout
    this.patch(before, now, rev);
    if (isOnStage() && this.fresh.size) this.joining.keepInSight(this.fresh, this.elements);
    this.joining.play(seen, this.elements);
  }

  /** Redraw the pieces that changed; the others stay. */
  private patch(before: Divided, now: Divided, rev: string) {
    cancelAnimationFrame(this.frame);
    if (this.built < this.tokens.length) this.slice(Infinity);
    this.tip.hide();
    pointAt(this.flow, null);
    this.select(null);
    this.cursor = 0;
    const { elements, moreFragments } = this;
    this.rev = rev;
    this.tokens = now.tokens;
    this.divided = now;
    this.elements = new Array(now.tokens.length);
    this.moreFragments = new Map();
    let [i, j] = [0, 0];
    const keep = (until: number) => {
      for (; i < until; i++, j++) this.keep(before.pieces[i], now.pieces[j], elements, moreFragments);
    };
    for (const { gone, come } of changesOf(before, now)) {
      keep(gone[0]);
      this.replace(before.pieces, gone, now.pieces.slice(...come));
      [i, j] = [gone[1], come[1]];
    }
    keep(before.pieces.length);
    this.built = now.tokens.length;
    this.nextPiece = now.pieces.length;
    this.addLastGap();
    this.more.textContent = restOf(now.tokens);
    this.finish();
  }

  /** Keep an unchanged piece: its tokens get new numbers. */
  private keep(
    old: TextPiece,
    now: TextPiece,
    elements: HTMLElement[],
    moreFragments: Map<number, HTMLElement[]>,
  ) {
    now.nodes = old.nodes;
    for (let from = old.first, to = now.first; from < old.end; from++, to++) {
      const el = elements[from];
      this.elements[to] = el;
      el.token = to;
      const more = moreFragments.get(from);
      if (more) {
        this.moreFragments.set(to, more);
        for (const each of more) each.token = to;
      }
    }
  }

  private replace(old: TextPiece[], [first, end]: [number, number], come: TextPiece[]) {
    const fragment = document.createDocumentFragment();
    this.block = this.line = fragment;
    for (const piece of come) {
      for (let at = piece.first; at < piece.end; at++) {
        this.inBlock = 0; // inserted in place of the old nodes, not in a block
        this.addToken(at, piece);
      }
    }
    const next = old[first]?.nodes[0];
    if (next) next.before(fragment);
    else {
      const last = this.flow.lastElementChild ?? this.flow.appendChild(make("div", "b"));
      last.append(fragment);
    }
    for (const { nodes } of old.slice(first, end)) {
      const block = nodes[0].parentElement;
      for (const node of nodes) node.remove();
      if (block && !block.firstChild) block.remove();
    }
  }

  // ---- building -----------------------------------------------------------------------------------------

  /** Draw other tokens. The lines that are the same in both stay. */
  private draw(rev: string, tokens: Tokens) {
    const { blocks } = this;
    const isWhole = !this.divided && this.built === this.tokens.length && blocks.length && !this.isUneven;
    const change = isWhole && mayBeRtl(tokens) === this.mixed ? changedLines(this.tokens, tokens, blocks) : null;
    if (!change || change.end - change.start + tokens.length - change.rest > FIRST_SLICE) {
      this.build(rev, tokens);
      return;
    }
    this.tip.hide();
    pointAt(this.flow, null);
    this.select(null);
    this.cursor = 0;
    this.rev = rev;
    this.redraw(tokens, change);
    this.flow.classList.toggle("joined", this.mixed && tokens.texts.some(joins));
    this.addLastGap();
    this.more.textContent = restOf(tokens);
    this.finish();
  }

  /** Replace some blocks by the tokens start … end - 1, and those at the end by the tokens from `rest` on. */
  private redraw(tokens: Tokens, { start, end, first, next, last, rest, shift }: ReturnType<typeof changedLines>) {
    const { blocks, elements, moreFragments } = this;
    this.tokens = tokens;
    this.elements = elements.slice(0, start);
    this.elements.length = tokens.length;
    this.moreFragments = new Map([...moreFragments].filter(([at]) => at < start));
    this.blocks = blocks.slice(0, first);
    this.replaceBlocks(blocks.slice(first, next), start, end);
    this.blocks.push(...blocks.slice(next, last).map(({ at, el }) => ({ at: at + shift, el })));
    for (let at = end; at < rest; at++) (this.elements[at] = elements[at - shift]).token = at;
    for (const [at, more] of moreFragments) {
      if (at + shift < end || at + shift >= rest) continue;
      this.moreFragments.set(at + shift, more);
      for (const each of more) each.token = at + shift;
    }
    this.replaceBlocks(blocks.slice(last), rest, tokens.length);
    this.built = tokens.length;
  }

  /**
   * Put the tokens start … end - 1 in place of some blocks, whose elements are reused: for each added or removed
   * element that it may skip, the browser examines the whole page.
   */
  private replaceBlocks(gone: Block[], start: number, end: number) {
    const from = this.blocks.length;
    const fragment = this.blocksOf(start, end);
    const behind = gone.at(-1)?.el.nextSibling ?? null;
    for (const { el } of gone.splice(this.blocks.length - from)) el.remove();
    gone.forEach(({ el }, at) => {
      const block = this.blocks[from + at];
      el.replaceChildren(...block.el.childNodes);
      block.el.remove();
      block.el = el;
    });
    this.flow.insertBefore(fragment, behind);
  }

  /** New blocks of the tokens start … end - 1. */
  private blocksOf(start: number, end: number) {
    const fragment = document.createDocumentFragment();
    this.block = null;
    for (this.built = start; this.built < end; this.built++) {
      if (!this.block) this.openBlock(fragment);
      this.addToken(this.built, null);
    }
    return fragment;
  }

  /** @param divided the same tokens, if they will change later */
  private build(rev: string, tokens: Tokens, divided: Divided | null = null) {
    cancelAnimationFrame(this.frame);
    this.joining.stop();
    this.tip.hide();
    if (!this.fixed) this.flow.style.minHeight = this.flow.offsetHeight + "px"; // no jump while the new spans are added
    this.rev = rev;
    this.tokens = tokens;
    this.built = 0;
    this.blocks = [];
    this.isUneven = false;
    this.cursor = 0;
    this.selected = null;
    this.block = null;
    this.group = null;
    this.elements = new Array(tokens.length);
    this.moreFragments = new Map();
    if (!divided) this.mixed = mayBeRtl(tokens);
    this.flow.classList.toggle("mixed", this.mixed);
    this.flow.classList.toggle("joined", this.mixed && tokens.texts.some(joins));
    this.divided = divided;
    this.nextPiece = 0;
    this.flow.replaceChildren();
    delete this.flow.dataset.rev; // until all is built
    this.flow.removeAttribute("aria-activedescendant");
    this.more.textContent = restOf(tokens);
    this.slice(FIRST_SLICE);
  }

  private slice(count: number) {
    const stop = Math.min(this.tokens.length, this.built + count);
    const fragment = document.createDocumentFragment();
    while (this.built < stop) {
      if (!this.block) this.openBlock(fragment);
      this.addToken(this.built, this.pieceAt(this.built));
      this.built++;
    }
    this.flow.append(fragment);
    if (this.built === this.tokens.length) this.addLastGap();
    if (this.built < this.tokens.length) this.frame = requestAnimationFrame(() => this.slice(2 * count));
    else this.finish();
  }

  /** Piece of a text at a step that contains a token; must be called in order. */
  private pieceAt(at: number) {
    const pieces = this.divided?.pieces;
    if (!pieces) return null;
    if (pieces[this.nextPiece].end <= at) this.nextPiece++;
    return pieces[this.nextPiece];
  }

  /** Add the text after the last token that belongs to no token. */
  private addLastGap() {
    this.last.remove();
    if (this.tokens.gaps[this.tokens.length] === undefined) return;
    const last = (this.last = make("span", "last"));
    this.piece = null;
    this.line = last;
    this.addGap(this.tokens.length);
    const block = this.flow.lastElementChild ?? this.flow.appendChild(make("div", "b"));
    const line = this.mixed ? block.lastElementChild : null;
    (line ?? block).append(last);
  }

  private finish() {
    this.redecorate();
    this.flow.style.minHeight = "";
    this.flow.dataset.rev = this.rev ?? ""; // read by tests: everything is built
  }

  private openBlock(fragment: DocumentFragment) {
    const block = make("div", "b");
    this.blocks.push({ at: this.built, el: block });
    this.line = this.block = block;
    this.inBlock = 0;
    this.lineStart = true;
    this.group = null;
    fragment.append(block);
  }

  /** Add nodes to the line and to its piece. */
  private put(...nodes: (Node | string)[]) {
    for (const each of nodes) {
      const node = typeof each === "string" ? document.createTextNode(each) : each;
      this.line.append(node);
      if (this.line === this.block) this.piece?.nodes.push(node as ChildNode);
    }
  }

  private addToken(at: number, piece: TextPiece | null) {
    if (piece?.first === at) {
      this.group = null;
      this.lineStart = true;
    }
    this.piece = piece;
    const head = this.tokens.head(at);
    const tail = this.tokens.tail(at);
    const text = this.tokens.texts[at];
    const label = this.tokens.labels[at];
    if (this.lineStart && this.mixed) this.openLine();
    this.addGap(at);
    if (head) this.addPart(at, head);
    if (label !== undefined) this.addLabel(at, label, text);
    else if (text || !(head || tail)) this.addText(at, text);
    if (tail) this.addPart(at, tail);
    this.inBlock++;
    const endsLine = text.endsWith("\n") && !tail;
    if (endsLine) this.lineStart = true;
    const isFull = (endsLine && this.inBlock >= BLOCK) || this.inBlock >= 32 * BLOCK;
    if (!isFull || (piece && piece.end !== at + 1)) return;
    this.block = null;
    this.isUneven ||= !endsLine;
  }

  /** Start a line: with mixed directions, each line is a separate block, laid out independently. */
  private openLine() {
    this.lineStart = false;
    if (!this.block) return;
    this.line = this.block;
    const line = make("div", "line");
    this.put(line);
    this.line = line;
  }

  /**
   * Add a box that represents a text. With mixed directions it is put between direction marks that match the text: to
   * the browser, a box has no direction.
   */
  private putBox(box: HTMLElement, text: string, at: number) {
    const [before, after] = this.mixed ? signsFor(text, () => strongBefore(this.tokens, at)) : ["", ""];
    this.put(before || after ? between(before, after, box) : box);
  }

  private addText(at: number, text: string) {
    this.group = null;
    if (text.startsWith(" ")) this.put(make("wbr")); // before the span; otherwise a sliver of it stays behind
    const el = this.span(at, "t");
    appendText(el, text || NOTHING, true);
    if (this.mixed && isBareMark(text)) el.append(between("", signOf(strongBefore(this.tokens, at))));
    this.put(el);
    if (text.endsWith("\n")) this.put("\n"); // outside the span; otherwise the next line starts with a sliver
  }

  /** Add a token that is not shown as text: a chip, with the covered text above. */
  private addLabel(at: number, label: string, text: string) {
    this.group = null;
    const chip = this.span(at, "t chip");
    chip.append(label);
    if (text && text !== label) {
      const group = make("span", "g");
      const above = make("span", "above");
      appendText(above, text);
      group.append(above, chip);
      this.putBox(group, text, at);
    } else this.putBox(chip, text, at);
    if (text.endsWith("\n")) this.put("\n");
  }

  /** Add a part of a character: hex below the character, beside the parts held by previous tokens. */
  private addPart(at: number, [char, first, last, , hex]: CharacterPart) {
    if (!this.group || this.group.next !== first || first === 1) {
      const box = make("span", "g");
      const above = make("span", "above");
      appendText(above, char);
      const pieces = make("span", "pieces");
      box.append(above, pieces);
      if (startsRtl(char)) box.dir = "rtl";
      this.putBox(box, char, at);
      this.group = { pieces, next: first };
    }
    const el = this.span(at, "t hex");
    el.textContent = hex;
    this.group.pieces.append(el);
    this.group.next = last + 1;
  }

  private addGap(at: number) {
    const gap = this.tokens.gaps[at];
    if (gap === undefined) return;
    this.group = null;
    if (gap.startsWith(" ")) this.put(make("wbr"));
    const el = make("span", "gap");
    appendText(el, gap, true);
    this.put(el);
    if (gap.endsWith("\n")) this.put("\n");
  }

  /** Create an element of a token. A token with parts has several; only the first is an option for screen readers. */
  private span(at: number, className: string) {
    const el = make("span", `${className} c${this.tokens.colour(at)}`);
    el.token = at;
    if (this.tokens.special.has(at)) el.classList.add("special");
    if (this.tokens.words.has(at) && !this.elements[at]) el.classList.add("word");
    if (this.elements[at]) {
      const fragments = this.moreFragments.get(at) ?? [];
      fragments.push(el);
      this.moreFragments.set(at, fragments);
      el.setAttribute("aria-hidden", "true");
    } else {
      this.elements[at] = el;
      el.setAttribute("role", "option");
      el.setAttribute("aria-selected", "false");
    }
    if (this.mixed && beginsRtl(this.tokens, at)) el.classList.add("rtl");
    if (this.fresh.has(at)) el.classList.add("fresh");
    return el;
  }

  private fragments(at: number) {
    const el = this.elements[at];
    return el ? [el, ...(this.moreFragments.get(at) ?? [])] : [];
  }

  override get keyed() {
    return null;
  }

  override segmentations(): Segmentation[] {
    return [{ tokens: this.tokens, elements: (at) => this.fragments(at) }];
  }

  /** Outline the fresh tokens. The flow is not searched for earlier outlines: at a step, most tokens stay. */
  private redecorate() {
    for (const el of this.outlined) el.classList.remove("fresh");
    this.outlined = [...this.fresh].flatMap((at) => this.fragments(at));
    for (const el of this.outlined) el.classList.add("fresh");
  }

  // ---- pointer, keys, selection -------------------------------------------------------------------------

  private listen() {
    const { flow } = this;
    flow.onmouseover = (event) => {
      const el = closest(event, ".t");
      if (el?.token !== undefined) this.tip.show(firstBox(el), this.tokens, el.token);
      else this.tip.hide();
    };
    flow.onmouseleave = () => this.tip.hide();
    flow.onscroll = () => this.tip.hide();
    flow.onfocus = () => {
      if (flow.matches(":focus-visible")) this.moveTo(this.cursor);
    };
    flow.onblur = () => {
      this.tip.hide();
      pointAt(this.flow, null);
    };
    flow.onclick = (event) => {
      const el = closest(event, ".t");
      if (el?.token === undefined) return;
      const next = this.tellsBoundaries ? this.boundaryAt(el, event.clientX) : null;
      if (next !== null && this.hasBoundary(next)) this.askAt(next);
      else this.pick(el.token);
    };
    flow.onkeydown = (event) => this.key(event);
  }

  /** Token after the clicked boundary, if the click is near an edge of a token's element; null inside the element. */
  private boundaryAt(el: HTMLElement, x: number) {
    const { token } = el;
    const rects = el.getClientRects();
    if (token === undefined || !rects.length) return null;
    const near = Math.min(EDGE, rects[0].width / 4);
    const isAt = (edge: number) => Math.abs(x - edge) <= near;
    const [start, end] = this.mixed ? this.edgesOf(el, token) : [rects[0].left, rects[rects.length - 1].right];
    if (isAt(start)) return token;
    return isAt(end) ? token + 1 : null;
  }

  /** Edges of a token's element with mixed directions: its fragments may be anywhere between them. */
  private edgesOf(el: HTMLElement, token: number) {
    const [first, last] = outerBoxes(el);
    const start = beginsRtl(this.tokens, token) ? first.right : first.left;
    return [start, endsRtl(this.tokens, token) ? last.left : last.right];
  }

  private key(event: KeyboardEvent) {
    const target = this.target(event.key);
    if (target !== null) this.moveTo(target);
    else if (event.key === "Enter" || event.key === " ") this.pick(this.cursor);
    else if (event.key === "b" && this.tellsBoundaries && this.hasBoundary(this.cursor)) this.askAt(this.cursor);
    else if (event.key === "Escape") {
      if (this.tip.open) this.tip.hide();
      else if (this.selected !== null) this.pick(this.selected);
    } else return;
    event.preventDefault();
  }

  /** Target of a key; null for keys without one. */
  private target(key: string) {
    switch (key) {
      case "ArrowRight":
        return this.cursor + 1;
      case "ArrowLeft":
        return this.cursor - 1;
      case "ArrowDown":
        return this.lineNeighbour(1);
      case "ArrowUp":
        return this.lineNeighbour(-1);
      case "Home":
        return 0;
      case "End":
        return this.tokens.length - 1;
      default:
        return null;
    }
  }

  private lineNeighbour(step: number) {
    if (!this.built) return 0;
    return inNextLine((at) => this.elements[at].getBoundingClientRect(), this.built, this.cursor, step);
  }

  private moveTo(target: number) {
    const at = clamp(target, 0, this.built - 1);
    const el = this.elements[at];
    if (!el) return;
    this.cursor = at;
    pointAt(this.flow, el, this.tokens.spoken(at));
    el.scrollIntoView({ block: "nearest" });
    this.tip.show(firstBox(el), this.tokens, at);
  }

  /** Whether there is a token before this one. */
  private hasBoundary(at: number) {
    return at < this.tokens.length && this.tokens.first + at > 0;
  }

  /** Ask Python why there is a boundary before a token. */
  private askAt(at: number) {
    this.outbox?.act("boundary", [this.rev, this.tokens.first + at], { replaces: true });
  }

  /** Toggle the selection of a token. If Python listens, this costs a rerun. */
  private pick(at: number) {
    this.cursor = at;
    this.select(at === this.selected ? null : at);
    if (this.isRelayed) {
      this.outbox?.act("picked", this.selected === null ? null : this.tokens.ids[at], { replaces: true });
      return;
    }
    if (!this.tells) return;
    const token = this.selected === null ? null : this.tokens.first + at;
    this.outbox?.act("selected", [this.rev, this.command, token], { replaces: true });
  }

  private select(at: number | null, { scroll = false }: { scroll?: boolean } = {}) {
    const mark = (index: number, on: boolean) =>
      this.fragments(index).forEach((el) => {
        el.classList.toggle("selected", on);
        el.setAttribute("aria-selected", String(on));
      });
    if (this.selected !== null) mark(this.selected, false);
    this.selected = at;
    if (at === null) return;
    this.cursor = at;
    mark(at, true);
    if (scroll) this.elements[at]?.scrollIntoView({ block: "nearest" });
  }

  override end() {
    super.end();
    cancelAnimationFrame(this.frame);
    this.joining.stop();
  }
}

/** Boxes of the first and the last character of an element. */
function outerBoxes(el: HTMLElement) {
  const walker = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  const boxes = [];
  const range = document.createRange();
  while (walker.nextNode()) {
    const node = walker.currentNode;
    for (let at = 0; at < (node.nodeValue ?? "").length; at++) {
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const box = range.getBoundingClientRect();
      if (box.width) boxes.push(box);
    }
  }
  const whole = el.getBoundingClientRect();
  return [boxes[0] ?? whole, boxes.at(-1) ?? whole];
}
