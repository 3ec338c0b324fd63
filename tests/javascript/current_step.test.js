// Views that follow the step of the player, and the parts of a text that they redraw.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { publishStep, mergeOf, currentStep, publishMerges, subscribeStep, following } from "../../frontend/src/bridge/current_step.ts";
import { waitToAsk } from "../../frontend/src/views/player/moves.ts";
import { firstSentence } from "../../frontend/src/views/story/sentence.ts";
import { placeOf } from "../../frontend/src/views/token_flow/lines.ts";
import { changesOf, piecesOf } from "../../frontend/src/views/token_flow/pieces.ts";
import { rowOfNumber } from "../../frontend/src/views/token_table/rows.ts";
import { Replay } from "../../frontend/src/tokens/replay.ts";
import { Tokens } from "../../frontend/src/tokens/spans.ts";

/** @type {(() => void)[]} */
let frames;

beforeEach(() => {
  frames = [];
  Object.assign(following, { of: null, step: null, first: null, frame: 0, merges: null });
  following.views.clear();
  globalThis.requestAnimationFrame = (draw) => frames.push(draw);
});

test("views draw the newest step of the player, once in a frame", () => {
  const seen = [];
  const end = subscribeStep(() => seen.push(currentStep("a")));
  publishStep("a", 1);
  publishStep("a", 2);
  publishStep("a", 2);
  assert.equal(frames.length, 1);
  frames[0]();
  assert.deepEqual(seen, [2]);
  publishStep("a", 3);
  end();
  frames[1]();
  assert.deepEqual(seen, [2]);
});

test("the step that a player was mounted with is known until it ends, whatever keys have done before it was drawn", () => {
  publishStep("a", 4);
  publishStep("a", 5);
  assert.equal(following.first, 4);
  publishStep(null, null);
  assert.deepEqual([following.step, following.first], [null, null]);
  publishStep("a", 0);
  assert.equal(following.first, 0);
});

test("a view of another training follows no step", () => {
  publishStep("a", 4);
  assert.equal(currentStep("a"), 4);
  assert.equal(currentStep("b"), null);
  assert.equal(currentStep(null), null);
  publishStep(null, 0);
  assert.equal(currentStep("a"), null);
});

test("the merge of a step is known from the table of the same training", () => {
  const columns = { Left: ["h", "he"], Right: ["e", "l"], "New token": ["he", "hel"], Count: [9, 4], Id: [256, 257],
    Tokens: [31, 27] };
  publishMerges("a", Object.entries(columns).map(([title, cells]) => ({ title, cells })));
  assert.deepEqual(mergeOf("a", 2), { left: "he", right: "l", made: "hel", count: 4, id: 257, tokens: 27, before: 31 });
  assert.equal(mergeOf("a", 1)?.before, null);
  assert.equal(mergeOf("a", 0), null);
  assert.equal(mergeOf("a", 3), null);
  assert.equal(mergeOf("b", 1), null);
});

test("the first sentence says what the server's says", () => {
  const said = (step, count, forced, before) =>
    firstSentence(step, { count, id: 1256, tokens: 3000, before }, forced, 4024).map((part) => part.strong ?? part).join("");
  assert.equal(
    said(1000, 2, [], 3002),
    "Merge 1,000. The pair occurred twice, the largest count of all: \u22122 tokens. The new token has id 1,256.",
  );
  assert.equal(said(7, 1, [7], 3001), "Merge 7. The pair occurred once: \u22121 token. The new token has id 1,256.");
  assert.match(said(1, 1024, [], null), /: \u22121,024 tokens\./, "the first merge, from the symbols");
  assert.match(said(3, 5, [3], 3000), /: no token saved\./);
});

test("the page is asked for a single step at once, and for those of a movement where it rests and now and then", () => {
  for (const byClock of [true, false]) {
    assert.equal(waitToAsk(0, 0, 1000, byClock), 0);
    const rest = waitToAsk(1000, 1000, 1016, byClock);
    assert.ok(rest > 0 && rest < 100);
    assert.equal(waitToAsk(1984, 984, 2000, byClock), 0, "it goes on and on");
  }
  assert.equal(waitToAsk(1984, 1600, 2000, true), 0);
  assert.ok(waitToAsk(1984, 1600, 2000, false) > 0, "a hand on the slider is held up less often than playback");
});

test("a row is found by its number, also where others are left out", () => {
  assert.equal(rowOfNumber([1, 2, 3], 2), 1);
  assert.equal(rowOfNumber([4, 9, 30], 30), 2);
  assert.equal(rowOfNumber([4, 9, 30], 10), null);
  assert.equal(rowOfNumber([4, 9, 30], 0), null);
  assert.equal(rowOfNumber([], 1), null);
});

test("of a part of a text it is said where it is", () => {
  assert.equal(placeOf(null, [0, 9], "All."), "All.");
  assert.equal(placeOf([1000, 20_000], [2, 900], "Here."), "Characters 1,003 to 1,900 of 20,000. Here.");
});

const LOW = {
  text: "low low", begins: true, ends: true, firstId: 256, ids: [108, 111, 119, 32, 108, 111, 119],
  joined: [-1, 0, 1, -1, -1, 0, 1], joinedAfter: -1, sizes: null, skips: {}, mark: "",
};

function divided(symbolsBody, step, byLine = false) {
  const { body, symbols } = new Replay(symbolsBody).at(step);
  const tokens = new Tokens(body);
  return { tokens, symbols, pieces: piecesOf(tokens, symbols, byLine) };
}

test("only what a step changes is redrawn", () => {
  const pieces = (step) => divided(LOW, step);
  assert.deepEqual(changesOf(pieces(0), pieces(0)), []);
  assert.deepEqual(changesOf(pieces(0), pieces(1)), [
    { gone: [0, 2], come: [0, 1] },
    { gone: [4, 6], come: [3, 4] },
  ]);
  assert.deepEqual(changesOf(pieces(2), pieces(0)), [
    { gone: [0, 1], come: [0, 3] },
    { gone: [2, 3], come: [4, 7] },
  ]);
});

test("tokens computed here name their invisible characters", () => {
  const text = { ...LOW, text: "a\u3000", ids: [97, 227, 128, 128], joined: [-1, -1, 0, 1], sizes: null };
  const tokens = new Tokens(new Replay(text, { "\u3000": "全角空白" }).at(2).body);
  assert.deepEqual([tokens.unseenNames(0), tokens.unseenNames(1)], [[], ["U+3000 全角空白"]]);
});

test("the bytes of a character are drawn as one piece", () => {
  const text = { ...LOW, text: "aé", ids: [97, 195, 169], joined: [-1, -1, 0] };
  assert.deepEqual(divided(text, 0).pieces.map(({ first, end }) => [first, end]), [[0, 1], [1, 3]]);
  assert.deepEqual(divided(text, 1).pieces.map(({ first, end }) => [first, end]), [[0, 1], [1, 2]]);
});

test("a text whose lines have directions is drawn line by line", () => {
  const text = { ...LOW, text: "a\nb", ids: [97, 10, 98], joined: [-1, -1, -1] };
  assert.deepEqual(divided(text, 0, true).pieces.map(({ from, to }) => [from, to]), [[0, 2], [2, 3]]);
});
