// Chunk: a part of a line that fits the width, with the screen positions of its bytes.

import { firstOver } from "../../page/numbers.ts";
import { STRONG, isRtl } from "../../tokens/direction.ts";
import type { Cell } from "./cells.ts";

/** A range of bytes. */
export type Bytes = [start: number, end: number];

export type Sides = [left: number, right: number];

const NEAR = 1; // maximum pixels between the boxes of adjacent characters
const A_DIGIT = /\p{Nd}/u;

/** Geometry of a chunk; positions are relative to the left end of the row. */
export class Geometry {
  private readonly rtl: boolean;
  private readonly cells: Cell[];
  readonly mixed: boolean;
  readonly start: number;
  readonly end: number;
  origin = 0;
  private readonly edges = new Map<number, number>();
  measured: (Sides | undefined)[] = [];
  private rectOf: (index: number) => { left: number; right: number } = () => ({ left: 0, right: 0 });

  /**
   * @param mixed whether its line has mixed directions
   * @param rtl whether its line runs right to left
   */
  constructor(cells: Cell[], mixed: boolean, rtl = false) {
    this.rtl = rtl;
    this.cells = cells;
    this.mixed = mixed;
    this.start = cells[0].start;
    this.end = cells[cells.length - 1].end;
  }

  /**
   * Reset all measurements.
   * @param origin screen position of the row's start
   * @param rectOf screen position of a cell
   */
  measure(origin: number, rectOf: (index: number) => { left: number; right: number }) {
    this.origin = origin;
    this.rectOf = rectOf;
    this.edges.clear();
    this.measured = [];
  }

  private sides(index: number): Sides {
    let sides = this.measured[index];
    if (!sides) {
      const { left, right } = this.rectOf(index);
      this.measured[index] = sides = [left - this.origin, right - this.origin];
    }
    return sides;
  }

  /** Cell that contains a byte. */
  private cellAt(byte: number) {
    return Math.max(0, firstOver(this.cells.length, (index) => this.cells[index].start, byte) - 1);
  }

  /** Whether a byte is inside a cell, not at its start. */
  isInside(byte: number) {
    if (byte <= this.start || byte >= this.end) return false;
    return this.cells[this.cellAt(byte)].start !== byte;
  }

  /** Position of a byte in a left-to-right line: within a cell, in proportion to its width. */
  x(byte: number) {
    const known = this.edges.get(byte);
    if (known !== undefined) return known;
    const at = byte >= this.end ? this.cells.length - 1 : this.cellAt(byte);
    const { start, end } = this.cells[at];
    const [left, right] = this.sides(at);
    const x = left + (right - left) * Math.min(1, (byte - start) / (end - start || 1));
    this.edges.set(byte, x);
    return x;
  }

  /** Boxes that cover the bytes from … to: one, or several if directions are mixed. */
  boxes(from: number, to: number): Sides[] {
    const start = Math.max(from, this.start);
    const end = Math.min(to, this.end);
    if (!this.mixed) return [[this.x(start), this.x(end)]];
    const boxes: Sides[] = [];
    const stop = Math.max(end, start + 1);
    for (let at = this.cellAt(start); at < this.cells.length && this.cells[at].start < stop; at++)
      boxes.push(this.slice(at, start, end));
    return grownTogether(boxes);
  }

  /** End of the token that ends with byte `to`: index of the box with the end, and whether it is on the left side. */
  endIn(to: number, boxes: Sides[]) {
    const at = this.cellAt(Math.min(to, this.end) - 1);
    const rtl = this.runsRtl(at);
    const [left, right] = this.sides(at);
    const within = (box: Sides) => box[0] < right + NEAR && box[1] > left - NEAR;
    const middle = (left + right) / 2;
    const found = boxes.findIndex((box) => within(box) && box[0] <= middle && middle <= box[1]);
    return { box: found < 0 ? boxes.findIndex(within) : found, rtl };
  }

  /** Whether the text runs right to left at a cell, by its own direction or its position beside its neighbours. */
  private runsRtl(at: number) {
    if (!this.mixed) return false;
    const { text, mark } = this.cells[at];
    if (!mark && (STRONG.test(text) || A_DIGIT.test(text))) return isRtl(text);
    const [left, right] = this.sides(at);
    const isBeside = (one: number, other: number) => Math.abs(one - other) < NEAR;
    const before = at > 0 ? this.sides(at - 1) : null;
    if (before && isBeside(before[0], right)) return true;
    if (before && isBeside(before[1], left)) return false;
    const after = at + 1 < this.cells.length ? this.sides(at + 1) : null;
    if (after && isBeside(after[1], left)) return true;
    return after && isBeside(after[0], right) ? false : this.rtl;
  }

  /** Part of a cell covered by the bytes start … end, measured from the side at which its script starts. */
  private slice(at: number, start: number, end: number): Sides {
    const cell = this.cells[at];
    const [left, right] = this.sides(at);
    const size = cell.end - cell.start || 1;
    const width = right - left;
    const from = Math.max(0, start - cell.start) / size;
    const to = Math.min(size, end - cell.start) / size;
    return isRtl(cell.text) ? [right - to * width, right - from * width] : [left + from * width, left + to * width];
  }
}

/** Boxes from left to right, with touching ones merged. */
function grownTogether(boxes: Sides[]) {
  const grown: Sides[] = [];
  for (const [left, right] of boxes.sort((a, b) => a[0] - b[0])) {
    const last = grown.at(-1);
    if (last && left - last[1] < NEAR) last[1] = Math.max(last[1], right);
    else grown.push([left, right]);
  }
  return grown;
}
