// Lines that two versions of a text share at their beginning and end, drawn identically for every tokenizer.

import type { Cell, Line } from "./cells.ts";
import type { Row } from "./rows.ts";

export interface Version {
  lines: Line[];
  rows: Row[];
}

/** Numbers of lines that stay at the beginning, and at the end. No token lies in a line that stays and one that goes. */
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

/** Bytes of a line; tokens that cover no text at the end of all belong to the last one. */
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
