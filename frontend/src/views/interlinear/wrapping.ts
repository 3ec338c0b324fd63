// Draws cells, and measures in the browser where they are and where a line wraps.

import { firstOver } from "../../page/numbers.ts";
import { make, unzoomed, zoomOf } from "../../page/elements.ts";
import { firstStrong, lastStrong, signOf } from "../../tokens/direction.ts";
import { between } from "../../tokens/drawing.ts";
import { CIRCLE } from "../../tokens/marks.ts";
import type { Cell, Line } from "./cells.ts";

/** Measurable place of a cell: an element, or some characters of a text node. */
export type Place = { mark: HTMLElement } | { node: Text; from: number; to: number };

export interface LinePiece {
  cells: Cell[];
  line: Line;
  lineStart: boolean;
  /** Direction marks before and after the chunk, if directions are mixed. */
  around: [before: string, behind: string];
}

/** The cells of a line from one to another, and the cost of laying them out. */
export interface LinePart {
  line: Line;
  from: number;
  to: number;
  cost: number;
}

const PART = 2000; // cost of a part of a long line, which is wider than the window
const AGAIN = 800; // the same of a line that is wrapped again
const ruler = document.createRange();

/**
 * The first parts of some lines, of about this cost: whole lines, and at most the beginning of a long one. A cell costs
 * one, and half of one for each boundary inside.
 * @param from cell of the first line
 * @param least of the beginning of a long line
 */
export function partsFrom(lines: Line[], from: number, most: number, least = PART): LinePart[] {
  const parts: LinePart[] = [];
  for (const line of lines) {
    if (most <= 0) break;
    const { cells } = line;
    let [to, cost] = [from, 0];
    while (to < cells.length && cost < Math.max(least, most)) cost += 1 + cells[to++].split / 2;
    parts.push({ line, from, to, cost });
    if (to < cells.length) break;
    most -= cost;
    from = 0;
  }
  return parts;
}

export function costOf(parts: LinePart[]) {
  return parts.reduce((sum, { cost }) => sum + cost, 0);
}

/**
 * Append cells to a row of text; return the measurable place of each.
 * @param around direction marks for the surrounding text
 */
export function drawCells(
  el: HTMLElement,
  cells: Cell[],
  [before, behind]: [before: string, behind: string] = ["", ""],
): Place[] {
  let run: Text | null = null;
  const end = behind ? cells.findLastIndex(({ mark }) => !mark) : -1; // final white space has the direction of the line
  if (before) el.append(between(before, ""));
  return cells.map((cell, at) => {
    if (at === end + 1 && at) {
      el.append(between("", behind));
      run = null;
    }
    if (cell.mark || cell.split) {
      const isOnCircle = cell.mark === "alone";
      const mark = make("u", cell.mark || "split", isOnCircle ? "" : cell.text);
      if (isOnCircle) mark.append(make("u", "m circle", CIRCLE), cell.text.slice(CIRCLE.length));
      if (cell.split > 2) mark.style.paddingInline = cell.split / 4 - 0.5 + "em"; // half an em per slice
      el.append(cell.sign ? between(cell.sign, cell.sign, mark) : mark);
      run = null;
      return { mark };
    }
    if (!run) el.append((run = document.createTextNode("")));
    const from = run.length;
    run.appendData(cell.text);
    return { node: run, from, to: run.length };
  });
}

/** Position of a cell in the window, in CSS pixels before zoom: on the stage they are larger than the window's. */
export function rectOf(place: Place, zoom: number) {
  return unzoomed(boxOf(place), zoom);
}

/** Width in the window of an element's content. */
export function widthOf(el: HTMLElement) {
  ruler.selectNodeContents(el);
  return ruler.getBoundingClientRect().width;
}

function boxOf(place: Place) {
  if ("mark" in place) return place.mark.getBoundingClientRect();
  ruler.setStart(place.node, place.from);
  ruler.setEnd(place.node, place.to);
  return ruler.getBoundingClientRect();
}

/**
 * Wrap parts of lines at the available width in the browser, and read the line breaks. The last piece of an incomplete
 * line is left out: it may go on.
 * @param width in pixels
 */
export function breakLines(parent: HTMLElement, parts: LinePart[], width: number): LinePiece[] {
  const probe = make("div", "probe segmentation");
  probe.style.width = width + "px";
  const drawn = parts.map(({ line, from, to }) => {
    const el = make("div", "text");
    el.dir = line.rtl ? "rtl" : "ltr";
    const places = drawCells(el, line.cells.slice(from, to), around(line, from, to));
    probe.append(el);
    return { el, places };
  });
  parent.append(probe);
  const single = drawn.length ? 1.5 * parseFloat(getComputedStyle(drawn[0].el).lineHeight) : 0;
  const pieces = parts.flatMap(({ line, from, to }, index) => {
    const { el, places } = drawn[index];
    const isSingle = el.offsetHeight < single;
    const found = [];
    for (let at = from; at < to;) {
      const next = isSingle ? to : from + wrapAfter(places, at - from, single / 3, zoomOf(probe));
      found.push({ cells: line.cells.slice(at, next), line, lineStart: at === 0, around: around(line, at, next) });
      at = next;
    }
    return to < line.cells.length && found.length > 1 ? found.slice(0, -1) : found;
  });
  probe.remove();
  return pieces;
}

/**
 * Wrap lines from a cell of the first one on, until the last one wraps at a cell that `isEnd`.
 * @param width in pixels
 * @param most cost of the cells; more are not wrapped
 * @returns the pieces; `at`: that cell, or the length of the last line if there is none
 */
export function breakUntil(
  parent: HTMLElement,
  lines: Line[],
  from: number,
  width: number,
  most: number,
  isEnd: (cell: number) => boolean,
) {
  const pieces: LinePiece[] = [];
  let [number, at, cost] = [0, from, 0];
  const isWhole = () => at === lines[number].cells.length;
  const isLast = () => number === lines.length - 1;
  while (cost <= most && !(isLast() && (isWhole() || isEnd(at)))) {
    if (isWhole()) [number, at] = [number + 1, 0];
    for (const piece of breakLines(parent, partsFrom(lines.slice(number), at, AGAIN, AGAIN), width)) {
      if (piece.line !== lines[number]) [number, at] = [number + 1, 0];
      if (isLast() && isEnd(at)) break;
      pieces.push(piece);
      cost += piece.cells.length;
      at += piece.cells.length;
    }
  }
  return { pieces, at, cost };
}

/** Direction marks around a chunk: drawn separately, it lacks the characters that determine its direction. */
function around({ cells, mixed }: Line, from: number, to: number): [before: string, behind: string] {
  if (!mixed) return ["", ""];
  const textOf = ({ text, mark, sign }: Cell) => (mark ? sign : text);
  const isStrong = (cell: Cell) => firstStrong(textOf(cell)) !== "";
  const before = cells.slice(0, from).findLast(isStrong);
  const behind = cells.slice(to).find(isStrong);
  return [before ? signOf(lastStrong(textOf(before))) : "", behind ? signOf(firstStrong(textOf(behind))) : ""];
}

/** First cell after `from` on the next visual line. */
function wrapAfter(places: Place[], from: number, slack: number, zoom: number) {
  const middle = (index: number) => {
    const { top, bottom } = rectOf(places[index], zoom);
    return (top + bottom) / 2;
  };
  const here = middle(from) + slack;
  return (
    from +
    Math.max(
      1,
      firstOver(places.length - from, (i) => middle(from + i), here),
    )
  );
}
