// A figure in the colours and the size of the page, and where the keyboard goes in it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { colourTable, dressed, themeOf, walked } from "../../ui/components/plot/look.js";

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
