// @ts-check
// What a table computes: the width of its columns, which rows are drawn, how far it scrolls.

import { firstOver, shownNumber } from "../numbers.js";

/** @typedef {string | number | ChipWire | { pair: ChipWire[] } | null} CellWire */
/**
 * @typedef {{ title: string, name?: string, kind: "text" | "number" | "chip" | "bar" | "share", digits: number | null,
 *   cells: CellWire[], tones: string[] }} ColumnWire
 */
/** @typedef {[least: number, most: string]} Width the least in em, the most as CSS has it */

export const ROW = 36; // pixels: every row is as high, so that a row's place is known without drawing it
const AROUND = 3; // rows drawn above and below those in sight
const LONGEST_NAME = 8; // characters of a tokenizer's name that a column of shares has room for
const SHORT = 4; // characters that every column has room for
const WIDE = /[#%@mwMW\u2581\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/gu;
const WIDE_IN_TITLES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uff60]/gu;
const WIDER = 0.7; // of a character's width: what those have more than others

/**
 * How much room a title needs, in characters of Latin.
 * @param {string} title
 */
function lengthOf(title) {
  return title.length + WIDER * (title.match(WIDE_IN_TITLES)?.length ?? 0);
}

/**
 * The widths of columns.
 * @param {ColumnWire[]} columns
 * @returns {Width[]}
 */
export function columnWidths(columns) {
  const widths = columns.map(columnWidth);
  const isNameAndFact = widths.length === 2 && !columns.some((column) => column.kind === "number");
  if (isNameAndFact) widths[1][1] = "1fr";
  return widths;
}

/**
 * The width of a column: bars and shares take what the others leave, and the title of numbers goes on in a second line
 * where the window is narrow. Rows are separate grids, so that widths must not depend on one row.
 * @param {ColumnWire} column
 * @returns {Width}
 */
export function columnWidth({ kind, title, digits, cells }) {
  if (kind === "bar") return [8, "1fr"];
  const longestCell = cells.reduce((/** @type {number} */ most, cell) => Math.max(most, cellLength(cell, digits)), 0);
  const longest = Math.max(longestCell, lengthOf(title));
  if (kind === "share") return [Math.max(3.2, 0.58 * Math.min(longest, LONGEST_NAME) + 0.2), "1fr"];
  if (kind === "number") return [numberWidth(longestCell, title.split(/[ /]/)), numberWidth(longestCell, [title]) + "em"];
  const pairs = cells.some((cell) => cell && typeof cell === "object" && "pair" in cell);
  const room = pairs ? 11 : 5; // two chips and a plus: room for a few characters in each
  const least = kind === "chip" ? 0.7 * Math.min(longest, room) + 1 : 0.66 * Math.min(longest, 8);
  const base = Math.max(least, 0.62 * lengthOf(title), 3);
  const full = kind === "chip" ? 0.7 * Math.min(longest, 40) + 1 : 0.6 * Math.min(longest, 48);
  return [base, Math.max(base, full) + "em"];
}

/**
 * The width of a column of numbers in em.
 * @param {number} longestCell in characters
 * @param {string[]} lines of its title
 */
function numberWidth(longestCell, lines) {
  return Math.max(2.4, 0.6 * Math.max(longestCell, ...lines.map(lengthOf)) + 0.2);
}

/**
 * How many characters of usual width a cell shows.
 * @param {CellWire | undefined} cell
 * @param {number | null} digits of a number
 * @returns {number}
 */
export function cellLength(cell, digits) {
  if (cell === null || cell === undefined) return 0;
  if (typeof cell === "number") return shownNumber(cell, digits).length;
  if (typeof cell === "string") return cell.length + WIDER * (cell.match(WIDE)?.length ?? 0);
  if ("pair" in cell) return cell.pair.reduce((sum, chip) => sum + cellLength(chip, digits) + 2, 0);
  const [, pieces] = cell;
  return typeof pieces === "string" ? pieces.length : pieces.reduce((sum, [shown]) => sum + shown.length, 0);
}

/**
 * Whether a cell is so long that a narrow column would cut it off.
 * @param {CellWire | undefined} cell
 * @param {ColumnWire} column
 */
export function isLong(cell, { kind, digits }) {
  return kind !== "number" && cellLength(cell, digits) > SHORT;
}

/**
 * How long a bar is.
 * @param {number} value
 * @param {number} largest
 * @returns {number} percent; at least 1 of what is more than nothing
 */
export function barShare(value, largest) {
  return value ? Math.max(1, (100 * value) / largest) : 0;
}

/**
 * The value that fills a bar's track: the largest of its column, at least 1.
 * @param {ColumnWire} column
 */
export function largestOf({ kind, cells }) {
  return kind === "bar" ? cells.reduce((/** @type {number} */ most, cell) => Math.max(most, Number(cell)), 1) : 0;
}

/**
 * The rows that are drawn: those in sight and a few around them.
 * @param {number} scrolled pixels
 * @param {number} height pixels
 * @param {number} rows how many there are
 * @returns {{ first: number, end: number }}
 */
export function rowsInSight(scrolled, height, rows) {
  return {
    first: Math.max(0, Math.floor(scrolled / ROW) - AROUND),
    end: Math.min(rows, Math.ceil((scrolled + height) / ROW) + AROUND),
  };
}

/**
 * How far to scroll so that a row is seen whole, and no further.
 * @param {number} row
 * @param {number} scrolled pixels
 * @param {number} view pixels
 */
export function scrolledTo(row, scrolled, view) {
  const top = row * ROW;
  if (top < scrolled) return top;
  return top + ROW > scrolled + view ? top + ROW - view : scrolled;
}

/**
 * How far a table stays scrolled when it gets other rows: as many of them are most likely the same ones, and of another
 * number, such as a search finds, the first are shown.
 * @param {number} scrolled pixels
 * @param {number} before how many rows there were
 * @param {number} rows how many there are
 */
export function keptScroll(scrolled, before, rows) {
  return rows === before ? scrolled : 0;
}

/**
 * Where a key leads.
 * @param {string} key
 * @param {number} active the row at which the viewer is
 * @param {number} height of the table, in pixels
 * @returns {number | null} a row, maybe beyond the first or the last; null for a key that leads nowhere
 */
export function rowAfterKey(key, active, height) {
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

/**
 * The row of a number, of rows that are sorted by their numbers; null where there is none.
 * @param {readonly unknown[]} numbers
 * @param {number} wanted
 * @returns {number | null}
 */
export function rowOfNumber(numbers, wanted) {
  const after = firstOver(numbers.length, (row) => Number(numbers[row]), wanted);
  return after && numbers[after - 1] === wanted ? after - 1 : null;
}
