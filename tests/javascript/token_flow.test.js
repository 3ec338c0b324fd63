import assert from "node:assert/strict";
import { test } from "node:test";
import { inNextLine, isRtlLine, mayBeRtl, restOf } from "../../ui/components/token_flow/lines.js";
import { tokensOf } from "./helpers.js";

test("what is left out is counted below the flow", () => {
  assert.equal(restOf({ first: 0, length: 0, total: 0 }), "No tokens.");
  assert.equal(restOf({ first: 0, length: 5, total: 5 }), "");
  assert.equal(restOf({ first: 10, length: 50_000, total: 100_000 }), "\u2026 and 49,990 more tokens");
});

test("a line runs as its first character with a direction does", () => {
  const tokens = tokensOf({ texts: ["1. ", "שלום", "\n", "a", "שלום"] });
  assert.ok(mayBeRtl(tokens));
  assert.ok(isRtlLine(tokens, 0));
  assert.ok(!isRtlLine(tokens, 3));
  assert.ok(!isRtlLine(tokensOf({ texts: ["1", "\n", "שלום"] }), 0), "the next line is another one");
});

test("the key down goes to the nearest token of the next line", () => {
  const boxes = [[0, 0], [50, 0], [0, 20], [40, 22], [90, 20], [0, 40]].map(([left, top]) => ({ left, top, height: 10 }));
  const box = (at) => boxes[at];
  assert.equal(inNextLine(box, 6, 1, 1), 3);
  assert.equal(inNextLine(box, 6, 4, -1), 1);
  assert.equal(inNextLine(box, 6, 5, 1), 5, "there is no line below");
  assert.equal(inNextLine(box, 6, 1, -1), 0, "there is no line above");
});
