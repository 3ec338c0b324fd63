// Player. Shows a step at once, together with the views that can draw a step themselves, and requests it from the page.
// Only one move is in flight at a time; of those made in the meantime, only the newest is sent. During playback a timer
// requests the next step; if no view can draw it, only after the last one is drawn.

import { View, views } from "../../bridge/view.ts";
import { publishStep } from "../../bridge/current_step.ts";
import { takePendingSeek, onSeek } from "../../bridge/seek.ts";
import { takeEarlyKeys, handlePageKeys } from "../../page/keys.ts";
import { shownNumber } from "../../page/numbers.ts";
import { build, find, icon, make, makeSvg } from "../../page/elements.ts";
import { t } from "../../i18n/words.ts";
import { Moves, sliderShare, stepsOfKey, waitFor, waitToAsk, wordsFor, type Move } from "./moves.ts";
import type { Answer } from "../../bridge/outbox.ts";

interface PlayerData {
  step: number;
  last: number;
  playing: boolean;
  speed: number;
  speeds: number[];
  /** Whether the class guesses; null for a player without that switch. */
  predicting: boolean | null;
  unit: "merge" | "step";
  /** Name of a training whose steps views draw themselves; null without such views. */
  followed: string | null;
  name: string;
  /** Acknowledgement of the player's actions, ahead of all others. */
  done: Answer;
}

const HELD_AFTER = 400; // milliseconds after which a held button repeats
const REPEATED_EVERY = 50;

export class Player extends View<PlayerData> {
  private readonly bar: HTMLElement;
  private readonly first: HTMLButtonElement;
  private readonly back: HTMLButtonElement;
  private readonly next: HTMLButtonElement;
  private readonly toEnd: HTMLButtonElement;
  private readonly play: HTMLButtonElement;
  private readonly playText: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly field: HTMLInputElement;
  private readonly of: HTMLElement;
  private readonly speedChoice: HTMLSelectElement;
  private readonly predictLabel: HTMLElement;
  private readonly predict: HTMLInputElement;
  private readonly unitName: HTMLElement;
  private early = true; // keys pressed before the player was mounted are still queued
  private readonly moves = new Moves();
  private playing = false;
  private typing = false; // in the field
  private timer = 0;
  private frame = 0; // in which playback draws its step
  private lastMove = -Infinity;
  private lastAsk = -Infinity;
  private asking = 0; // timer of a delayed request to the page
  private speed = 1;
  private followed: string | null = null;

  static markup() {
    return [
      build(
        "div",
        { class: "player", role: "group", "aria-label": t("Player") },
        build(
          "div",
          { class: "buttons" },
          playerButton("first", t("First"), icon(16, "M4 3v10M12 3 7 8l5 5"), t("To the start (Home key)")),
          playerButton("back", t("Back"), icon(16, "M10 3 5 8l5 5")),
          playerButton("next", t("Next"), icon(16, "m6 3 5 5-5 5")),
          playerButton("last", t("Last"), icon(16, "M12 3v10M4 3l5 5-5 5"), t("To the end (End key)")),
          playerButton(
            "play",
            "",
            icon(
              16,
              makeSvg("path", { class: "filled when-paused", d: "M4.5 2.8v10.4L13 8z" }),
              makeSvg("path", { class: "when-playing", d: "M5.5 3v10M10.5 3v10" }),
            ),
          ),
          build("select", { "aria-label": t("Speed") }),
        ),
        build("input", { class: "slider", type: "range", min: "0", step: "1", "aria-label": t("Merges applied") }),
        build(
          "label",
          { class: "field" },
          make("span", "unit"),
          build("input", { type: "number", min: "0", step: "1", "aria-label": t("Go to merge") }),
          make("span", "of"),
        ),
        build(
          "label",
          { class: "predict", title: t("Hides the next merge everywhere: the class guesses it, then you reveal it.") },
          build("input", { type: "checkbox", role: "switch" }),
          build("span", { class: "knob", "aria-hidden": "true" }),
          t("Predict"),
        ),
      ),
    ];
  }

  constructor(root: HTMLElement) {
    super(root);
    this.bar = find(root, ".player", HTMLElement);
    const button = (name: string) => find(this.bar, `button[data-do=${name}]`, HTMLButtonElement);
    this.first = button("first");
    this.back = button("back");
    this.next = button("next");
    this.toEnd = button("last");
    this.play = button("play");
    this.playText = find(this.play, "span", HTMLElement);
    this.slider = find(this.bar, ".slider", HTMLInputElement);
    this.field = find(this.bar, ".field input", HTMLInputElement);
    this.of = find(this.bar, ".of", HTMLElement);
    this.speedChoice = find(this.bar, "select", HTMLSelectElement);
    this.predictLabel = find(this.bar, ".predict", HTMLElement);
    this.predict = find(this.predictLabel, "input", HTMLInputElement);
    this.unitName = find(this.bar, ".unit", HTMLElement);
    this.onEnd(
      handlePageKeys((key, repeat) => this.key(key, repeat)),
      onSeek((step) => this.go(step)),
    );
    this.listen();
  }

  private listen() {
    const { moves } = this;
    this.first.onclick = () => this.go(0);
    this.whileHeld(this.back, -1);
    this.whileHeld(this.next, 1);
    this.toEnd.onclick = () => this.go(moves.last);
    this.play.onclick = () => this.playOrPause();
    this.slider.oninput = () => this.go(Number(this.slider.value));
    this.field.oninput = () => {
      this.typing = true;
    };
    this.field.onchange = this.field.onblur = () => this.goToTyped();
    this.field.onkeydown = (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      this.goToTyped();
      this.field.blur(); // returns the keys to the page
    };
    this.speedChoice.onchange = () => {
      this.newest("speed", Number(this.speedChoice.value));
      this.speedChoice.blur();
    };
    this.predict.onchange = () => this.newest("predict", this.predict.checked);
  }

  /** Move by a step per click, and repeatedly while the button is held, like a key. */
  private whileHeld(button: HTMLButtonElement, steps: number) {
    let timer = 0;
    let frame = 0; // each step is drawn before the next
    let repeated = false;
    const again = () => {
      if (button.disabled) return;
      repeated = true;
      if (this.followed || !this.outbox?.waits("move")) this.go(this.moves.shown + steps);
      frame = requestAnimationFrame(() => {
        timer = setTimeout(again, REPEATED_EVERY);
      });
    };
    const release = () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
    button.onpointerdown = (event) => {
      repeated = false;
      release();
      // A busy page runs the timer before a release that has already happened; both precede the frame.
      if (event.button === 0) timer = setTimeout(() => (frame = requestAnimationFrame(again)), HELD_AFTER);
    };
    this.onEnd(release);
    button.onpointerup = button.onpointerleave = button.onpointercancel = button.oncontextmenu = release;
    button.onclick = ({ detail }) => {
      release();
      if (!repeated || !detail) this.go(this.moves.shown + steps); // clicks without a pointer are never held
    };
  }

  /** Go to the step typed into the field. */
  private goToTyped() {
    if (!this.typing) return;
    this.typing = false;
    const target = this.field.valueAsNumber;
    if (Number.isFinite(target)) this.go(Math.trunc(target));
    this.show();
  }

  private newest(name: string, value: unknown) {
    this.outbox?.act(name, value, { replaces: true });
  }

  private playOrPause() {
    this.playing = !this.playing; // until the page replies: a second press means the opposite
    this.stopClock();
    clearTimeout(this.asking); // an older move: sent after this, it would end the playback
    this.newest("play", this.playing);
  }

  update(component: Mount<PlayerData>) {
    const { data } = component;
    const { step, last, playing, speed, predicting } = data;
    const outbox = this.mountOutbox(data.name, component);
    outbox.answered(data.done);
    if (!outbox.waits("play")) this.playing = playing;
    if (!this.playing && !playing) this.endClock(data.done);
    const move = outbox.ahead("move", data.done) as Move | undefined;
    this.moves.seen(step, last, move?.[0]);
    this.followed = data.followed;
    this.speed = speed;
    publishStep(this.followed, this.moves.shown);
    this.slider.max = this.field.max = String(last);
    this.of.textContent = t("of {last}", { last: shownNumber(last) });
    this.bar.classList.toggle("playing", playing);
    this.playText.textContent = playing ? t("Pause") : t("Play");
    this.play.disabled = Boolean(predicting);
    this.predict.checked = Boolean(predicting);
    this.predictLabel.hidden = predicting === null;
    this.name(data.unit);
    this.showSpeeds(data.speeds, speed);
    this.show();
    const target = takePendingSeek();
    if (target !== undefined) this.go(target);
    if (this.early) takeEarlyKeys((key, repeat) => this.key(key, repeat));
    this.early = false;
    this.stopClock();
    if (this.playing && playing && !(move && !move[1])) this.tick();
  }

  /** Advance playback by a step; if views follow, continue with the next as soon as each is drawn. */
  private tick() {
    const at = this.followed ? this.moves.shown : this.moves.step;
    if (at >= this.moves.last) return;
    this.timer = setTimeout(
      () => {
        this.go(at + 1, true);
        if (this.followed) this.frame = requestAnimationFrame(() => this.tick());
      },
      waitFor(this.lastMove, this.speed, performance.now()),
    );
  }

  private stopClock() {
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frame);
  }

  /** Playback stopped: discard steps the timer has requested since. */
  private endClock(done: Answer) {
    const move = this.outbox?.newest("move") as Move | undefined;
    if (!move?.[1] || this.outbox?.isOld(done)) return;
    clearTimeout(this.asking);
    this.outbox?.forget("move");
  }

  private name(unit: "merge" | "step") {
    const words = wordsFor(unit);
    this.unitName.textContent = words.unit;
    this.back.title = words.back;
    this.next.title = words.next;
    this.speedChoice.title = words.speed;
    this.slider.setAttribute("aria-label", words.slider);
    this.field.setAttribute("aria-label", words.field);
  }

  private showSpeeds(speeds: number[], speed: number) {
    if (this.speedChoice.options.length !== speeds.length) {
      this.speedChoice.replaceChildren(
        ...speeds.map((each) => new Option(t("{speed} / s", { speed: each }), String(each))),
      );
    }
    this.speedChoice.value = String(speed);
  }

  /** Update the player's controls, ahead of the page. */
  private show() {
    const { shown, last } = this.moves;
    this.slider.value = String(shown);
    if (!this.typing) this.field.value = String(shown); // not during typing
    this.slider.style.setProperty("--at", sliderShare(shown, last) + "%");
    this.first.disabled = this.back.disabled = shown <= 0;
    this.next.disabled = this.toEnd.disabled = shown >= last;
  }

  private go(target: number, byClock = false) {
    if (byClock && !this.followed && this.outbox?.waits("move")) return;
    const step = this.moves.ask(target);
    this.show();
    if (step === null) return;
    if (!byClock) this.stopClock(); // a manual move stops playback
    publishStep(this.followed, step);
    const now = performance.now();
    const wait = this.followed ? waitToAsk(this.lastMove, this.lastAsk, now, byClock) : 0;
    this.lastMove = now;
    clearTimeout(this.asking);
    if (!wait) {
      this.ask([step, byClock]);
      return;
    }
    this.outbox?.note("move", [step, byClock]);
    this.asking = setTimeout(() => this.ask([step, byClock]), wait);
  }

  /** Request a step from the page. */
  private ask(move: Move) {
    this.lastAsk = performance.now();
    this.outbox?.act("move", move, { replaces: true, paced: true });
  }

  /** @returns whether the player handles this key */
  private key(key: string, repeat: boolean): boolean {
    if (key === " ") {
      if (!repeat && !this.play.disabled) this.playOrPause();
      return true;
    }
    const steps = stepsOfKey(key);
    if (steps === undefined) return false;
    const isAhead = repeat && !this.followed && this.outbox?.waits("move"); // held down: as fast as drawn
    if (!isAhead) this.go(this.moves.shown + steps);
    return true;
  }

  override end() {
    super.end();
    this.stopClock();
    clearTimeout(this.asking);
    if (![...views].some((view) => view instanceof Player)) publishStep(null, null); // Streamlit may mount the next one first
  }
}

function playerButton(name: string, text: string, sign: SVGElement, title?: string) {
  const attributes = {
    type: "button",
    "data-do": name,
    ...(title && { title }),
    ...(name === "next" && { class: "primary" }),
  };
  return build("button", attributes, sign, make("span", "", text));
}
