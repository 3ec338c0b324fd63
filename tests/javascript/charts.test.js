// Charts: round numbers along axes, what is at the pointer, and what is said there.

import assert from "node:assert/strict";
import { test } from "node:test";

import { endOfAxis, ticksTo } from "../../frontend/src/page/axis.js";
import { barAt, meaningOf, numberedPlaces, spokenPair } from "../../frontend/src/views/pair_counts/words.js";

test("axis: the numbers are round, begin at 0 and end before the axis does", () => {
  assert.deepEqual(ticksTo(256, 6).ticks, [0, 50, 100, 150, 200, 250]);
  assert.deepEqual(ticksTo(1_560, 4).ticks, [0, 500, 1_000, 1_500]);
  assert.deepEqual(ticksTo(65_000, 6).ticks, [0, 20_000, 40_000, 60_000]);
  for (let most = 1; most < 100_000; most = Math.ceil(most * 1.37)) {
    const { ticks } = ticksTo(most, 5, true);
    assert.ok(ticks.length <= 6, `${most}: ${ticks}`);
    assert.ok(ticks.length >= 2, `${most}: ${ticks}`);
    assert.ok(ticks[ticks.length - 1] <= most);
  }
});

test("axis: fractions have the places that they need, and no more", () => {
  assert.deepEqual(ticksTo(2.1, 4), { ticks: [0, 1, 2], digits: 0 });
  assert.deepEqual(ticksTo(1.8, 4), { ticks: [0, 0.5, 1, 1.5], digits: 1 });
  assert.deepEqual(ticksTo(0.3, 3), { ticks: [0, 0.1, 0.2, 0.3], digits: 1 });
  assert.deepEqual(ticksTo(0.09, 4), { ticks: [0, 0.05], digits: 2 });
});

test("axis: there is no half of a merge", () => {
  assert.deepEqual(ticksTo(2, 6, true).ticks, [0, 1, 2]);
  assert.deepEqual(ticksTo(1, 6, true).ticks, [0, 1]);
  assert.deepEqual(ticksTo(0, 6, true).ticks, [0]);
  assert.ok(endOfAxis(0) > 0, "nothing is divided by nothing");
});

test("pairs: the bar below the pointer is the one of its place, and an empty place is none", () => {
  const body = { places: 40, counts: [9, 9, 4] };
  assert.deepEqual([0, 0.024, 0.026, 0.06, 0.08, 1, -0.1].map((share) => barAt(share, body)), [
    0, 0, 1, 2, null, null, null,
  ]);
  assert.deepEqual(numberedPlaces(40), [1, 10, 20, 30, 40]);
});

test("pairs: what a bar's colour says is said in words", () => {
  const body = { pairs: [[[104, "h"], [101, "e"]], [[116, "t"], [104, "h"]]], counts: [1_096, 95], tones: ["win", ""] };
  assert.equal(spokenPair(body, 0), '"h" and "e": 1,096, the next merge');
  assert.equal(spokenPair(body, 1), '"t" and "h": 95');
  assert.equal(meaningOf("tie"), "tied with the next");
});
