// Computations of a table: the widths of its columns, the rows to draw, the scroll position.

import { firstOver, shownNumber } from "../../page/numbers.ts";
import type { ChipWire, WordWire } from "../../tokens/spans.ts";

type CellWire = string | number | ChipWire | { pair: ChipWire[] } | WordWire | null;

export interface ColumnWire {
  title: string;
  name?: string;
  kind: "text" | "number" | "chip" | "bar" | "share";
  digits: number | null;
  cells: CellWire[];
  tones: string[];
}

/** Minimum in em, maximum as a CSS value. */
type Width = [least: number, most: string];

export const ROW = 36; // pixels: a fixed height gives the position of a row without drawing it
const AROUND = 3; // rows drawn above and below the visible ones
const LONGEST_NAME = 9; // characters of a tokenizer's name that fit a column of shares
const SHORT = 4; // characters that fit every column
const WIDE =
  /[#%@mwMW\u2581\p{Script=Han}\p{Script=Hiragana}\p{scx=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/gu;
const WIDE_IN_TITLES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{scx=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uff60]/gu;
const WIDER = 0.7; // extra width of those characters, in characters

/** Width of a title, in Latin characters. */
function lengthOf(title: string) {
  return title.length + WIDER * (title.match(WIDE_IN_TITLES)?.length ?? 0);
}

/** Widths of all columns. */
export function columnWidths(columns: ColumnWire[]): Width[] {
  const widths = columns.map(columnWidth);
  const isNameAndFact = widths.length === 2 && !columns.some((column) => column.kind === "number");
  if (isNameAndFact) widths[1][1] = "1fr";
  return widths;
}

/**
 * Width of a column. Bars and shares take the remaining width, and the title of a number column wraps in a narrow
 * window. Rows are separate grids, so widths must not depend on one row.
 */
export function columnWidth({ kind, title, digits, cells }: ColumnWire): Width {
  if (kind === "bar") return [8, "1fr"];
  const longestCell = cells.reduce((most: number, cell) => Math.max(most, cellLength(cell, digits)), 0);
  const longest = Math.max(longestCell, lengthOf(title));
  if (kind === "share") return [Math.max(3.2, 0.58 * Math.min(longest, LONGEST_NAME) + 0.2), "1fr"];
  if (kind === "number")
    return [numberWidth(longestCell, title.split(/[ /\u200b]|(?=（)/)), numberWidth(longestCell, [title]) + "em"];
  const pairs = cells.some((cell) => cell && typeof cell === "object" && "pair" in cell);
  const room = pairs ? 11 : 5; // two chips and a plus: space for a few characters in each
  const least = kind === "chip" ? 0.7 * Math.min(longest, room) + 1 : 0.66 * Math.min(longest, 8);
  const base = Math.max(least, 0.62 * lengthOf(title), 3);
  const full = kind === "chip" ? 0.7 * Math.min(longest, 40) + 1 : 0.6 * Math.min(longest, 48);
  return [base, Math.max(base, full) + "em"];
}

/**
 * Width of a column of numbers, in em.
 * @param longestCell in characters
 * @param lines of its title
 */
function numberWidth(longestCell: number, lines: string[]) {
  return Math.max(2.4, 0.6 * Math.max(longestCell, ...lines.map(lengthOf)) + 0.2);
}

/**
 * Length of a cell's content, in characters of average width.
 * @param digits decimal places of a number
 */
export function cellLength(cell: CellWire | undefined, digits: number | null): number {
  if (cell === null || cell === undefined) return 0;
  if (typeof cell === "number") return shownNumber(cell, digits).length;
  if (typeof cell === "string") return cell.length + WIDER * (cell.match(WIDE)?.length ?? 0);
  if ("pair" in cell) return cell.pair.reduce((sum, chip) => sum + cellLength(chip, digits) + 2, 0);
  if ("word" in cell) return cell.word.reduce((sum, chip) => sum + cellLength(chip, digits) + 1, 0);
  const [, pieces] = cell;
  return typeof pieces === "string" ? pieces.length : pieces.reduce((sum, [shown]) => sum + shown.length, 0);
}

/** Whether a narrow column could cut a cell off. */
export function isLong(cell: CellWire | undefined, { kind, digits }: ColumnWire) {
  return kind !== "number" && cellLength(cell, digits) > SHORT;
}

/**
 * Length of a bar.
 * @returns percent; at least 1 for any positive value
 */
export function barShare(value: number, largest: number): number {
  return value ? Math.max(1, (100 * value) / largest) : 0;
}

/** Value of a full bar: the largest of its column, at least 1. */
export function largestOf({ kind, cells }: ColumnWire) {
  return kind === "bar" ? cells.reduce((most: number, cell) => Math.max(most, Number(cell)), 1) : 0;
}

/**
 * Range of rows to draw: the visible ones and a few around them.
 * @param scrolled pixels
 * @param height pixels
 * @param rows total number of rows
 */
export function rowsInSight(scrolled: number, height: number, rows: number): { first: number; end: number } {
  return {
    first: Math.max(0, Math.floor(scrolled / ROW) - AROUND),
    end: Math.min(rows, Math.ceil((scrolled + height) / ROW) + AROUND),
  };
}

/**
 * Scroll position at which a row is fully visible, as near as possible to the current one.
 * @param scrolled pixels
 * @param view pixels
 */
export function scrolledTo(row: number, scrolled: number, view: number) {
  const top = row * ROW;
  if (top < scrolled) return top;
  return top + ROW > scrolled + view ? top + ROW - view : scrolled;
}

/**
 * Scroll position after the rows change: unchanged for the same number of rows, which are mostly the same rows;
 * otherwise the top, for example after a search.
 * @param scrolled pixels
 * @param before previous number of rows
 * @param rows new number of rows
 */
export function keptScroll(scrolled: number, before: number, rows: number) {
  return rows === before ? scrolled : 0;
}

/**
 * Target row of a key.
 * @param active cursor row
 * @param height of the table, in pixels
 * @returns a row, possibly out of range; null for keys without a target
 */
export function rowAfterKey(key: string, active: number, height: number): number | null {
  const page = Math.max(1, Math.floor(height / ROW) - 2);
  switch (key) {
    case "ArrowDown":
      return active + 1;
    case "ArrowUp":
      return active - 1;
    case "PageDown":
      return active + page;
    case "PageUp":
      return active - page;
    case "Home":
      return -Infinity;
    case "End":
      return Infinity;
    default:
      return null;
  }
}

/** Row of a number in a column sorted by number; null if it is missing. */
export function rowOfNumber(numbers: readonly unknown[], wanted: number): number | null {
  const after = firstOver(numbers.length, (row) => Number(numbers[row]), wanted);
  return after && numbers[after - 1] === wanted ? after - 1 : null;
}
