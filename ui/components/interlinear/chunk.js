// @ts-check
// A piece of a line that fits the width, and where on the screen each of its bytes is.

import { firstOver } from "../numbers.js";
import { isRtl } from "../tokens/marks.js";

/** @typedef {import("./cells.js").Cell} Cell */
/** @typedef {[left: number, right: number]} Sides */

/** The geometry of a chunk; places are counted from the left end of the row. */
export class Geometry {
  /**
   * @param {Cell[]} cells
   * @param {boolean} mixed whether directions mix in its line
   */
  constructor(cells, mixed) {
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
    for (let at = this.cellAt(start); at < this.cells.length && this.cells[at].start < stop; at++) {
      const [left, right] = this.slice(at, start, end);
      const near = boxes.find((box) => Math.abs(box[1] - left) < 1 || Math.abs(box[0] - right) < 1);
      if (!near) boxes.push([left, right]);
      else if (Math.abs(near[1] - left) < 1) near[1] = right;
      else near[0] = left;
    }
    return boxes;
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
