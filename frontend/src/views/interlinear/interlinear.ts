// The same lines below each other, segmented by each tokenizer.
//
// Every row of a line draws the whole text unbroken, so that characters have the same position in every row,
// whatever the script. A token is a coloured box behind it, from the start of its first byte to the end of its last;
// a boundary inside a character divides the glyph in proportion to its bytes.
// A token that covers no text (a bare </w>) is a dot. Marks of disagreement shrink to low ticks in crowded rows.

import { View, type Segmentation } from "../../bridge/view.ts";
import { clamp, shownNumber } from "../../page/numbers.ts";
import { build, closest, find, make, pointAt, setText, unzoomed, zoomOf } from "../../page/elements.ts";
import { isPrinting, whenPrinting } from "../../page/print.ts";
import { whenIdle } from "../../bridge/idle.ts";
import { Tooltip } from "../../tokens/drawing.ts";
import { drawsText, fontless } from "../../tokens/fonts.ts";
import { t, tn } from "../../i18n/words.ts";
import { linesOf, type Line } from "./cells.ts";
import { bytesOf, sharedCells, sharedLines, type Version } from "./changes.ts";
import { Geometry, type Bytes, type Sides } from "./chunk.ts";
import { Foot } from "./foot.ts";
import { LineNote } from "./note.ts";
import { Row, afterText, beforeText, boundariesOf, legendOf, type LaneBody } from "./rows.ts";
import { breakLines, breakUntil, costOf, drawCells, partsFrom, rectOf, widthOf } from "./wrapping.ts";
import type { LinePart, LinePiece, Place } from "./wrapping.ts";

interface LinesHead {
  rev: string;
  name: string;
  tells: boolean;
  label: string;
  height: number | null;
  highlight: [number, number] | null;
  note: string | null;
}

interface LinesBody {
  text: string;
  start: number;
  before: number;
  after: number;
  lanes: LaneBody[];
}

/** A part of a line that fits the width, as drawn; `counted`: the line, in the part where its tokens are counted. */
interface Chunk {
  geometry: Geometry;
  lineStart: boolean;
  counted: Bytes | null;
  el: HTMLElement;
  text: HTMLElement;
  layers: HTMLElement[];
  places: Place[];
  line: Line;
  /** For each row, the first and the last token that has a box here; Infinity and -1 without one. */
  tokens: [first: number, last: number][];
}

/** A token with its boxes in a chunk: the index of the box with the token's end, and whether that is on its left. */
interface PlacedToken {
  at: number;
  places: Sides[];
  last: number;
  rtl: boolean;
}

/** What is drawn in place of some chunks, of which the `first` and `last` ones stay; `pieces`: if it is wrapped already. */
interface Change {
  first: number;
  last: number;
  parts: LinePart[];
  pieces: LinePiece[] | null;
  cost: number;
}

const NAME_WIDTH = 124; // pixels; long names and counts get more
const SHORT_NAMES = 90; // on a phone
const LONGEST_NAME = 144; // pixels; longer ones end in an ellipsis
const LABEL = "14px"; // type of both, as in the stylesheet
const BESIDE_NAMES = 18; // pixels between and after both
const PHONE = 480; // pixels: narrower lines break into many parts
const TALLER = 1.6; // on a phone
const PADDING = 3;
const WIDE = "(min-width: 1600px)"; // a projector: larger type, same as in the stylesheet
const WIDER = 1.33;
const LEAST_WIDTH = 80;
const FIRST_COST = 1800; // of the cells of all rows laid out before the first paint, more than fit the window
const MOST_WHOLE = 400; // characters of a line that may fit the width
const LEAST_FIRST = 500; // minimum per row
const LEAST_COST = 200; // per row in a later batch, laid out when the page is idle
const BATCH = 80; // target milliseconds per batch, so that the page stays responsive
const MOST_RESTLESS = 500; // maximum milliseconds between two batches

export class Interlinear extends View {
  private readonly lanes: HTMLElement;
  private readonly before: HTMLElement;
  private readonly after: HTMLElement;
  private readonly legend: HTMLElement;
  private readonly foot: Foot;
  private readonly tip: Tooltip;
  private readonly note = new LineNote();
  private moved = false; // whether the pointer has moved over the lanes
  private tells = false; // whether clicks are reported to Python
  rows: Row[] = [];
  lines: Line[] = [];
  private chunks: Chunk[] = [];
  private elements: HTMLElement[][] = [];
  private readonly moreBoxes = new WeakMap<HTMLElement, HTMLElement[]>(); // of tokens in several parts, by the first
  private cursor = { row: 0, at: 0 };
  private pen: CanvasRenderingContext2D | null = null;
  private explained = ""; // by the legend
  private highlight: [number, number] | null = null;
  private reveal = false;
  private noteDue = false; // whether the note of a chosen token is to be scrolled into view
  private fresh = false; // whether this is the first drawing
  private frame = 0;
  private takeBack: () => void = () => {}; // cancels the next batch
  private resizing = 0;
  private width = 0;
  private names = 0; // width
  private textWidth = 0;
  private laid = 0;
  private laidCells = 0; // of the line after those laid out

  static markup() {
    return [
      make("p", "legend"),
      make("p", "more before"),
      build("div", { class: "lanes", role: "listbox", tabindex: "0" }),
      build(
        "div",
        { class: "foot", hidden: "" },
        build("button", { type: "button" }),
        build("button", { type: "button" }),
      ),
      make("p", "more after"),
    ];
  }

  constructor(root: HTMLElement) {
    super(root);
    this.lanes = find(root, ".lanes", HTMLElement);
    this.before = find(root, ".before", HTMLElement);
    this.after = find(root, ".after", HTMLElement);
    this.legend = find(root, ".legend", HTMLElement);
    this.foot = new Foot(find(root, ".foot", HTMLElement), this.lanes, {
      lineTops: () => this.chunks.map(({ el, lineStart }) => ({ top: el.offsetTop, lineStart })),
      toCome: () => this.lines.length - this.laid - (this.laidCells ? 1 : 0),
      toggled: () => this.toggled(),
    });
    this.tip = new Tooltip(find(root, ".tip", HTMLElement));
    this.listen();
    const observer = new ResizeObserver(() => this.resized());
    observer.observe(this.lanes);
    document.fonts.ready.then(() => this.rev && this.build());
    this.onEnd(
      () => observer.disconnect(),
      whenPrinting(() => this.rev && this.build()),
    );
  }

  update(component: Mount) {
    const isFirst = this.rev === null;
    const { head, body } = this.open<LinesHead, LinesBody>(component);
    const moved = String(head.highlight) !== String(this.highlight);
    this.highlight = head.highlight;
    this.tells = head.tells;
    this.lanes.setAttribute("aria-label", head.label);
    const scale = matchMedia(WIDE).matches ? WIDER : this.lanes.clientWidth < PHONE ? TALLER : 1;
    this.foot.bound(head.height && Math.round(scale * head.height));
    this.reveal ||= moved; // its line may not be laid out yet
    this.noteDue ||= moved && !isFirst;
    if (body) {
      this.fresh = isFirst;
      const before = { lines: this.lines, rows: this.rows };
      this.read(body);
      if (!this.redraw(before)) this.build();
    } else if (moved) {
      this.drawHighlight();
      this.foot.update();
    }
    this.note.follow(head.note, () => this.placeNote());
  }

  private read(body: LinesBody) {
    setText(this.before, beforeText(body.before));
    setText(this.after, afterText(body.after));
    this.rows = body.lanes.map((lane) => new Row(lane));
    const divide = () => {
      this.lines = this.rows.length ? linesOf(body.text, body.start, boundariesOf(this.rows), fontless()) : [];
    };
    divide();
    this.drawsLines(body.text, divide);
    const legend = legendOf(this.rows);
    const explained = JSON.stringify(legend);
    if (explained === this.explained) return;
    this.explained = explained;
    this.legend.replaceChildren(
      ...legend.map(({ marks, words }) => {
        const item = make("span", "entry");
        item.append(...marks.map((mark) => make("i", `mark ${mark}`)), words);
        return item;
      }),
    );
  }

  /** @param divide divides the text into lines again */
  private drawsLines(text: string, divide: () => void) {
    const { lines } = this;
    drawsText(this.lanes, text, () => {
      if (this.lines !== lines) return; // replaced meanwhile
      divide();
      this.build();
    });
  }

  // ---- layout -------------------------------------------------------------------------------------------

  private build() {
    this.stopLaying();
    this.tip.hide();
    this.lanes.style.minHeight = this.lanes.offsetHeight + "px"; // no jump while lines are added
    this.width = this.lanes.clientWidth;
    const scale = this.scale();
    this.names = this.namesWidth();
    this.lanes.style.setProperty("--names", this.names + "px");
    this.textWidth = Math.max(LEAST_WIDTH, this.width - 2 * PADDING - this.names);
    this.chunks = [];
    this.laid = this.laidCells = 0;
    this.lanes.replaceChildren();
    delete this.lanes.dataset.rev; // until all is laid out
    this.lanes.style.setProperty("--group", `${31.5 * scale * this.rows.length + 10}px`); // for unrendered lines
    this.lanes.removeAttribute("aria-activedescendant");
    this.elements = this.rows.map((row) => new Array(row.length));
    this.batch(isPrinting() ? Infinity : Math.max(LEAST_FIRST, FIRST_COST / this.rows.length));
  }

  private scale() {
    return matchMedia(WIDE).matches && !isPrinting() ? WIDER : 1;
  }

  /** Pixels of the names beside the lines. */
  private namesWidth() {
    const usual = this.width < PHONE ? SHORT_NAMES : NAME_WIDTH;
    return Math.round(this.scale() * Math.max(usual, this.widestLabel() + BESIDE_NAMES));
  }

  /**
   * Redraw only the lines that differ, if all were laid out and the layout of the others would not change.
   * @returns whether they were
   */
  private redraw(before: Version): boolean {
    const { rows, lines, chunks } = this;
    const isLike = (row: Row, at: number) => row.name === rows[at]?.name && row.crowded === rows[at].crowded;
    const isLaid = this.laid === before.lines.length && this.lanes.clientWidth === this.width && !isPrinting();
    if (!isLaid || before.rows.length !== rows.length || !before.rows.every(isLike)) return false;
    if (this.namesWidth() !== this.names) return false;
    const { head, tail } = sharedLines(before, this);
    const [old, now] = [before, this].map(({ lines: each }) => each.slice(head, each.length - tail));
    const numbers = new Map(before.lines.map((line, number) => [line, number]));
    const numberOf = ({ line }: Chunk) => numbers.get(line) ?? 0;
    const firstGone = chunks.filter((chunk) => numberOf(chunk) < head).length;
    const gone = chunks.slice(firstGone).filter((chunk) => numberOf(chunk) < before.lines.length - tail);
    const change = this.changeOf({ before, old, now, gone });
    const { first, last } = change;
    if (chunks.length - gone.length + first + last === 0 || change.cost > FIRST_COST) return false;
    this.tip.hide();
    pointAt(this.lanes, null);
    const above = chunks.slice(0, firstGone + first);
    const below = chunks.slice(firstGone + gone.length - last);
    for (const { el } of gone.slice(first, gone.length - last)) el.remove();
    const divided = this.keep(above, below, before);
    this.move(above, (chunk) => lines[numberOf(chunk)]);
    const shift = lines.length - before.lines.length;
    this.move(below, (chunk) => lines[numberOf(chunk) + shift]);
    if (first) this.count(above[firstGone]);
    const next = below[0]?.el ?? null;
    const added = change.pieces ? this.drawTokens(this.draw(change.pieces, next)) : this.lay(change.parts, next, true);
    for (const { row, at, boxes } of divided) this.addBoxes(this.elements[row][at], boxes);
    this.chunks = [...above, ...added, ...below];
    this.laid = lines.length;
    this.cursor = { row: 0, at: 0 };
    this.finish();
    requestAnimationFrame(() => this.foot.update()); // reads the layout, which is made for the frame anyway
    return true;
  }

  /**
   * What is drawn in place of some lines. Of long ones, the chunks stay before the place that differs and after it, from
   * where the line wraps again as it did.
   * @param gone chunks of the old lines
   */
  private changeOf({ before, old, now, gone }: { before: Version; old: Line[]; now: Line[]; gone: Chunk[] }): Change {
    const parts = partsFrom(now, 0, Infinity);
    if (!old.length || parts.every(({ to }) => to < MOST_WHOLE))
      return { first: 0, last: 0, parts, pieces: null, cost: costOf(parts) };
    const shared = sharedCells(before, old, this, now);
    const lengths = gone.map(({ places }) => places.length);
    let [first, from] = [0, 0];
    // where a chunk ends depends on the one after it, too
    while (from + lengths[first] + lengths[first + 1] <= shared.first) from += lengths[first++];
    const end = now[now.length - 1].cells.length;
    const ends = new Map<number, number>(); // numbers of chunks that may stay at the end, by their first cell
    for (let count = 1, cells = 0; count <= gone.length - first; count++) {
      cells += lengths[gone.length - count];
      if (cells > shared.last) break;
      if (!gone[gone.length - count].lineStart) ends.set(end - cells, count);
    }
    const { pieces, at, cost } = breakUntil(this.lanes, now, from, this.textWidth, FIRST_COST, (cell) => ends.has(cell));
    return { first, last: ends.get(at) ?? 0, parts, pieces, cost };
  }

  /**
   * Keep the boxes of chunks above and below a change: their tokens get new numbers.
   * @returns boxes of the tokens that begin in what is to be drawn
   */
  private keep(above: Chunk[], below: Chunk[], before: Version) {
    const old = this.elements;
    const divided: { row: number; at: number; boxes: HTMLElement[] }[] = [];
    const isDrawn = (box: HTMLElement) => this.lanes.contains(box);
    this.elements = this.rows.map((row, number) => {
      const shift = row.length - before.rows[number].length;
      const last = Math.max(-1, ...above.map(({ tokens }) => tokens[number][1]));
      const first = Math.min(old[number].length, ...below.map(({ tokens }) => tokens[number][0]));
      const kept = old[number].slice(0, last + 1);
      const more = this.moreBoxes.get(kept[last]);
      if (more) this.moreBoxes.set(kept[last], more.filter(isDrawn));
      kept.length = row.length;
      for (let at = first; at < old[number].length; at++) {
        const el = old[number][at];
        if (!el) continue;
        const boxes = [el, ...(this.moreBoxes.get(el) ?? [])];
        for (const box of boxes) box.token = at + shift;
        if (at > first || isDrawn(el)) kept[at + shift] = el;
        else divided.push({ row: number, at: at + shift, boxes: boxes.filter(isDrawn) });
      }
      for (const { tokens } of below) {
        const range = tokens[number];
        if (range[1] >= 0) tokens[number] = [range[0] + shift, range[1] + shift];
      }
      return kept;
    });
    return divided;
  }

  /** Move chunks to the bytes of the same lines in another version of the text, of the first one to its end. */
  private move(chunks: Chunk[], lineOf: (chunk: Chunk) => Line) {
    const opened = chunks.findIndex(({ lineStart }) => lineStart);
    const rest = chunks.slice(0, opened < 0 ? chunks.length : opened);
    let from = rest.length && lineOf(rest[0]).cells.length - rest.reduce((sum, { places }) => sum + places.length, 0);
    for (const chunk of chunks) {
      const line = lineOf(chunk);
      if (chunk.lineStart) from = 0;
      const cells = line.cells.slice(from, (from += chunk.places.length));
      chunk.line = line;
      chunk.geometry = new Geometry(cells, line.mixed, line.rtl);
      chunk.counted &&= bytesOf(this, line);
    }
  }

  /** Pixels of the widest name with its largest count in a line. */
  private widestLabel() {
    const lines = this.lines.map((line) => bytesOf(this, line));
    const pen = (this.pen ??= make("canvas").getContext("2d"));
    if (!pen) return NAME_WIDTH;
    pen.font = `${LABEL} ${getComputedStyle(this.lanes).fontFamily}`;
    const names = this.rows.map((row) => pen.measureText(row.name).width);
    this.lanes.classList.toggle("long-names", Math.max(0, ...names) > LONGEST_NAME);
    const widths = this.rows.map((row, at) => {
      const most = lines.reduce((count, line) => Math.max(count, row.startingIn(...line)), 0);
      return Math.min(names[at], LONGEST_NAME) + pen.measureText(shownNumber(most)).width;
    });
    return Math.ceil(Math.max(0, ...widths));
  }

  /**
   * Lay out the next lines or a part of a long one, and schedule those after them.
   * @param cost of the cells
   */
  private batch(cost: number) {
    const isFirst = !this.chunks.length;
    const startedAt = performance.now();
    const parts = partsFrom(this.lines.slice(this.laid), this.laidCells, cost);
    for (const chunk of this.lay(parts, null)) {
      this.chunks.push(chunk);
      this.laidCells += chunk.places.length;
      if (this.laidCells < chunk.line.cells.length) continue;
      this.laid++;
      this.laidCells = 0;
    }
    if (this.laid === this.lines.length) {
      this.finish();
      this.foot.update();
      return;
    }
    if (isFirst) this.foot.update();
    const quick = (BATCH / (performance.now() - startedAt)) * costOf(parts);
    const next = Math.max(LEAST_COST, Math.min(quick, 2 * cost)); // the first batch includes warm-up
    this.frame = requestAnimationFrame(() => {
      this.takeBack = whenIdle(() => this.batch(next), MOST_RESTLESS);
    });
  }

  /**
   * Lay out parts of lines before another element, or at the end.
   * @param areShort whether most lines are expected to fit the width: those that do are drawn once
   */
  private lay(parts: LinePart[], before: HTMLElement | null, areShort = false) {
    const isWhole = areShort && parts.every(({ to }) => to < MOST_WHOLE);
    const whole = isWhole ? this.drawWhole(parts.map(({ line }) => line), before) : null;
    return this.drawTokens(whole ?? this.draw(breakLines(this.lanes, parts, this.textWidth), before));
  }

  private drawTokens(chunks: Chunk[]) {
    const boxes = chunks.map((chunk) => this.readBoxes(chunk)); // read all layout before writing
    chunks.forEach((chunk, at) => this.drawBoxes(chunk, boxes[at]));
    return chunks;
  }

  /** Draw each line as one chunk; null, and nothing is drawn, if one of them does not fit the width. */
  private drawWhole(lines: Line[], before: HTMLElement | null) {
    const pieces = lines.map((line): LinePiece => ({ cells: line.cells, line, lineStart: true, around: ["", ""] }));
    const chunks = this.draw(pieces, before);
    const most = (this.textWidth - 1) * zoomOf(this.lanes);
    if (chunks.every(({ text }) => widthOf(text) <= most)) return chunks;
    for (const { el } of chunks) el.remove();
    return null;
  }

  private stopLaying() {
    cancelAnimationFrame(this.frame);
    this.takeBack();
  }

  /** Lay out all lines now, before a move to one that may be missing. */
  private layTheRest() {
    if (!this.rev || this.laid === this.lines.length) return;
    this.stopLaying();
    this.batch(Infinity);
  }

  private finish() {
    this.lanes.style.minHeight = "";
    this.lanes.dataset.rev = this.rev ?? "";
    this.drawHighlight();
  }

  /** Add the first row of each chunk to the page for measuring; the text has the same position in the other rows. */
  private draw(pieces: LinePiece[], before: HTMLElement | null) {
    const fragment = document.createDocumentFragment();
    const chunks = pieces.map(({ cells, line, lineStart, around }): Chunk => {
      const el = make("div", lineStart ? "chunk line-start" : "chunk");
      el.classList.toggle("gap", cells.at(-1) === line.cells.at(-1) && line.isParagraph);
      const text = make("div", "text");
      text.dir = line.rtl ? "rtl" : "ltr";
      text.setAttribute("aria-hidden", "true");
      const places = drawCells(text, cells, around);
      const counted = lineStart ? bytesOf(this, line) : null;
      const layers = [this.lane(el, this.rows[0], text, counted)];
      fragment.append(el);
      const geometry = new Geometry(cells, line.mixed, line.rtl);
      return { geometry, lineStart, counted, el, text, layers, places, line, tokens: [] };
    });
    this.lanes.insertBefore(fragment, before);
    return chunks;
  }

  /**
   * Add one tokenizer's row of a chunk; return the element for its boxes.
   * @param counted bytes whose tokens are counted beside the name
   */
  private lane(chunk: HTMLElement, row: Row, text: HTMLElement, counted: Bytes | null) {
    const lane = make("div", "lane");
    const label = make("span", "label");
    const name = make("span", "name", row.name);
    name.title = row.name;
    label.append(name);
    if (counted) label.append(countOf(row, counted));
    const layer = make("div", row.crowded ? "segmentation crowded" : "segmentation");
    layer.classList.toggle("dictionary", row.dictionary);
    layer.setAttribute("role", "group");
    layer.setAttribute("aria-label", row.name);
    layer.append(text);
    lane.append(label, layer);
    chunk.append(lane);
    return layer;
  }

  /** Count the tokens of a line again. */
  private count({ layers, counted }: Chunk) {
    layers.forEach((layer, at) => {
      if (counted) layer.parentElement?.querySelector(".count")?.replaceWith(countOf(this.rows[at], counted));
    });
  }

  /** For each row, the chunk's tokens with their positions. */
  private readBoxes(chunk: Chunk): PlacedToken[][] {
    const { geometry } = chunk;
    this.measure(chunk);
    return this.rows.map((row) =>
      row.tokensIn(geometry.start, geometry.end).map((at) => {
        const places = geometry.boxes(row.begin[at], row.end[at]);
        const { box, rtl } = geometry.mixed ? geometry.endIn(row.end[at], places) : { box: 0, rtl: false };
        return { at, places, last: box, rtl };
      }),
    );
  }

  private measure({ geometry, layers, places }: Chunk) {
    const zoom = zoomOf(layers[0]);
    const origin = layers[0].getBoundingClientRect().left / zoom;
    if (origin !== geometry.origin || !geometry.measured.length)
      geometry.measure(origin, (index) => rectOf(places[index], zoom));
    return origin;
  }

  private drawBoxes(chunk: Chunk, boxes: PlacedToken[][]) {
    for (const row of this.rows.slice(1)) {
      const copy = chunk.text.cloneNode(true) as HTMLElement;
      copy.classList.add("copy");
      chunk.layers.push(this.lane(chunk.el, row, copy, chunk.counted));
    }
    chunk.tokens = boxes.map((tokens) => [tokens[0]?.at ?? Infinity, tokens.at(-1)?.at ?? -1]);
    boxes.forEach((tokens, index) => {
      const els = tokens.flatMap(({ at, places, last, rtl }) =>
        places.map((sides, nth) => this.box(chunk, index, at, sides, { isLast: nth === last, rtl })),
      );
      chunk.layers[index].prepend(...els);
    });
    chunk.el.classList.add("done");
  }

  /**
   * @param index of the row
   * @param end whether the token ends in this box, and on the left
   */
  private box(
    chunk: Chunk,
    index: number,
    at: number,
    [left, right]: Sides,
    { isLast, rtl }: { isLast: boolean; rtl: boolean },
  ) {
    const row = this.rows[index];
    const { geometry } = chunk;
    const end = row.end[at];
    const opensRight = end > geometry.end;
    const classes = {
      empty: row.isBare(at),
      "open-left": row.begin[at] < geometry.start,
      "open-right": opensRight,
      special: row.isNamed(at),
      rtl,
      unshared: isLast && !opensRight && row.unshared.has(at),
      inside: isLast && !opensRight && geometry.isInside(end),
    };
    const el = make("span", `t c${row.colour(at)}`);
    for (const [name, on] of Object.entries(classes)) if (on) el.classList.add(name);
    el.style.left = left.toFixed(2) + "px";
    el.style.width = Math.max(0, right - left).toFixed(2) + "px";
    el.row = index;
    el.token = at;
    const first = this.elements[index][at];
    if (first) {
      el.setAttribute("aria-hidden", "true");
      this.addBoxes(first, [el]);
    } else {
      el.setAttribute("role", "option");
      el.setAttribute("aria-label", row.briefly(at));
      this.elements[index][at] = el;
    }
    return el;
  }

  /** @param first box of a token, and `more` of its boxes */
  private addBoxes(first: HTMLElement, more: HTMLElement[]) {
    this.moreBoxes.set(first, [...(this.moreBoxes.get(first) ?? []), ...more]);
  }

  override get keyed() {
    return this.note.el;
  }

  override segmentations(): Segmentation[] {
    const boxes = (of: HTMLElement[], at: number) => (of[at] ? [of[at], ...(this.moreBoxes.get(of[at]) ?? [])] : []);
    return this.rows.map((tokens, row) => ({ tokens, elements: (at) => boxes(this.elements[row], at) }));
  }

  private resized() {
    if (!this.rev || this.lanes.clientWidth === this.width) return;
    cancelAnimationFrame(this.resizing);
    this.resizing = requestAnimationFrame(() => this.build());
  }

  /** Update after all lines are shown or collapsed. */
  private toggled() {
    this.resized();
    if (this.foot.opened) return;
    this.reveal = true;
    this.drawHighlight();
  }

  // ---- the current disagreement -------------------------------------------------------------------------

  private drawHighlight() {
    for (const el of this.lanes.querySelectorAll(".highlight")) el.remove();
    this.note.place(this.chunks, this.highlight);
    this.revealNote();
    if (!this.highlight) return;
    const [start, end] = this.highlight;
    let first: HTMLElement | null = null;
    for (const chunk of this.chunks) {
      const { geometry } = chunk;
      if (geometry.end <= start || geometry.start >= Math.max(end, start + 1)) continue;
      const lane = chunk.el.getBoundingClientRect().left / zoomOf(chunk.el);
      const origin = this.measure(chunk);
      for (const [left, right] of geometry.boxes(start, end)) {
        const el = make("div", "highlight");
        el.style.left = (origin - lane + left - 2).toFixed(2) + "px";
        el.style.width = (right - left + 4).toFixed(2) + "px";
        chunk.el.append(el);
        first ??= el;
      }
    }
    if (!first && this.laid < this.lines.length) return; // its line is not laid out yet
    const opens = this.fresh && first?.parentElement && this.isInFirstLine(first.parentElement); // with its beginning
    if (first && this.reveal && !opens && (this.foot.inner || !this.fresh)) this.scrollTo(first);
    this.reveal = false;
    this.fresh = false;
    this.revealNote();
  }

  private isInFirstLine(chunk: HTMLElement) {
    const second = this.chunks.findIndex(({ lineStart }, at) => at > 0 && lineStart);
    return this.chunks.slice(0, second < 0 ? undefined : second).some(({ el }) => el === chunk);
  }

  private placeNote() {
    this.note.place(this.chunks, this.highlight);
    this.foot.update();
    this.revealNote();
  }

  /** Scroll to the end of the note, as far as its marked tokens stay in view. */
  private revealNote() {
    const { lanes, note } = this;
    if (!this.noteDue || this.reveal || !note.el.isConnected) return;
    this.noteDue = false;
    const end = note.el.offsetTop + note.el.offsetHeight - lanes.clientHeight;
    const marked = lanes.querySelector(".highlight")?.parentElement?.offsetTop ?? end;
    if (this.foot.inner) lanes.scrollTop = Math.max(lanes.scrollTop, Math.min(end, marked));
  }

  private scrollTo(el: HTMLElement) {
    if (!this.foot.inner) {
      el.scrollIntoView({ block: "nearest" });
      return;
    }
    const zoom = zoomOf(this.lanes);
    const [box, view] = [el, this.lanes].map((each) => unzoomed(each.getBoundingClientRect(), zoom));
    if (box.top >= view.top && box.bottom <= view.bottom) return;
    const at = this.lanes.scrollTop + box.top - view.top;
    const middle = at - (view.height - box.height) / 2;
    const tops = this.chunks.map((chunk) => chunk.el.offsetTop); // show whole rows if possible
    const whole = tops.filter((top) => top <= at && at + box.height - top <= view.height);
    const nearest = (a: number, b: number) => Math.abs(a - middle) - Math.abs(b - middle);
    this.lanes.scrollTop = whole.sort(nearest)[0] ?? middle;
  }

  // ---- pointing and moving ------------------------------------------------------------------------------

  private listen() {
    const { lanes } = this;
    const point = (event: MouseEvent) => {
      const el = closest(event, ".t");
      if (el) this.show(el);
      else this.tip.hide();
    };
    lanes.onmouseover = (event) => {
      if (this.moved) point(event);
    };
    lanes.onmousemove = (event) => {
      // Ignore a resting pointer when the page is drawn below it.
      if (this.moved || !(event.movementX || event.movementY)) return;
      this.moved = true;
      point(event);
    };
    lanes.onmouseleave = () => {
      this.moved = false;
      this.tip.hide();
    };
    lanes.onscroll = () => {
      this.tip.hide();
      requestAnimationFrame(() => this.foot.update());
    };
    lanes.onclick = (event) => {
      const el = closest(event, ".t");
      if (el?.row === undefined || el.token === undefined) return;
      this.cursor = { row: el.row, at: el.token };
      this.pick(el.row, el.token);
    };
    lanes.onfocus = () => {
      if (lanes.matches(":focus-visible")) this.moveTo(this.cursor.row, this.cursor.at);
    };
    lanes.onblur = () => {
      this.tip.hide();
      pointAt(lanes, null);
    };
    lanes.onkeydown = (event) => {
      if (this.key(event.key)) event.preventDefault();
    };
  }

  /** Handle a key; false for a key without an effect here. */
  private key(key: string) {
    const { row, at } = this.cursor;
    this.layTheRest();
    if (key === "ArrowRight") this.moveTo(row, at + 1);
    else if (key === "ArrowLeft") this.moveTo(row, at - 1);
    else if (key === "ArrowDown") this.moveAcross(1);
    else if (key === "ArrowUp") this.moveAcross(-1);
    else if (key === "Home") this.moveTo(row, 0);
    else if (key === "End") this.moveTo(row, Infinity);
    else if (key === "Enter" || key === " ") this.pick(row, at);
    else if (key === "Escape") this.tip.hide();
    else return false;
    return true;
  }

  private moveTo(row: number, target: number) {
    const tokens = this.rows[row];
    if (!tokens) return;
    const at = clamp(target, 0, Math.max(0, tokens.length - 1));
    const el = this.elements[row][at];
    if (!el) return;
    this.cursor = { row, at };
    pointAt(this.lanes, el, t("{tokenizer}, {token}", { tokenizer: tokens.name, token: tokens.spoken(at) }));
    el.scrollIntoView({ block: "nearest" });
    this.show(el);
  }

  /** Move to the token with the same byte in the next row; from the last row, to the first row of the next chunk. */
  private moveAcross(step: number) {
    const { row, at } = this.cursor;
    const here = this.elements[row]?.[at];
    if (!here) return;
    const byte = this.rows[row].begin[at];
    const next = this.rows[row + step];
    if (next) {
      this.moveTo(row + step, next.tokenAt(byte));
      return;
    }
    const chunk = this.chunks[this.chunks.findIndex(({ geometry }) => geometry.end > byte) + step];
    if (!chunk) return;
    const target = step > 0 ? 0 : this.rows.length - 1;
    const x = here.getBoundingClientRect().left;
    const boxes: HTMLElement[] = [...chunk.layers[target].querySelectorAll("span.t")].filter(
      (el) => el instanceof HTMLElement,
    );
    const distances = boxes.map((el) => Math.abs(el.getBoundingClientRect().left - x));
    const nearest = boxes[distances.indexOf(Math.min(...distances))];
    if (nearest?.token !== undefined) this.moveTo(target, nearest.token);
  }

  /** Show the tooltip above or below the whole group, so that the lanes stay visible for comparison. */
  private show(el: HTMLElement) {
    const group = el.closest(".chunk");
    if (!group || el.row === undefined || el.token === undefined) return;
    const { top, height } = group.getBoundingClientRect();
    const { left, width } = el.getBoundingClientRect();
    const row = this.rows[el.row];
    this.tip.show(new DOMRect(left, top, width, height), row, el.token, row.name);
  }

  private pick(row: number, at: number) {
    if (this.tells && this.elements[row]?.[at]) this.outbox?.act("picked", [this.rev, row, this.rows[row].first + at]);
  }

  override end() {
    super.end();
    this.note.end();
    this.stopLaying();
  }
}

/** Number of a row's tokens in the bytes of a line. */
function countOf(row: Row, bytes: Bytes) {
  const count = row.startingIn(...bytes);
  const words = { count: shownNumber(count) };
  const tokens = make("span", "count", words.count);
  tokens.title = row.dictionary
    ? tn("{count} word in this line", "{count} words in this line", count, words)
    : tn("{count} token in this line", "{count} tokens in this line", count, words);
  return tokens;
}
