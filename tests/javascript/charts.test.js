// Charts: round numbers along axes, lines through points, what is at the pointer, and what is said there.

import assert from "node:assert/strict";
import { test } from "node:test";

import { endOfAxis, shareAbove, ticksTo } from "../../ui/components/axis.js";
import {
  areaBelow,
  lineThrough,
  nearestPoint,
  nearestStop,
  shareAt,
  shareOfStep,
  stopsOf,
  wordsAt,
} from "../../ui/components/curves/geometry.js";
import { largestOf, placeOf, rangeOfRow, wordsOf } from "../../ui/components/dots/shapes.js";
import { barAt, meaningOf, numberedPlaces, spokenPair } from "../../ui/components/pair_counts/words.js";

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

test("curve: its line goes through all points, in shares of the plot", () => {
  assert.equal(lineThrough([0, 0.5, 1], [104, 52, 0], 100), "M0 0L500 500L1000 1000");
  assert.equal(lineThrough([], [], 100), "");
  assert.deepEqual([shareOfStep(5, 10), shareOfStep(0, 0), shareAbove(0, 7)], [0.5, 0, 1]);
  assert.ok(shareAbove(7, 7) > 0, "the largest value is in the plot");
});

test("curve: the area below it ends where the line ends", () => {
  assert.equal(areaBelow("M0 0L500 500", 0.5), "M0 0L500 500L500 1000L0 1000Z");
  assert.equal(areaBelow("", 0), "");
});

test("curve: a click finds the nearest step that is drawn", () => {
  const steps = [0, 10, 20, 31];
  assert.deepEqual([-3, 0, 5, 5.1, 12, 25, 26, 99].map((step) => steps[nearestPoint(steps, step)]), [
    0, 0, 0, 10, 10, 20, 31, 31,
  ]);
  assert.equal(nearestPoint([0], 7), 0);
});

const IDS = {
  last: 8,
  steps: [0, 2, 8],
  other: [],
  curves: [],
  axis: {
    shares: [0, 0.3, 0.5], first_id: 256, width: 768, names: [], lines: ["ids", "parameters"], gap: [0.5, 0.7],
    points: [{ share: 0.8, value: 75, name: "GPT-2", line: "600 tokens", words: "GPT-2: 50,257 ids" }],
  },
};

test("curve: on an axis of ids a step is between its neighbours, and what is beside the curve can be pointed at", () => {
  assert.deepEqual([0, 1, 2, 5, 8].map((step) => shareAt(IDS, step)), [0, 0.15, 0.3, 0.4, 0.5]);
  assert.deepEqual(stopsOf(IDS), [0, 0.3, 0.5, 0.8]);
  assert.deepEqual([-1, 0.1, 0.2, 0.45, 0.6, 0.7, 1].map((share) => nearestStop(IDS, share)), [0, 0, 1, 2, 2, 3, 3]);
  const even = { ...IDS, axis: null };
  assert.deepEqual([shareAt(even, 2), stopsOf(even), nearestStop(even, 0.3)], [0.25, [0, 0.25, 1], 1]);
  assert.equal(shareAt({ ...IDS, last: 0, steps: [0], axis: { ...IDS.axis, shares: [0] } }, 0), 0);
});

test("curve: what it saves is said beside its value, and on an axis of ids what that costs", () => {
  const falls = { unit: "tokens", digits: 0, saves: 1, values: [2_547, 1_912] };
  assert.equal(wordsAt(falls, 12, 1_912), "Merge 12: 1,912 tokens, 24.9% saved");
  const rises = { unit: "bytes per token", digits: 2, saves: -1, values: [1, 1.3321] };
  assert.equal(wordsAt(rises, 12, 1.33211), "Merge 12: 1.33 bytes per token, 24.9% saved");
  assert.equal(wordsAt({ ...falls, values: [0] }, 0, 0), "Merge 0: 0 tokens");
  const cost = { unit: "% of the tokens saved", digits: 1, saves: 0, values: [] };
  assert.equal(wordsAt(cost, 12, 24.93, IDS.axis), "268 ids \u00d7 768 = 205,824 parameters: 24.9% of the tokens saved");
});

test("curve: a step is said with its value", () => {
  assert.equal(wordsAt({ unit: "tokens", digits: 0, saves: 0 }, 1_234, 56_789), "Merge 1,234: 56,789 tokens");
  assert.equal(wordsAt({ unit: "bytes per token", digits: 2, saves: 0 }, 7, 2.5), "Merge 7: 2.50 bytes per token");
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

/** @type {import("../../ui/components/dots/shapes.js").DotsBody} */
const LANGUAGES = {
  names: ["GPT-2", "T5"],
  rows: [
    ["English", [1, 1], [0, 0]],
    ["Japanese", [4.321, 0.5], [0, 1]],
    ["Chinese", [null, null], [0, 0]],
  ],
  axis: "Relative to English",
  digits: 2,
  hollow: "in part unknown tokens",
};

test("a chart of dots has room for its largest value, and 0 is at its beginning", () => {
  assert.equal(largestOf(LANGUAGES), 4.321);
  assert.equal(placeOf(0, 4), "0%");
  assert.ok(parseFloat(placeOf(4, 4)) < 100);
  assert.ok(parseFloat(placeOf(4, 4)) > 90);
});

test("a row without values has no range", () => {
  assert.deepEqual(
    LANGUAGES.rows.map((row) => rangeOfRow(row)),
    [[1, 1], [0.5, 4.321], null],
  );
});

test("a dot says its value and what a hollow one means", () => {
  const [, japanese, chinese] = LANGUAGES.rows;
  assert.equal(wordsOf(LANGUAGES, japanese, 0), "GPT-2: 4.32");
  assert.equal(wordsOf(LANGUAGES, japanese, 1), "T5: 0.50, in part unknown tokens");
  assert.equal(wordsOf(LANGUAGES, chinese, 0), "");
});
