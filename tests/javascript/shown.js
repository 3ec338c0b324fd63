// Answers each line of JSON with one: the display of each text by the scripts, or of every code point of a range in its
// context. tests/core/test_marks.py compares the answers with Python's.

import { createInterface } from "node:readline";
import "./typescript.js";

const { markedText, shownPieces, showsItself } = await import("../../frontend/src/tokens/marks.ts");

const KINDS = { "": "plain", "m name": "name", "m circle": "circle" };

const pieces = (text) =>
  shownPieces(text)
    .filter(({ text: shown }) => shown)
    .map(({ from, to, text: shown, mark }) => [text.slice(from, to), shown, KINDS[mark] ?? "mark"]);

function sweep([first, last], around) {
  const shown = [];
  for (let code = first; code <= last; code++) {
    const char = String.fromCodePoint(code);
    shown.push(showsItself(char) ? "+" : "-", ...around.map(([before, after]) => markedText(before + char + after)));
  }
  return shown.join("\n");
}

for await (const line of createInterface({ input: process.stdin })) {
  const { texts, range, around } = JSON.parse(line);
  process.stdout.write(JSON.stringify(texts ? texts.map(pieces) : sweep(range, around)) + "\n");
}
