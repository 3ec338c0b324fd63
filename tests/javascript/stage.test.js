// Computations of the stage.

import assert from "node:assert/strict";
import { test } from "node:test";

import { actOf, cardToShow, classOf, hidingRule, ruleOf, zoomsOf } from "../../frontend/src/presenter/acts.ts";
import { WholeScreen } from "../../frontend/src/presenter/screen.ts";
import { isSingleStep, joinedPairs } from "../../frontend/src/views/token_flow/joining.ts";

const press = (key, has = {}, shiftKey = false) => actOf({ key, shiftKey }, { steps: false, lesson: false, ...has });

test("digits choose cards, B and a remote's full stop black, and letters count in both cases", () => {
  assert.deepEqual(press("1"), { act: "card", at: 0 });
  assert.deepEqual(press("9"), { act: "card", at: 8 });
  assert.equal(press("0"), null);
  for (const key of ["b", "B", "."]) assert.deepEqual(press(key), { act: "black" });
  assert.deepEqual(press("Escape"), { act: "leave" });
});

test("arrows and the space bar are the player's", () => {
  for (const key of ["ArrowLeft", "ArrowRight", " ", "Home", "End"]) assert.equal(press(key, { steps: true }), null);
});

test("a remote steps the player where there is one, else lessons, else it scrolls", () => {
  assert.equal(press("PageDown", { steps: true, lesson: true }), null);
  assert.deepEqual(press("PageDown", { lesson: true }), { act: "turn", way: 1 });
  assert.deepEqual(press("PageUp", { lesson: true }), { act: "turn", way: -1 });
  assert.equal(press("PageDown")?.act, "scroll");
});

test("lessons have keys only where there is one", () => {
  assert.deepEqual(press("ArrowRight", { steps: true, lesson: true }, true), { act: "lesson", way: 1 });
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
  assert.equal(screen.isLost, false);
});

test("a screen that is given back on its way to being filled again is not lost, one that the browser gave back is", async () => {
  const browser = new SlowBrowser();
  const screen = new WholeScreen();
  await screen.want(true);
  const changed = screen.want(false);
  screen.want(true);
  browser.fullscreenElement = null;
  assert.equal(screen.isLost, false);
  await changed;
  browser.fullscreenElement = null;
  assert.equal(screen.isLost, true);
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
