import assert from "node:assert/strict";
import { test } from "node:test";
import { clamp, firstOver, rangeOf, shownNumber } from "../../frontend/src/page/numbers.ts";

test("a number has thousands separators, and as many decimal places as asked for", () => {
  assert.equal(shownNumber(1234567), "1,234,567");
  assert.equal(shownNumber(0.5, 2), "0.50");
  assert.equal(shownNumber(2, 0), "2");
  assert.equal(shownNumber(0.25), "0.25");
  assert.equal(shownNumber(-0.001, 2), "0.00");
  assert.equal(shownNumber(-0), "0");
  assert.equal(shownNumber(-1.5, 2), "-1.50");
});

test("a range of one number is that number", () => {
  assert.equal(rangeOf(3, 3), "3");
  assert.equal(rangeOf(3, 5), "3\u20135");
});

test("a value is kept within bounds, and the upper bound wins over an impossible lower one", () => {
  assert.deepEqual([clamp(-5, 0, 9), clamp(5, 0, 9), clamp(Infinity, 0, 9), clamp(0, 0, -1)], [0, 5, 9, -1]);
});

test("the first value over a limit is found in a sorted list", () => {
  const values = [1, 3, 3, 7];
  const over = (limit) => firstOver(values.length, (at) => values[at], limit);
  assert.deepEqual([over(0), over(1), over(3), over(6), over(7)], [0, 1, 3, 3, 4]);
  assert.equal(
    firstOver(0, () => 0, 1),
    0,
  );
});
