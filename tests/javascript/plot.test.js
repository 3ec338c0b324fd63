// A figure in the colours and the size of the page, and keyboard navigation in it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { colourTable, dressed, themeOf, walked } from "../../frontend/src/views/plot/look.ts";
import { nearestPoint, placeOfStep, wordsAt } from "../../frontend/src/page/step_words.ts";

const LOOK = { colours: colourTable(["#16191d", "#3B82F6"], ["#e9ecef", "#8888ff"]), scale: 2, font: "Page Sans" };

test("colours are those of the page, and text that looks like one stays", () => {
  const figure = {
    data: [{ name: "#3b82f6", text: ["#16191d"], marker: { color: ["#3b82f6", "#123456"] }, line: { color: "#3B82F6" } }],
    layout: { colorway: ["#3b82f6"], template: { layout: { colorscale: { sequential: [[0, "#16191d"]] } } } },
  };
  assert.deepEqual(dressed(figure, LOOK), {
    data: [{ name: "#3b82f6", text: ["#16191d"], marker: { color: ["#8888ff", "#123456"] }, line: { color: "#8888ff" } }],
    layout: { colorway: ["#8888ff"], template: { layout: { colorscale: { sequential: [[0, "#e9ecef"]] } } } },
  });
});

test("type, lines and margins grow, values and ranges do not", () => {
  const figure = {
    data: [{ x: [1, 2], marker: { size: 4 }, line: { width: 3 }, width: 0.7, customdata: [[1, 2]] }],
    layout: { font: { size: 12, family: "Arial" }, margin: { t: 5 }, xaxis: { tickfont: { size: 10 }, range: [0, 1] } },
  };
  assert.deepEqual(dressed(figure, LOOK), {
    data: [{ x: [1, 2], marker: { size: 8 }, line: { width: 6 }, width: 0.7, customdata: [[1, 2]] }],
    layout: { font: { size: 24, family: "Page Sans" }, margin: { t: 10 }, xaxis: { tickfont: { size: 20 }, range: [0, 1] } },
  });
});

test("the theme is read from the ground of the page", () => {
  assert.equal(themeOf("#0f1216", false), "dark");
  assert.equal(themeOf(" rgb(251, 251, 249)", true), "light-strong");
  assert.equal(themeOf("", false), "light");
});

test("keys walk along a trace, to the other trace, and not past the ends", () => {
  const counts = new Map([[0, 3], [2, 21]]);
  const from = { trace: 2, point: 20 };
  assert.deepEqual(walked(from, "ArrowLeft", counts), { trace: 2, point: 19 });
  assert.deepEqual(walked(from, "ArrowRight", counts), from);
  assert.deepEqual(walked(from, "PageUp", counts), { trace: 2, point: 18 });
  assert.deepEqual(walked(from, "ArrowDown", counts), { trace: 0, point: 2 });
  assert.deepEqual(walked({ trace: 0, point: 1 }, "ArrowUp", counts), { trace: 2, point: 1 });
  assert.deepEqual(walked(from, "Home", counts), { trace: 2, point: 0 });
  assert.equal(walked(from, "a", counts), null);
});

test("the point next to a step, and a step between two points", () => {
  const steps = [0, 10, 20, 31];
  assert.deepEqual([-3, 0, 5, 5.1, 12, 25, 26, 99].map((step) => steps[nearestPoint(steps, step)]), [
    0, 0, 0, 10, 10, 20, 31, 31,
  ]);
  assert.equal(nearestPoint([0], 7), 0);
  const places = [0, 0.3, 0.5];
  assert.deepEqual([0, 1, 2, 5, 8].map((step) => placeOfStep([0, 2, 8], places, step)), [0, 0.15, 0.3, 0.4, 0.5]);
  assert.equal(placeOfStep([0], [0], 0), 0);
});

/** @typedef {import("../../frontend/src/page/step_words.ts").StepWords} StepWords */

test("a curve says what it saves beside its value, and on an axis of ids what that costs", () => {
  /** @type {StepWords} */
  const falls = ["", "", "tokens", 0, 1, null];
  assert.equal(wordsAt(falls, 12, 1_912, 2_547), "Merge 12: 1,912 tokens, 24.9% saved");
  assert.equal(wordsAt(falls, 0, 0, 0), "Merge 0: 0 tokens");
  assert.equal(wordsAt(["", "", "bytes", 2, -1, null], 12, 1.33211, 1), "Merge 12: 1.33 bytes per token, 24.9% saved");
  assert.equal(wordsAt(["", "", "tokens", 0, 0, null], 1_234, 56_789, 1), "Merge 1,234: 56,789 tokens");
  assert.equal(
    wordsAt(["", "", "saved", 1, 0, [256, 768]], 12, 24.93, 0),
    "268 ids \u00d7 768 = 205,824 parameters: 24.9% of the tokens saved",
  );
});
