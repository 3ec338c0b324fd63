// Computations of the stage.

import assert from "node:assert/strict";
import { test } from "node:test";

import { actOf, cardToShow, hidingRule, markRoom, ruleOf, zoomsOf } from "../../frontend/src/presenter/acts.ts";
import { classOf } from "../../frontend/src/page/elements.ts";
import { clockOf } from "../../frontend/src/presenter/clock.ts";
import { walkOf } from "../../frontend/src/presenter/remote.ts";
import { WholeScreen } from "../../frontend/src/presenter/screen.ts";
import { isSingleStep, joinedPairs } from "../../frontend/src/views/token_flow/joining.ts";

const press = (key, has = {}, shiftKey = false) => actOf({ key, shiftKey }, { choices: 0, hands: false, lesson: false, ...has });

const AT = {
  player: null,
  guessing: false,
  covered: false,
  lesson: null,
  asks: false,
  text: null,
  answered: false,
  onAnswer: false,
  above: false,
  below: false,
  cards: { after: 0, turned: 0 },
};
const LESSON = { before: true, after: true, walked: 0 };
const on = (seen) => walkOf(1, { ...AT, ...seen });
const back = (seen) => walkOf(-1, { ...AT, ...seen });

test("digits choose cards, B and a remote's full stop black, and letters count in both cases", () => {
  assert.deepEqual(press("1"), { act: "card", at: 0 });
  assert.deepEqual(press("9"), { act: "card", at: 8 });
  assert.equal(press("0"), null);
  for (const key of ["b", "B", "."]) assert.deepEqual(press(key), { act: "black" });
  assert.deepEqual(press("Escape"), { act: "leave" });
});

test("arrows and the space bar are the player's", () => {
  for (const key of ["ArrowLeft", "ArrowRight", " ", "Home", "End"]) assert.equal(press(key), null);
});

test("letters count hands and digits choose while a class is asked, and all others keep their effect", () => {
  const asked = { choices: 3, lesson: true, hands: true };
  assert.deepEqual(press("b", asked), { act: "hand", at: 1, way: 1 });
  assert.deepEqual(press("B", asked, true), { act: "hand", at: 1, way: -1 });
  assert.deepEqual(press("3", asked), { act: "choice", at: 2 });
  assert.deepEqual(press("4", asked), { act: "card", at: 3 });
  assert.deepEqual(press("f", asked), { act: "full screen" });
  assert.deepEqual(press("Enter", asked), { act: "reveal" });
  assert.equal(press("Enter"), null);
});

test("H goes to the hands of a lesson's question, where letters are keys of the stage", () => {
  assert.deepEqual(press("h", { hands: true, lesson: true }), { act: "hands" });
  assert.deepEqual(press("a", { hands: true, lesson: true }), { act: "answer" });
  assert.deepEqual(press("b", { hands: true, lesson: true }), { act: "black" });
  assert.equal(press("h"), null);
});

test("a remote walks from the question through text, page and steps to the answer and the next lesson", () => {
  const player = { back: true, on: true };
  const ended = { back: true, on: false };
  assert.equal(on({ lesson: LESSON, asks: true, text: "hidden" }), "text");
  assert.equal(on({ lesson: LESSON, asks: true, text: "shown", below: true }), "scroll");
  assert.equal(on({ lesson: LESSON, asks: true, text: "shown" }), "open");
  assert.equal(on({ lesson: LESSON, asks: true }), "open");
  assert.equal(on({ lesson: LESSON, asks: true, onAnswer: true, text: "shown" }), "open"); // answered before its time
  assert.equal(on({ lesson: LESSON, covered: true }), "look"); // a page that waits for an answer
  assert.equal(on({ lesson: LESSON, player }), "step");
  assert.equal(on({ lesson: { ...LESSON, walked: 12 }, player }), "far"); // a long training has hundreds of steps
  assert.equal(on({ lesson: { ...LESSON, walked: 13 }, player: ended }), "answer");
  assert.equal(on({ lesson: LESSON }), "answer"); // a page without a player
  assert.equal(on({ lesson: LESSON, player, answered: true, below: true }), "scroll");
  assert.equal(on({ lesson: LESSON, player, answered: true }), "lesson");
  assert.equal(on({ lesson: { ...LESSON, after: false }, answered: true }), "end");
});

test("back goes the same way: answer, steps, page, text, question, and the answer of the lesson before", () => {
  const player = { back: true, on: true };
  assert.equal(back({ lesson: LESSON, player, answered: true }), "hide");
  assert.equal(back({ lesson: { ...LESSON, walked: 13 }, player }), "far");
  assert.equal(back({ lesson: { ...LESSON, walked: 1 }, player }), "step");
  assert.equal(back({ lesson: LESSON, player }), "question");
  assert.equal(back({ lesson: LESSON, asks: true, onAnswer: true, text: "shown" }), "question");
  assert.equal(back({ lesson: LESSON, asks: true, text: "shown" }), "text");
  assert.equal(back({ lesson: LESSON, asks: true, text: "hidden" }), "lesson");
  assert.equal(back({ lesson: { ...LESSON, before: false }, asks: true }), "end");
});

test("without a lesson a remote steps, then turns the cards, and ends", () => {
  const ended = { back: true, on: false };
  assert.equal(on({ player: { back: false, on: true }, below: true }), "step");
  assert.equal(on({ player: ended, cards: { after: 2, turned: 0 } }), "card");
  assert.equal(on({ player: ended }), "end");
  assert.equal(back({ player: ended, cards: { after: 1, turned: 1 } }), "card");
  assert.equal(back({ player: ended }), "step");
  assert.equal(on({ below: true, cards: { after: 1, turned: 0 } }), "scroll");
  assert.equal(on({ guessing: true, player: { back: true, on: true } }), "reveal");
});

test("the clock counts minutes and seconds, and hours if there are any", () => {
  assert.deepEqual([0, 65_400, 3_600_000].map(clockOf), ["0:00", "1:05", "1:00:00"]);
});

test("lessons have keys only where there is one", () => {
  assert.deepEqual(press("ArrowRight", { lesson: true }, true), { act: "lesson", way: 1 });
  assert.deepEqual(press("a", { lesson: true }), { act: "answer" });
  assert.equal(press("a"), null);
  assert.equal(press("ArrowRight", {}, true), null);
});

test("type is in proportion to the window, and never smaller than on the page", () => {
  const large = zoomsOf(1920, 1080, 18);
  assert.ok(1.1333 * 18 * large.card >= 28);
  const small = zoomsOf(1280, 720, 15);
  assert.ok(Math.abs((15 * small.card) / 1280 - (18 * large.card) / 1920) < 1e-3);
  assert.deepEqual(zoomsOf(600, 400, 16), { card: 1, foot: 1 });
});

test("the chosen card is shown, or what has come in its place", () => {
  const all = ["text", "story", "candidates", "token", "changes"];
  assert.equal(cardToShow(["text", "story"], undefined, all), "text");
  assert.equal(cardToShow(["text", "story"], "story", all), "story");
  assert.equal(cardToShow(["text", "story", "token", "changes"], "candidates", all), "token");
  assert.equal(cardToShow([], "text", all), undefined);
});

test("a rule places an element in pixels of the window, whatever it is enlarged by", () => {
  assert.equal(classOf(" why Bpe"), "st-key-why-Bpe");
  const rule = ruleOf("text", { top: 0, height: 900 }, 1.8);
  assert.match(rule, /\.st-key-text\.st-key-text /);
  assert.match(rule, /height: 500\.00px/);
  assert.ok(markRoom(1920, 1080) > 1.4 * 22 && markRoom(9999, 9999) < 90); // beside text, at any size
  assert.match(hidingRule(["text", null]), /:not\(\.page-name, \.st-key-text, \.st-key-text \*\)/);
});

test("a fresh token was the two tokens that cover its symbols, and nothing else is one", () => {
  const before = { symbols: [0, 1, 2, 3, 5, 6] };
  const now = { symbols: [0, 2, 3, 6] };
  assert.deepEqual(joinedPairs(before, now, [0, 2]), [[0, 0], [2, 3]]);
  assert.deepEqual(joinedPairs({ symbols: [0, 1, 2, 3] }, { symbols: [0, 3] }, [0]), []); // three tokens
});

test("only a single step forward after a rest is shown as a movement", () => {
  assert.ok(isSingleStep(4, 5, 500));
  assert.ok(!isSingleStep(4, 5, 200));
  assert.ok(!isSingleStep(5, 4, 500));
  assert.ok(!isSingleStep(-1, 1, 500));
});

/** A browser that enters and leaves full screen with a delay. */
class SlowBrowser {
  constructor({ refuses = false } = {}) {
    this.fullscreenElement = null;
    this.asked = [];
    const change = (element) => async () => {
      this.asked.push(element ? "fill" : "give back");
      await new Promise((done) => setTimeout(done, 5));
      if (refuses) throw new Error("not now");
      this.fullscreenElement = element;
    };
    this.documentElement = { requestFullscreen: change("page") };
    this.exitFullscreen = change(null);
    globalThis.document = this;
  }
}

test("the screen is filled and given back one after the other, and ends as it was wanted last", async () => {
  const browser = new SlowBrowser();
  const screen = new WholeScreen();
  const changed = screen.want(true);
  screen.want(false);
  screen.want(true);
  screen.want(false);
  assert.deepEqual(browser.asked, ["fill"]);
  await changed;
  assert.deepEqual(browser.asked, ["fill", "give back"]);
  assert.equal(browser.fullscreenElement, null);
  const again = screen.want(true);
  screen.want(false);
  screen.want(true);
  await again;
  assert.equal(browser.fullscreenElement, "page");
  assert.equal(screen.changed(), null);
});

test("a screen that is given back on its way to being filled again is not lost, one that the browser gave back is", async () => {
  const browser = new SlowBrowser();
  const screen = new WholeScreen();
  await screen.want(true);
  const changed = screen.want(false);
  screen.want(true);
  browser.fullscreenElement = null;
  assert.equal(screen.changed(), null);
  await changed;
  browser.fullscreenElement = null;
  assert.equal(screen.changed(), "user");
});

test("a window that opens may end full screen, which is no wish of the user's", async () => {
  const browser = new SlowBrowser();
  const screen = new WholeScreen();
  await screen.want(true);
  screen.yieldToWindow();
  assert.equal(screen.changed(), null);
  browser.fullscreenElement = null;
  assert.equal(screen.changed(), "window");
  assert.equal(screen.wanted, false);
});

test("a browser that does not fill the screen is asked once", async () => {
  const browser = new SlowBrowser({ refuses: true });
  const screen = new WholeScreen();
  await screen.want(true);
  assert.deepEqual(browser.asked, ["fill"]);
  assert.equal(screen.wanted, false);
  browser.documentElement = {};
  await screen.want(true);
  assert.equal(screen.wanted, false);
});
