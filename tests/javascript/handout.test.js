// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { LARGEST, PAGE, scaleOf } from "../../frontend/src/views/handout/fit.ts";

test("a short lesson is as large as handouts are", () => {
  assert.equal(scaleOf(() => 100), LARGEST);
});

test("a long lesson is as small as one page needs", () => {
  const heightAt = (/** @type {number} */ width) => 1_500_000 / width; // an area of text
  const scale = scaleOf(heightAt);
  assert.ok(heightAt(PAGE.width / scale) <= PAGE.height / scale);
  assert.ok(heightAt(PAGE.width / (scale / 0.95)) > PAGE.height / (scale / 0.95));
});

test("what never fits still ends", () => {
  assert.ok(scaleOf(() => Infinity) > 0);
});
