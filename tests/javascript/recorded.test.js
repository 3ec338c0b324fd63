import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { inLanguage, readRecording } from "../../frontend/src/recorded/recording.ts";
import { foundIn } from "../../frontend/src/recorded/search.ts";
import { ticksOf } from "../../frontend/src/recorded/ticks.ts";

const column = (title, cells, tones = []) => ({ title, kind: "chip", tones, cells });
const FRAME = [
  { kind: "table", rev: "a", name: "merges" },
  {
    rows: 3,
    columns: [
      column("Merge", [1, 2, 3]),
      { ...column("\u65b0\u30c8\u30fc\u30af\u30f3", [[256, "lo"], [257, " low"], [258, [["E3 81", 1]], "\u3053", 0]]), name: "New token" },
      column("Bytes", ["6C 6F", "20 6C 6F 77", "E3 81"], ["dim", "", ""]),
    ],
  },
];

function rowsOf([head, body]) {
  assert.equal(head.name, "merges");
  return body.columns[0].cells;
}

test("a recording is unpacked", async () => {
  const packed = gzipSync(JSON.stringify({ name: "\u65e5" })).toString("base64");
  assert.deepEqual(await readRecording(packed), { name: "\u65e5" });
});

test("a recording in several languages has the words of the chosen one", () => {
  const whole = {
    languages: { en: "English", ja: "\u65e5\u672c\u8a9e" },
    words: { Next: { "": ["Next", "\u6b21\u3078"] } },
    steps: [{ story: [{ of: null, step: 1 }, { "": [["Merge 1"], [1, "\u756a"]] }] }],
  };
  const { words, steps } = inLanguage(whole, "ja");
  assert.deepEqual([words, steps[0].story], [{ Next: "\u6b21\u3078" }, [{ of: null, step: 1 }, [1, "\u756a"]]]);
  assert.equal(inLanguage(whole, "en").words.Next, "Next");
});

test("a search finds the tokens that contain a text, or whole bytes in hex", () => {
  assert.equal(foundIn(FRAME, "", "New token"), FRAME);
  assert.deepEqual(rowsOf(foundIn(FRAME, "lo", "New token")), [1, 2]);
  assert.deepEqual(rowsOf(foundIn(FRAME, " l", "New token")), [2]);
  assert.deepEqual(rowsOf(foundIn(FRAME, "6f77", "New token")), [2]);
  assert.deepEqual(rowsOf(foundIn(FRAME, "e3 81", "New token")), [3]);
  assert.deepEqual(rowsOf(foundIn(FRAME, "38", "New token")), []); // half of two bytes
  assert.deepEqual(rowsOf(foundIn(FRAME, "\u2028", "New token")), []);
});

test("a search finds the pieces of a table without bytes", () => {
  const pieces = { rows: 2, columns: [column("Piece", ["low", "er"])] };
  const found = foundIn([{ name: "merges", rev: "a" }, pieces], "e", "Piece");
  assert.deepEqual(rowsOf(found), ["er"]);
});

test("a table of some rows has their tones, and another name than the whole", () => {
  const [head, body] = foundIn(FRAME, "w", "New token");
  assert.notEqual(head.rev, "a");
  assert.deepEqual(body.columns[2].tones, [""]);
  assert.equal(body.rows, 1);
});

test("ticks are round numbers within the axis, few enough to read", () => {
  assert.deepEqual(ticksOf(2600, 4), [0, 1000, 2000]);
  assert.deepEqual(ticksOf(256, 6), [0, 50, 100, 150, 200, 250]);
  assert.deepEqual(ticksOf(0.35, 4), [0, 0.1, 0.2, 0.3]);
  assert.deepEqual(ticksOf(0, 4), [0]);
  for (let most = 1; most < 500; most += 7) assert.ok(ticksOf(most, 4).length <= 5, String(most));
});
