// @ts-check
// Chunk: a part of a line that fits the width, with the screen positions of its bytes.

import { firstOver } from "../../page/numbers.js";
import { STRONG, isRtl } from "../../tokens/direction.js";

/** @typedef {import("./cells.js").Cell} Cell */
/** @typedef {[left: number, right: number]} Sides */

const NEAR = 1; // maximum pixels between the boxes of adjacent characters
const A_DIGIT = /\p{Nd}/u;

/** Geometry of a chunk; positions are relative to the left end of the row. */
export class Geometry {
  /**
   * @param {Cell[]} cells
   * @param {boolean} mixed whether its line has mixed directions
   * @param {boolean} rtl whether its line runs right to left
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
   * Reset all measurements.
   * @param {number} origin screen position of the row's start
   * @param {(index: number) => { left: number, right: number }} rectOf screen position of a cell
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
   * Cell that contains a byte.
   * @param {number} byte
   */
  cellAt(byte) {
    return Math.max(0, firstOver(this.cells.length, (index) => this.cells[index].start, byte) - 1);
  }

  /**
   * Whether a byte is inside a cell, not at its start.
   * @param {number} byte
   */
  isInside(byte) {
    if (byte <= this.start || byte >= this.end) return false;
    return this.cells[this.cellAt(byte)].start !== byte;
  }

  /**
   * Position of a byte in a left-to-right line: within a cell, in proportion to its width.
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
   * Boxes that cover the bytes from … to: one, or several if directions are mixed.
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
   * End of the token that ends with byte `to`: index of the box with the end, and whether it is on the left side.
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
   * Whether the text runs right to left at a cell, by its own direction or its position beside its neighbours.
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
   * Part of a cell covered by the bytes start … end, measured from the side at which its script starts.
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
 * Boxes from left to right, with touching ones merged.
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
