// @ts-check
// A piece of a line that fits the width, and where on the screen each of its bytes is.

import { firstOver } from "../../page/numbers.js";
import { STRONG, isRtl } from "../../tokens/direction.js";

/** @typedef {import("./cells.js").Cell} Cell */
/** @typedef {[left: number, right: number]} Sides */

const NEAR = 1; // pixels between the boxes of characters that are side by side
const A_DIGIT = /\p{Nd}/u;

/** The geometry of a chunk; places are counted from the left end of the row. */
export class Geometry {
  /**
   * @param {Cell[]} cells
   * @param {boolean} mixed whether directions mix in its line
   * @param {boolean} rtl whether its line runs from right to left
   */
  constructor(cells, mixed, rtl = false) {
    this.rtl = rtl;
    this.cells = cells;
    this.mixed = mixed;
    this.start = cells[0].start;
    this.end = cells[cells.length - 1].end;
    this.origin = 0;
    /** @type {Map<number, number>} */
    this.edges = new Map();
    /** @type {(Sides | undefined)[]} */
    this.measured = [];
    /** @type {(index: number) => { left: number, right: number }} */
    this.rectOf = () => ({ left: 0, right: 0 });
  }

  /**
   * Forgets what was measured before.
   * @param {number} origin where the row starts on the screen
   * @param {(index: number) => { left: number, right: number }} rectOf where a cell is on the screen
   */
  measure(origin, rectOf) {
    this.origin = origin;
    this.rectOf = rectOf;
    this.edges.clear();
    this.measured = [];
  }

  /**
   * @param {number} index
   * @returns {Sides}
   */
  sides(index) {
    let sides = this.measured[index];
    if (!sides) {
      const { left, right } = this.rectOf(index);
      this.measured[index] = sides = [left - this.origin, right - this.origin];
    }
    return sides;
  }

  /**
   * The cell that holds a byte.
   * @param {number} byte
   */
  cellAt(byte) {
    return Math.max(0, firstOver(this.cells.length, (index) => this.cells[index].start, byte) - 1);
  }

  /**
   * Whether a byte lies within a cell, and not where one starts.
   * @param {number} byte
   */
  isInside(byte) {
    if (byte <= this.start || byte >= this.end) return false;
    return this.cells[this.cellAt(byte)].start !== byte;
  }

  /**
   * Where a byte is, on a line that runs from left to right: within a cell, at its share of the width.
   * @param {number} byte
   */
  x(byte) {
    const known = this.edges.get(byte);
    if (known !== undefined) return known;
    const at = byte >= this.end ? this.cells.length - 1 : this.cellAt(byte);
    const { start, end } = this.cells[at];
    const [left, right] = this.sides(at);
    const x = left + (right - left) * Math.min(1, (byte - start) / (end - start || 1));
    this.edges.set(byte, x);
    return x;
  }

  /**
   * The boxes that cover the bytes from … to: one, or several where directions mix.
   * @param {number} from
   * @param {number} to
   * @returns {Sides[]}
   */
  boxes(from, to) {
    const start = Math.max(from, this.start);
    const end = Math.min(to, this.end);
    if (!this.mixed) return [[this.x(start), this.x(end)]];
    /** @type {Sides[]} */
    const boxes = [];
    const stop = Math.max(end, start + 1);
    for (let at = this.cellAt(start); at < this.cells.length && this.cells[at].start < stop; at++)
      boxes.push(this.slice(at, start, end));
    return grownTogether(boxes);
  }

  /**
   * Where the token that ends with byte `to` has its end: in which of its boxes, and whether at the left side of it.
   * @param {number} to
   * @param {Sides[]} boxes
   */
  endIn(to, boxes) {
    const at = this.cellAt(Math.min(to, this.end) - 1);
    const rtl = this.runsRtl(at);
    const [left, right] = this.sides(at);
    const within = (/** @type {Sides} */ box) => box[0] < right + NEAR && box[1] > left - NEAR;
    const middle = (left + right) / 2;
    const found = boxes.findIndex((box) => within(box) && box[0] <= middle && middle <= box[1]);
    return { box: found < 0 ? boxes.findIndex(within) : found, rtl };
  }

  /**
   * Whether the text runs from right to left at a cell: by itself, or as it is drawn beside its neighbours.
   * @param {number} at
   */
  runsRtl(at) {
    if (!this.mixed) return false;
    const { text, mark } = this.cells[at];
    if (!mark && (STRONG.test(text) || A_DIGIT.test(text))) return isRtl(text);
    const [left, right] = this.sides(at);
    const isBeside = (/** @type {number} */ one, /** @type {number} */ other) => Math.abs(one - other) < NEAR;
    const before = at > 0 ? this.sides(at - 1) : null;
    if (before && isBeside(before[0], right)) return true;
    if (before && isBeside(before[1], left)) return false;
    const after = at + 1 < this.cells.length ? this.sides(at + 1) : null;
    if (after && isBeside(after[1], left)) return true;
    return after && isBeside(after[0], right) ? false : this.rtl;
  }

  /**
   * The part of a cell that the bytes start … end cover, from the side at which its script starts.
   * @param {number} at
   * @param {number} start
   * @param {number} end
   * @returns {Sides}
   */
  slice(at, start, end) {
    const cell = this.cells[at];
    const [left, right] = this.sides(at);
    const size = cell.end - cell.start || 1;
    const width = right - left;
    const from = Math.max(0, start - cell.start) / size;
    const to = Math.min(size, end - cell.start) / size;
    return isRtl(cell.text) ? [right - to * width, right - from * width] : [left + from * width, left + to * width];
  }
}

/**
 * Boxes from left to right, those that touch as one.
 * @param {Sides[]} boxes
 */
function grownTogether(boxes) {
  /** @type {Sides[]} */
  const grown = [];
  for (const [left, right] of boxes.sort((a, b) => a[0] - b[0])) {
    const last = grown.at(-1);
    if (last && left - last[1] < NEAR) last[1] = Math.max(last[1], right);
    else grown.push([left, right]);
  }
  return grown;
}
