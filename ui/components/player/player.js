// @ts-check
// The player. It shows a step at once and asks the page for it; one move is on its way at a time, and of those that
// come meanwhile the newest is sent after it. While it plays its clock asks for the next step when the last is drawn.

import { askedBefore, whenAsked } from "../going.js";
import { shownNumber } from "../numbers.js";
import { find } from "../page.js";
import { Moves, sliderShare, stepsOfKey, waitFor, wordsFor } from "./moves.js";

/**
 * `predicting`: whether a class guesses; null for a player without that switch.
 * @typedef {{ step: number, last: number, playing: boolean, speed: number, speeds: number[],
 *   predicting: boolean | null, unit: string }} PlayerData
 */

const PATIENCE = 1500; // milliseconds after which a move that nobody answers is sent again
const IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"]';
const OWN_KEYS =
  "input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=slider], [role=listbox]," +
  " [role=grid], [role=tablist], [role=radiogroup], [role=menu], [role=dialog]";
/** @type {WeakMap<HTMLElement, Player>} */
const players = new WeakMap();

class Player {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = find(root, ".player", HTMLElement);
    const button = (/** @type {string} */ name) => find(this.root, `button[data-do=${name}]`, HTMLButtonElement);
    this.first = button("first");
    this.back = button("back");
    this.next = button("next");
    this.end = button("last");
    this.play = button("play");
    this.playText = find(this.play, "span", HTMLElement);
    this.slider = find(this.root, ".slider", HTMLInputElement);
    this.field = find(this.root, ".field input", HTMLInputElement);
    this.of = find(this.root, ".of", HTMLElement);
    this.speedChoice = find(this.root, "select", HTMLSelectElement);
    this.predictLabel = find(this.root, ".predict", HTMLElement);
    this.predict = find(this.predictLabel, "input", HTMLInputElement);
    this.unitName = find(this.root, ".unit", HTMLElement);
    /** @type {Tell} */
    this.tell = () => {};
    this.moves = new Moves();
    this.playing = false;
    this.timer = 0;
    this.again = 0;
    this.lastMove = 0;
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
    this.ignoreViews = whenAsked((step) => this.go(step));
    this.listen();
  }

  listen() {
    const { moves } = this;
    this.first.onclick = () => this.go(0);
    this.back.onclick = () => this.go(moves.shown - 1);
    this.next.onclick = () => this.go(moves.shown + 1);
    this.end.onclick = () => this.go(moves.last);
    this.play.onclick = () => this.tell("play", !this.playing);
    this.slider.oninput = () => this.go(Number(this.slider.value));
    this.field.onchange = () => {
      const target = this.field.valueAsNumber;
      if (Number.isFinite(target)) this.go(Math.trunc(target));
      this.show();
    };
    this.speedChoice.onchange = () => this.tell("speed", Number(this.speedChoice.value));
    this.predict.onchange = () => this.tell("predict", this.predict.checked);
  }

  /** @param {Mount<PlayerData>} component */
  update({ data, setTriggerValue }) {
    this.tell = setTriggerValue;
    const { step, last, playing, speed, predicting } = data;
    this.playing = playing;
    this.rest();
    const wanted = this.moves.answered(step, last);
    this.slider.max = this.field.max = String(last);
    this.of.textContent = "of " + shownNumber(last);
    this.root.classList.toggle("playing", playing);
    this.playText.textContent = playing ? "Pause" : "Play";
    this.play.disabled = Boolean(predicting);
    this.predict.checked = Boolean(predicting);
    this.predictLabel.hidden = predicting === null;
    this.name(data.unit);
    this.showSpeeds(data.speeds, speed);
    this.show();
    const target = askedBefore() ?? wanted;
    if (target !== null) this.go(target);
    clearTimeout(this.timer);
    if (!playing || step >= last) return;
    const pause = waitFor(this.lastMove, speed, performance.now());
    this.timer = setTimeout(() => this.go(this.moves.step + 1, true), pause);
  }

  /** @param {string} unit */
  name(unit) {
    const words = wordsFor(unit);
    this.unitName.textContent = words.unit;
    this.back.title = words.back;
    this.next.title = words.next;
    this.speedChoice.title = words.speed;
    this.slider.setAttribute("aria-label", words.slider);
    this.field.setAttribute("aria-label", words.field);
  }

  /**
   * @param {number[]} speeds
   * @param {number} speed
   */
  showSpeeds(speeds, speed) {
    if (this.speedChoice.options.length !== speeds.length) {
      this.speedChoice.replaceChildren(...speeds.map((each) => new Option(`${each} / s`, String(each))));
    }
    this.speedChoice.value = String(speed);
  }

  /** What the player itself says, ahead of the page. */
  show() {
    const { shown, last } = this.moves;
    this.slider.value = this.field.value = String(shown);
    this.slider.style.setProperty("--at", sliderShare(shown, last) + "%");
    this.first.disabled = this.back.disabled = shown <= 0;
    this.next.disabled = this.end.disabled = shown >= last;
  }

  /**
   * @param {number} target
   * @param {boolean} [byClock]
   */
  go(target, byClock = false) {
    if (byClock && this.moves.sent) return;
    const move = this.moves.ask(target, byClock);
    this.show();
    if (!move) return;
    this.lastMove = performance.now();
    this.send();
  }

  /** Sends the move; again after a while, since of two requests that reach Streamlit together it may drop one. */
  send() {
    this.tell("move", this.moves.sent);
    this.patience();
  }

  patience() {
    clearTimeout(this.again);
    this.again = setTimeout(() => {
      if (document.querySelector(IDLE)) this.send();
      else this.patience();
    }, PATIENCE);
  }

  /** No move is on its way any more. */
  rest() {
    clearTimeout(this.again);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const steps = stepsOfKey(event.key);
    if (steps === undefined || usesKeys(event.composedPath())) return;
    event.preventDefault();
    if (event.repeat && this.moves.sent) return; // a key held down goes as fast as the steps are drawn
    this.go(this.moves.shown + steps);
  }

  stop() {
    clearTimeout(this.timer);
    this.rest();
    this.ignoreViews();
    document.removeEventListener("keydown", this.onKey);
  }
}

/**
 * Whether the focus is in something that moves by these keys itself.
 * @param {EventTarget[]} path
 */
function usesKeys(path) {
  return path.some((el) => el instanceof Element && el.matches(OWN_KEYS));
}

/** @param {Mount<PlayerData>} component */
export default function (component) {
  const root = component.parentElement;
  const player = players.get(root) ?? new Player(root);
  players.set(root, player);
  player.update(component);
  return () => {
    player.stop();
    players.delete(root);
  };
}
