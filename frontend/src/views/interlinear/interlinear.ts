// The same lines below each other, segmented by each tokenizer.
//
// Every row of a line draws the whole text unbroken, so that characters have the same position in every row,
// whatever the script. A token is a coloured box behind it, from the start of its first byte to the end of its last;
// a boundary inside a character divides the glyph in proportion to its bytes.
// A token that covers no text (a bare </w>) is a dot. Marks of disagreement shrink to low ticks in crowded rows.

import { View, type Segmentation } from "../../bridge/view.ts";
import { shownNumber } from "../../page/numbers.ts";
import { build, find, make, pointAt, setText, zoomOf } from "../../page/elements.ts";
import { isPrinting, whenPrinting } from "../../page/print.ts";
import { whenIdle } from "../../bridge/idle.ts";
import { Tooltip } from "../../tokens/drawing.ts";
import { drawsText, fontless } from "../../tokens/fonts.ts";
import { linesOf, type Line } from "./cells.ts";
import { bytesOf, sharedCells, sharedLines, type Version } from "./changes.ts";
import type { Bytes } from "./chunk.ts";
import { Drawn, type Chunk } from "./drawn.ts";
import { Foot } from "./foot.ts";
import { Highlight } from "./highlight.ts";
import { Pointing } from "./pointing.ts";
import { Row, afterText, beforeText, boundariesOf, legendOf, type LaneBody } from "./rows.ts";
import { breakLines, breakUntil, costOf, partsFrom, widthOf, type LinePart, type LinePiece } from "./wrapping.ts";

interface LinesHead {
  rev: string;
  name: string;
  tells: boolean;
  label: string;
  height: number | null;
  highlight: Bytes | null;
  note: string | null;
}

interface LinesBody {
  text: string;
  start: number;
  before: number;
  after: number;
  lanes: LaneBody[];
}

/**
 * Replacement of some chunks; the `first` at their beginning and the `last` at their end stay. `pieces`: null if not
 * wrapped yet.
 */
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
  private readonly drawn: Drawn;
  private readonly highlight: Highlight;
  private readonly pointing: Pointing;
  private tells = false; // whether clicks are reported to Python
  private pen: CanvasRenderingContext2D | null = null;
  private explained = ""; // by the legend
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
    this.drawn = new Drawn(this.lanes);
    this.foot = new Foot(find(root, ".foot", HTMLElement), this.lanes, {
      lineTops: () => this.drawn.chunks.map(({ el, lineStart }) => ({ top: el.offsetTop, lineStart })),
      toCome: () => this.drawn.lines.length - this.laid - (this.laidCells ? 1 : 0),
      toggled: () => this.toggled(),
    });
    this.highlight = new Highlight(this.lanes, this.drawn, this.foot, () => this.isLaid);
    this.tip = new Tooltip(find(root, ".tip", HTMLElement));
    this.pointing = new Pointing({
      lanes: this.lanes,
      drawn: this.drawn,
      tip: this.tip,
      layTheRest: () => this.layTheRest(),
      pick: (row, at) => this.pick(row, at),
      scrolled: () => this.foot.update(),
    });
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
    const moved = this.highlight.set(head.highlight, isFirst);
    this.tells = head.tells;
    this.lanes.setAttribute("aria-label", head.label);
    const scale = matchMedia(WIDE).matches ? WIDER : this.lanes.clientWidth < PHONE ? TALLER : 1;
    this.foot.bound(head.height && Math.round(scale * head.height));
    if (body) {
      this.highlight.isFresh = isFirst;
      const before = { lines: this.drawn.lines, rows: this.drawn.rows };
      this.read(body);
      if (!this.redraw(before)) this.build();
    } else if (moved) {
      this.highlight.draw();
      this.foot.update();
    }
    this.highlight.follow(head.note);
  }

  private read(body: LinesBody) {
    setText(this.before, beforeText(body.before));
    setText(this.after, afterText(body.after));
    const rows = body.lanes.map((lane) => new Row(lane));
    const divide = () => {
      this.drawn.lines = rows.length ? linesOf(body.text, body.start, boundariesOf(rows), fontless()) : [];
    };
    this.drawn.rows = rows;
    divide();
    this.drawsLines(body.text, divide);
    const legend = legendOf(rows);
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
    const { lines } = this.drawn;
    drawsText(this.lanes, text, () => {
      if (this.drawn.lines !== lines) return; // replaced meanwhile
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
    this.drawn.clear();
    this.laid = this.laidCells = 0;
    delete this.lanes.dataset.rev; // until all is laid out
    this.lanes.style.setProperty("--group", `${31.5 * scale * this.drawn.rows.length + 10}px`); // for unrendered lines
    this.lanes.removeAttribute("aria-activedescendant");
    this.batch(isPrinting() ? Infinity : Math.max(LEAST_FIRST, FIRST_COST / this.drawn.rows.length));
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
    const { drawn } = this;
    const { rows, lines, chunks } = drawn;
    const isLike = (row: Row, at: number) => row.name === rows[at]?.name && row.crowded === rows[at].crowded;
    const isLaid = this.laid === before.lines.length && this.lanes.clientWidth === this.width && !isPrinting();
    if (!isLaid || before.rows.length !== rows.length || !before.rows.every(isLike)) return false;
    if (this.namesWidth() !== this.names) return false;
    const { head, tail } = sharedLines(before, drawn);
    const [old, now] = [before, drawn].map(({ lines: each }) => each.slice(head, each.length - tail));
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
    const divided = drawn.keep(above, below, before);
    drawn.move(above, (chunk) => lines[numberOf(chunk)]);
    const shift = lines.length - before.lines.length;
    drawn.move(below, (chunk) => lines[numberOf(chunk) + shift]);
    if (first) drawn.count(above[firstGone]);
    const next = below[0]?.el ?? null;
    const added = change.pieces ? drawn.drawTokens(drawn.draw(change.pieces, next)) : this.lay(change.parts, next, true);
    for (const { row, at, boxes } of divided) drawn.addBoxes(row, at, boxes);
    drawn.chunks = [...above, ...added, ...below];
    this.laid = lines.length;
    this.pointing.begin();
    this.complete();
    requestAnimationFrame(() => {
      this.highlight.draw(); // both read the layout, which is computed for the frame anyway
      this.foot.update();
    });
    return true;
  }

  /**
   * Replacement of some lines. In long ones, the chunks before the difference stay, and those after it from where the
   * line wraps as before.
   * @param gone chunks of the old lines
   */
  private changeOf({ before, old, now, gone }: { before: Version; old: Line[]; now: Line[]; gone: Chunk[] }): Change {
    const parts = partsFrom(now, 0, Infinity);
    if (!old.length || parts.every(({ to }) => to < MOST_WHOLE))
      return { first: 0, last: 0, parts, pieces: null, cost: costOf(parts) };
    const shared = sharedCells(before, old, this.drawn, now);
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

  /** Pixels of the widest name with its largest count in a line. */
  private widestLabel() {
    const { rows } = this.drawn;
    const lines = this.drawn.lines.map((line) => bytesOf(this.drawn, line));
    const pen = (this.pen ??= make("canvas").getContext("2d"));
    if (!pen) return NAME_WIDTH;
    pen.font = `${LABEL} ${getComputedStyle(this.lanes).fontFamily}`;
    const names = rows.map((row) => pen.measureText(row.name).width);
    this.lanes.classList.toggle("long-names", Math.max(0, ...names) > LONGEST_NAME);
    const widths = rows.map((row, at) => {
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
    const { chunks, lines } = this.drawn;
    const isFirst = !chunks.length;
    const startedAt = performance.now();
    const parts = partsFrom(lines.slice(this.laid), this.laidCells, cost);
    for (const chunk of this.lay(parts, null)) {
      chunks.push(chunk);
      this.laidCells += chunk.places.length;
      if (this.laidCells < chunk.line.cells.length) continue;
      this.laid++;
      this.laidCells = 0;
    }
    if (this.isLaid) {
      this.complete();
      this.highlight.draw();
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
    return this.drawn.drawTokens(whole ?? this.drawn.draw(breakLines(this.lanes, parts, this.textWidth), before));
  }

  /** Draw each line as one chunk; null, and nothing is drawn, if one of them does not fit the width. */
  private drawWhole(lines: Line[], before: HTMLElement | null) {
    const pieces = lines.map((line): LinePiece => ({ cells: line.cells, line, lineStart: true, around: ["", ""] }));
    const chunks = this.drawn.draw(pieces, before);
    const most = (this.textWidth - 1) * zoomOf(this.lanes);
    if (chunks.every(({ text }) => widthOf(text) <= most)) return chunks;
    for (const { el } of chunks) el.remove();
    return null;
  }

  /** Whether all lines are laid out. */
  private get isLaid() {
    return this.laid === this.drawn.lines.length;
  }

  private stopLaying() {
    cancelAnimationFrame(this.frame);
    this.takeBack();
  }

  /** Lay out all lines now, before a move to one that may be missing. */
  private layTheRest() {
    if (!this.rev || this.isLaid) return;
    this.stopLaying();
    this.batch(Infinity);
  }

  /** All lines are laid out. */
  private complete() {
    this.lanes.style.minHeight = "";
    this.lanes.dataset.rev = this.rev ?? "";
  }

  override get keyed() {
    return this.highlight.note.el;
  }

  override segmentations(): Segmentation[] {
    return this.drawn.rows.map((tokens, row) => ({ tokens, elements: (at) => this.drawn.boxes(row, at) }));
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
    this.highlight.reveal();
  }

  private pick(row: number, at: number) {
    const { drawn } = this;
    if (this.tells && drawn.element(row, at)) this.outbox?.act("picked", [this.rev, row, drawn.rows[row].first + at]);
  }

  override end() {
    super.end();
    this.highlight.note.end();
    this.stopLaying();
  }
}

