// The parts of the page that draw nothing: the player, the address, the live text.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Pace } from "../../frontend/src/views/address/pace.ts";
import { isAnotherPlace, isHere, queryOf } from "../../frontend/src/views/address/query.ts";
import { hasCrlf, pauseFor, problemOf, withLineEnds } from "../../frontend/src/views/live_text/limits.ts";
import { Moves, sliderShare, stepsOfKey, waitFor, wordsFor } from "../../frontend/src/views/player/moves.ts";

function moves(step, last) {
  const made = new Moves();
  made.seen(step, last);
  return made;
}

test("player: a step is shown at once, and asked for once", () => {
  const player = moves(3, 10);
  assert.equal(player.ask(4), 4);
  assert.equal(player.shown, 4);
  assert.equal(player.ask(4), null);
  assert.equal(player.ask(3), 3); // back, before the page is updated
});

test("player: until the page has followed, what it shows changes nothing that was asked for", () => {
  const player = moves(3, 10);
  player.ask(4);
  player.seen(3, 10, 4);
  assert.deepEqual([player.step, player.shown], [3, 4]);
  player.seen(4, 10);
  assert.deepEqual([player.step, player.shown], [4, 4]);
});

test("player: a step that was asked for before the page was loaded again is shown, if there still is one", () => {
  const player = new Moves();
  player.seen(3, 10, 99);
  assert.deepEqual([player.step, player.shown], [3, 10]);
});

test("player: steps stay within what there is, and the step that is shown is not asked for", () => {
  assert.equal(moves(3, 10).ask(99), 10);
  assert.equal(moves(3, 10).ask(-Infinity), 0);
  assert.equal(moves(3, 10).ask(3), null);
  assert.equal(moves(10, 10).ask(Infinity), null);
});

test("player: the clock waits for what is left of a step's time", () => {
  assert.equal(waitFor(1000, 2, 1200), 300);
  assert.equal(waitFor(1000, 2, 9000), 0);
  assert.deepEqual([sliderShare(5, 10), sliderShare(0, 0)], [50, 0]);
  assert.deepEqual(["ArrowLeft", "ArrowRight", "Home", "End", "a"].map(stepsOfKey), [-1, 1, -Infinity, Infinity, undefined]);
});

test("player: a step is called what it is", () => {
  assert.equal(wordsFor("merge").slider, "Merges applied");
  assert.equal(wordsFor("step").slider, "Steps");
  assert.equal(wordsFor("step").next, "The next step (\u2192 key)");
});

test("address: Streamlit's own parameters stay, others are what is shown", () => {
  assert.equal(queryOf("?embed=true&text=old", "text=new"), "?embed=true&text=new");
  assert.equal(queryOf("?text=old", ""), "");
});

test("address: it is written for the page that asked for it only", () => {
  const data = { path: "encode", paths: ["", "encode"], query: "", whole: true, place: "" };
  assert.ok(isHere("/base/encode", data));
  assert.ok(!isHere("/base/", data));
  assert.ok(isHere("/base/", { ...data, path: "" }));
});

test("address: another lesson is a place of its own, another step is not", () => {
  const shown = { path: "lessons", place: "one" };
  assert.ok(isAnotherPlace(shown, { path: "lessons", place: "two" }));
  assert.ok(!isAnotherPlace(shown, { path: "lessons", place: "one" }));
  assert.ok(!isAnotherPlace(shown, { path: "train", place: "" }));
  assert.ok(!isAnotherPlace(null, { path: "lessons", place: "one" }));
});

test("live text: the first key goes at once, the next ones wait, long texts wait longer", () => {
  assert.deepEqual([pauseFor(10, 1000, false), pauseFor(10, 50, false), pauseFor(60_000, 1000, false)], [0, 60, 350]);
  assert.deepEqual([pauseFor(10, 50, true), pauseFor(60_000, 2000, true), pauseFor(60_000, 500, true)], [0, 0, 350]);
});

test("live text: a text that is too long says how long it may be", () => {
  const limits = { longest: 5, bytes: 1000 };
  assert.equal(problemOf("12345", limits), "");
  assert.equal(problemOf("👍👍👍👍👍", limits), "", "characters are counted, not UTF-16 units");
  assert.match(problemOf("123456", limits), /^The text has 6 characters; the limit is 5\. Shorten it/);
  assert.match(problemOf("こ".repeat(400), { longest: 5000, bytes: 1000 }), /^The text has 1,202 bytes; the limit is 1,000/);
});

test("live text: CR LF comes back where every line had it", () => {
  assert.deepEqual(["a\r\nb", "a\nb", "a\r\nb\nc", "a"].map(hasCrlf), [true, false, false, false]);
  assert.equal(withLineEnds("a\nb", true), "a\r\nb");
  assert.equal(withLineEnds("a\nb", false), "a\nb");
});

/**
 * The times at which the address changes if a change is requested every `every` milliseconds.
 * @param {number} every
 * @param {number} until
 */
function changes(every, until) {
  const pace = new Pace();
  const times = [];
  for (let now = 0; now < until; now += every) {
    if (pace.wait(now) > 0) continue;
    pace.changed(now);
    times.push(now);
  }
  return times;
}

test("a person's steps are in the address at once, also many in a row", () => {
  assert.equal(changes(50, 1_000).length, 20);
  assert.equal(changes(1_000, 120_000).length, 120);
});

test("no 30 seconds have more changes than the strictest browser takes", () => {
  for (const every of [1, 50, 100, 333]) {
    const times = changes(every, 120_000);
    const most = Math.max(...times.map((from) => times.filter((time) => time >= from && time < from + 30_000).length));
    assert.ok(most < 100, `${most} changes`);
  }
});

test("a change that has to wait is allowed when it has waited as long as it was told", () => {
  const pace = new Pace();
  for (let i = 0; i < 30; i++) pace.changed(0);
  const wait = pace.wait(0);
  assert.ok(wait > 0);
  assert.equal(pace.wait(wait), 0);
});
