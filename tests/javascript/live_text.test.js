// The changes that are sent instead of a long text.

import assert from "node:assert/strict";
import { test } from "node:test";

import { editOf } from "../../frontend/src/views/live_text/edits.ts";
import { numbers } from "./helpers.js";

test("an edit names what is replaced and what takes its place", () => {
  assert.deepEqual(editOf("low", "slow"), [0, 0, "s"]);
  assert.deepEqual(editOf("low", "lower"), [3, 3, "er"]);
  assert.deepEqual(editOf("lower", "low"), [3, 5, ""]);
  assert.deepEqual(editOf("aaa", "aa"), [2, 3, ""]);
  assert.deepEqual(editOf("aa", "aaa"), [2, 2, "a"]);
  assert.deepEqual(editOf("low", "low"), [3, 3, ""]);
  assert.deepEqual(editOf("", "low"), [0, 0, "low"]);
});

test("a text with characters that browser and server count differently has no edit", () => {
  assert.equal(editOf("low", "l\u{1f600}w"), null);
  assert.equal(editOf("l\u{1f600}w", "low"), null);
});

test("replacing what an edit names gives the other text", () => {
  const next = numbers(3);
  const text = () => Array.from({ length: next() % 6 }, () => "ab\n"[next() % 3]).join("");
  for (let each = 0; each < 2_000; each += 1) {
    const [before, after] = [text(), text()];
    const [start, end, inserted] = editOf(before, after) ?? [0, 0, ""];
    assert.equal(before.slice(0, start) + inserted + before.slice(end), after);
  }
});
