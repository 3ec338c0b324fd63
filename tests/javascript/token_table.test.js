import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ROW, barShare, cellLength, columnWidth, columnWidths, isLong, keptScroll, largestOf, rowAfterKey, rowsInSight, scrolledTo,
} from "../../frontend/src/views/token_table/rows.ts";

const column = (kind, cells, more = {}) => ({ title: "T", kind, cells, digits: null, tones: [], ...more });

test("only the rows in sight and a few around them are drawn", () => {
  assert.deepEqual(rowsInSight(0, 10 * ROW, 16_000), { first: 0, end: 13 });
  assert.deepEqual(rowsInSight(100 * ROW, 10 * ROW, 16_000), { first: 97, end: 113 });
  assert.deepEqual(rowsInSight(0, 400, 2), { first: 0, end: 2 });
});

test("the table scrolls just as far as a row needs", () => {
  const view = 10 * ROW;
  assert.equal(scrolledTo(3, 0, view), 0);
  assert.equal(scrolledTo(10, 0, view), ROW);
  assert.equal(scrolledTo(2, 5 * ROW, view), 2 * ROW);
});

test("other rows are shown from the first on, and as many as before stay where they were", () => {
  assert.equal(keptScroll(5 * ROW, 256, 2), 0);
  assert.equal(keptScroll(5 * ROW, 2, 256), 0);
  assert.equal(keptScroll(5 * ROW, 256, 256), 5 * ROW);
});

test("keys move by rows, by pages and to the ends", () => {
  const after = (key) => rowAfterKey(key, 20, 10 * ROW);
  assert.deepEqual(["ArrowDown", "ArrowUp", "PageDown", "PageUp"].map(after), [21, 19, 28, 12]);
  assert.deepEqual([after("Home"), after("End"), after("a")], [-Infinity, Infinity, null]);
  assert.equal(rowAfterKey("PageDown", 0, 0), 1);
});

test("a cell is as long as what it shows", () => {
  assert.equal(cellLength(1234.5, 1), "1,234.5".length);
  assert.equal(cellLength("text", null), 4);
  assert.equal(cellLength([5, "abc"], null), 3);
  assert.equal(cellLength([5, [["E3 81", 1], ["a", 0]], "", 0], null), 6);
  assert.equal(cellLength({ pair: [[5, "ab"], [6, "c"]] }, null), 2 + 2 + 1 + 2);
  assert.equal(cellLength({ word: [[5, "ab"], [6, "c"]], more: 0 }, null), 2 + 1 + 2);
  assert.equal(cellLength(null, null), 0);
});

test("characters that are drawn wide take more room, so that none of ##g ##s is cut off", () => {
  assert.equal(cellLength("##g", null), 3 + 2 * 0.7);
  assert.equal(cellLength("\u2581\u6642\u8a08", null), 3 + 3 * 0.7);
  const least = (cell) => columnWidth(column("text", [cell]))[0];
  assert.ok(least("##g ##s") > least("abc def"));
  assert.ok(least("\u305d\u308c\u3067\u3082") > 4.1, "four characters of Japanese, each as wide as the type is high");
});

test("a bar is as long as its share of the largest, and what is there is seen", () => {
  assert.deepEqual([barShare(5, 10), barShare(1, 1000), barShare(0, 10)], [50, 1, 0]);
  assert.equal(largestOf(column("bar", [3, 9, null])), 9);
  assert.equal(largestOf(column("bar", [])), 1);
  assert.equal(largestOf(column("number", [5])), 0);
});

test("bars and shares take what the other columns leave", () => {
  assert.deepEqual(columnWidth(column("bar", [1])), [8, "1fr"]);
  assert.equal(columnWidth(column("share", [0.5], { digits: 2 }))[1], "1fr");
  assert.equal(columnWidths([column("text", ["a"]), column("text", ["b"])])[1][1], "1fr", "a name and a fact");
  assert.notEqual(columnWidths([column("text", ["a"]), column("number", [1])])[1][1], "1fr");
});

test("a narrow column of numbers has room for the longest word of its title, a wide one for all of it", () => {
  const [least, most] = columnWidth(column("number", [1.5], { digits: 2, title: "Vocabulary used, %" }));
  assert.ok(least < 0.7 * "Vocabulary".length);
  assert.ok(parseFloat(most) > 0.6 * "Vocabulary used, %".length);
  const [long] = columnWidth(column("number", [123_456_789], { title: "a b" }));
  assert.ok(long > 0.6 * "123,456,789".length);
});

test("a title in Katakana has room for its long vowels, which belong to no single script", () => {
  const [least] = columnWidth(column("number", [1], { title: "マージ" }));
  assert.ok(least >= 3, "three full widths");
});

test("shares of six tokenizers fit beside other cards, whatever the tokenizers are called", () => {
  const [short] = columnWidth(column("share", [0.5], { digits: 2, title: "T5" }));
  const [long] = columnWidth(column("share", [0.5], { digits: 2, title: "a-very-long-name.of-a-file.json" }));
  assert.ok(short < 4 && long < 6);
});

test("a column of pairs has room for both", () => {
  const one = columnWidth(column("chip", [[1, "abcdefghijkl"]]))[0];
  const two = columnWidth(column("chip", [{ pair: [[1, "abcdef"], [2, "ghijkl"]] }]))[0];
  assert.ok(two > one);
});

test("only a cell that a narrow column would cut off is long", () => {
  assert.ok(isLong("hello", column("text", [])));
  assert.ok(!isLong("four", column("text", [])));
  assert.ok(!isLong(123_456, column("number", [])));
});
