// Lines that two versions of a text share at their beginning and end, drawn identically for every tokenizer.

import { firstOver } from "../../page/numbers.ts";
import type { Cell, Line } from "./cells.ts";
import type { Row } from "./rows.ts";

export interface Version {
  lines: Line[];
  rows: Row[];
}

/** Numbers of lines that stay at the beginning, and at the end. No token spans a line that stays and a replaced one. */
export function sharedLines(before: Version, after: Version): { head: number; tail: number } {
  const [old, now] = [before.lines, after.lines];
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && isDrawnAlike(before, old[head], after, now[head])) head++;
  while (head && !(isEdge(before, endOf(old[head - 1])) && isEdge(after, endOf(now[head - 1])))) head--;
  let tail = 0;
  const isLike = (n: number) => isDrawnAlike(before, old[old.length - n], after, now[now.length - n]);
  while (head + tail < shorter && isLike(tail + 1)) tail++;
  const starts = () => isEdge(before, startOf(old[old.length - tail])) && isEdge(after, startOf(now[now.length - tail]));
  while (tail && !starts()) tail--;
  return { head, tail };
}

/**
 * For some lines and their replacements: numbers of cells drawn identically at the beginning of the first line and at
 * the end of the last one, without those under a token that is drawn differently. None where directions are mixed.
 */
export function sharedCells(before: Version, old: Line[], after: Version, now: Line[]): { first: number; last: number } {
  const [from, to] = [old[0], now[0]];
  const [gone, come] = [old[old.length - 1], now[now.length - 1]];
  const isMixed = (one: Line, other: Line) => one.mixed || other.mixed;
  const first = isMixed(from, to) ? 0 : cellsBefore(before, from, after, to);
  const last = isMixed(gone, come) || gone.isParagraph !== come.isParagraph ? 0 : cellsAfter(before, gone, after, come);
  return { first, last };
}

function cellsBefore(before: Version, old: Line, after: Version, now: Line) {
  const shift = startOf(now) - startOf(old);
  const most = Math.min(old.cells.length, now.cells.length);
  let count = 0;
  while (count < most && isSameCell(old.cells[count], now.cells[count], shift)) count++;
  let byte = count < now.cells.length ? now.cells[count].start : endOf(now);
  before.rows.forEach((row, number) => {
    const other = after.rows[number];
    let [i, j] = [row.firstFrom(startOf(old)), other.firstFrom(startOf(now))];
    for (; i < row.length && j < other.length && isSameToken(row, i, other, j, shift); i++, j++)
      if (other.begin[j] >= byte) break;
    byte = Math.min(byte, (row.begin[i] ?? Infinity) + shift, other.begin[j] ?? Infinity);
  });
  return Math.min(count, firstOver(now.cells.length, (at) => now.cells[at].end, byte));
}

function cellsAfter(before: Version, old: Line, after: Version, now: Line) {
  const shift = endOf(now) - endOf(old);
  const most = Math.min(old.cells.length, now.cells.length);
  let count = 0;
  const isLike = (n: number) => isSameCell(old.cells[old.cells.length - n], now.cells[now.cells.length - n], shift);
  while (count < most && isLike(count + 1)) count++;
  let byte = count ? now.cells[now.cells.length - count].start : endOf(now);
  before.rows.forEach((row, number) => {
    const other = after.rows[number];
    let i = row.firstFrom(bytesOf(before, old)[1] + 1) - 1; // with those without text at its end
    let j = other.firstFrom(bytesOf(after, now)[1] + 1) - 1;
    for (; i >= 0 && j >= 0 && isSameToken(row, i, other, j, shift); i--, j--) if (other.end[j] <= byte) break;
    byte = Math.max(byte, (row.end[i] ?? 0) + shift, other.end[j] ?? 0);
  });
  const next = firstOver(now.cells.length, (at) => now.cells[at].start, byte); // a token without text is at its byte
  return Math.min(count, now.cells.length - next);
}

/** Bytes of a line; tokens that cover no text at the end of the whole text belong to the last line. */
export function bytesOf({ lines }: Version, line: Line): [start: number, end: number] {
  return [startOf(line), line === lines[lines.length - 1] ? Infinity : endOf(line)];
}

function startOf({ cells }: Line) {
  return cells[0].start;
}

function endOf({ cells }: Line) {
  return cells[cells.length - 1].end;
}

/** Whether no token of any row covers the bytes on both sides. */
function isEdge({ rows }: Version, byte: number) {
  return rows.every((row) => {
    const at = row.tokenAt(byte);
    return at >= row.length || row.begin[at] >= byte;
  });
}

function isDrawnAlike(before: Version, old: Line, after: Version, now: Line) {
  if (old.rtl !== now.rtl || old.mixed !== now.mixed || old.isParagraph !== now.isParagraph) return false;
  const shift = startOf(now) - startOf(old);
  if (old.cells.length !== now.cells.length) return false;
  if (!old.cells.every((cell, at) => isSameCell(cell, now.cells[at], shift))) return false;
  return before.rows.every((row, number) => {
    const other = after.rows[number];
    const tokens = row.tokensIn(startOf(old), endOf(old));
    const others = other.tokensIn(startOf(now), endOf(now));
    return (
      tokens.length === others.length &&
      row.startingIn(...bytesOf(before, old)) === other.startingIn(...bytesOf(after, now)) &&
      tokens.every((at, nth) => isSameToken(row, at, other, others[nth], shift))
    );
  });
}

function isSameCell(one: Cell, other: Cell, shift: number) {
  return (
    one.text === other.text &&
    one.mark === other.mark &&
    one.split === other.split &&
    one.sign === other.sign &&
    one.start + shift === other.start &&
    one.end + shift === other.end
  );
}

function isSameToken(row: Row, i: number, other: Row, j: number, shift: number) {
  return (
    row.begin[i] + shift === other.begin[j] &&
    row.end[i] + shift === other.end[j] &&
    row.texts[i] === other.texts[j] &&
    row.keys()[i] === other.keys()[j] &&
    row.labels[i] === other.labels[j] &&
    row.special.has(i) === other.special.has(j) &&
    row.unshared.has(i) === other.unshared.has(j) &&
    String(row.head(i)) === String(other.head(j)) &&
    String(row.tail(i)) === String(other.tail(j))
  );
}
