// What is drawn of the lines: chunks that fit the width, with a row for each tokenizer, and the boxes of their tokens.

import { make, zoomOf } from "../../page/elements.ts";
import { shownNumber } from "../../page/numbers.ts";
import { tn } from "../../i18n/words.ts";
import type { Line } from "./cells.ts";
import { bytesOf, type Version } from "./changes.ts";
import { Geometry, type Bytes, type Sides } from "./chunk.ts";
import type { Row } from "./rows.ts";
import { drawCells, rectOf, type LinePiece, type Place } from "./wrapping.ts";

/** A part of a line that fits the width, as drawn; `counted`: the line, in the part where its tokens are counted. */
export interface Chunk {
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

export class Drawn implements Version {
  private readonly lanes: HTMLElement;
  rows: Row[] = [];
  lines: Line[] = [];
  chunks: Chunk[] = [];
  private elements: HTMLElement[][] = []; // the first box of each token, by row
  private readonly moreBoxes = new WeakMap<HTMLElement, HTMLElement[]>(); // of tokens in several parts, by the first

  constructor(lanes: HTMLElement) {
    this.lanes = lanes;
  }

  clear() {
    this.chunks = [];
    this.elements = this.rows.map((row) => new Array(row.length));
    this.lanes.replaceChildren();
  }

  /** First box of a token; none if its line is not laid out yet. */
  element(row: number, at: number): HTMLElement | undefined {
    return this.elements[row]?.[at];
  }

  /** All boxes of a token. */
  boxes(row: number, at: number): HTMLElement[] {
    const el = this.element(row, at);
    return el ? [el, ...(this.moreBoxes.get(el) ?? [])] : [];
  }

  /** Add the first row of each chunk to the page for measuring; the text has the same position in the other rows. */
  draw(pieces: LinePiece[], before: HTMLElement | null) {
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
  count({ layers, counted }: Chunk) {
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

  measure({ geometry, layers, places }: Chunk) {
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
      this.addBoxes(index, at, [el]);
    } else {
      el.setAttribute("role", "option");
      el.setAttribute("aria-label", row.briefly(at));
      this.elements[index][at] = el;
    }
    return el;
  }

  /** Add boxes to a token that has its first one. */
  addBoxes(row: number, at: number, more: HTMLElement[]) {
    this.moreBoxes.set(this.elements[row][at], [...this.boxes(row, at).slice(1), ...more]);
  }

  /** Draw the other rows of chunks, and the boxes of all tokens in them. */
  drawTokens(chunks: Chunk[]) {
    const boxes = chunks.map((chunk) => this.readBoxes(chunk)); // read all layout before writing
    chunks.forEach((chunk, at) => this.drawBoxes(chunk, boxes[at]));
    return chunks;
  }

  /**
   * Keep the boxes of chunks above and below a change: their tokens get new numbers.
   * @returns boxes of the tokens that begin in what is to be drawn
   */
  keep(above: Chunk[], below: Chunk[], before: Version) {
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
  move(chunks: Chunk[], lineOf: (chunk: Chunk) => Line) {
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
