// @ts-check
// Bars of pair counts. A step updates the bars in place, so a press means the pair shown at that moment.

import { View } from "../../bridge/view.js";
import { endOfAxis, nameValues } from "../../page/axis.js";
import { clamp, shownNumber } from "../../page/numbers.js";
import { build, find, make, pointAt } from "../../page/elements.js";
import { Tooltip, makeChip, showCaptions } from "../../tokens/drawing.js";
import { barAt, meaningOf, numberedPlaces, spokenPair } from "./words.js";

/** @typedef {import("../../bridge/outbox.js").Outbox} Outbox */
/** @typedef {import("./words.js").PairsBody} PairsBody */
/** @typedef {CaptionsHead & { rev: string, name: string, label: string, height: number }} PairsHead */
/** @typedef {[step: number, left: number, right: number]} Choice */

const COUNTS_NAMED = 4;
export class PairCounts extends View {
  static markup() {
    return [
      build("div", { class: "chart" },
        make("div", "values"),
        build("div", { class: "plot" }, make("div", "grid"), build("div", { class: "bars", role: "listbox", tabindex: "0" })),
        make("div", "places"),
      ),
    ];
  }

  /** @param {HTMLElement} root */
  constructor(root) {
    super(root);
    const part = (/** @type {string} */ name) => find(root, name, HTMLElement);
    this.chart = part(".chart");
    this.countNames = part(".values");
    this.grid = part(".grid");
    this.bars = part(".bars");
    this.placeNames = part(".places");
    this.tip = new Tooltip(part(".tip"));
    /** @type {PairsBody} */
    this.body = { step: 0, places: 1, pairs: [], counts: [], tones: [] };
    /** @type {HTMLElement[]} */
    this.options = [];
    /** @type {{ at: number | null, choice: Choice | null } | null} */
    this.pressed = null; // bar below the pointer at the press, and its meaning
    this.at = 0;
    this.listen();
  }

  /** @param {Mount} component */
  update(component) {
    /** @type {{ head: PairsHead, body: PairsBody | null }} */
    const { head, body } = this.open(component);
    showCaptions(this.root, head);
    this.bars.setAttribute("aria-label", head.label);
    this.chart.style.height = head.height + "px";
    if (body) this.draw(body);
  }

  /** @param {PairsBody} body */
  draw(body) {
    this.body = body;
    const { counts, tones, places } = body;
    const most = Math.max(1, ...counts);
    this.chart.style.setProperty("--places", String(places));
    while (this.options.length < counts.length) {
      const option = make("div", "bar");
      option.setAttribute("role", "option");
      option.append(make("i"));
      this.options.push(option);
    }
    this.options.length = counts.length;
    counts.forEach((count, at) => {
      const option = this.options[at];
      option.style.setProperty("--share", String(count / endOfAxis(most)));
      option.dataset.tone = tones[at];
      option.setAttribute("aria-label", spokenPair(body, at));
    });
    if (this.bars.childElementCount !== counts.length) this.bars.replaceChildren(...this.options);
    this.nameAxes(most);
    if (this.tip.open) this.moveTo(this.at);
  }

  /** @param {number} most */
  nameAxes(most) {
    const { places } = this.body;
    const numbers = numberedPlaces(places).map((place) => {
      const number = make("span", "", place);
      number.style.left = (100 * (place - 0.5)) / places + "%";
      return number;
    });
    nameValues(this.countNames, this.grid, most, COUNTS_NAMED, true);
    this.placeNames.replaceChildren(...numbers);
  }

  listen() {
    const { bars } = this;
    bars.onpointermove = (event) => this.moveTo(this.barBelow(event));
    bars.onpointerleave = () => this.moveTo(null);
    bars.onpointerdown = (event) => {
      const at = this.barBelow(event);
      this.pressed = { at, choice: this.choice(at) };
    };
    bars.onclick = (event) => this.release(this.barBelow(event));
    bars.onfocus = () => {
      if (bars.matches(":focus-visible")) this.moveTo(this.at);
      else bars.blur(); // a click leaves the keys to the page
    };
    bars.onblur = () => this.moveTo(null);
    bars.onkeydown = (event) => this.key(event);
  }

  /** @param {MouseEvent} event */
  barBelow(event) {
    const { left, width } = this.bars.getBoundingClientRect();
    return barAt((event.clientX - left) / width, this.body);
  }

  /**
   * Finish a click: it counts if released on the bar where it began.
   * @param {number | null} at
   */
  release(at) {
    const { pressed } = this;
    this.pressed = null;
    if (!pressed || pressed.at === at) this.pick(pressed ? pressed.choice : this.choice(at));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: Infinity }[event.key];
    if (to !== undefined) this.moveTo(to);
    else if (event.key === "Enter" || event.key === " ") this.pick(this.choice(this.at));
    else if (event.key === "Escape") this.tip.hide();
    else return;
    event.preventDefault();
  }

  /**
   * Message for choosing a bar, independent of what the page shows when it arrives.
   * @param {number | null} at
   * @returns {Choice | null}
   */
  choice(at) {
    const { step, pairs } = this.body;
    return at === null || !pairs[at] ? null : [step, pairs[at][0][0], pairs[at][1][0]];
  }

  /** @param {Choice | null} choice */
  pick(choice) {
    if (choice) this.outbox?.act("picked", choice);
  }

  /** @param {number | null} target */
  moveTo(target) {
    const at = target === null ? null : clamp(target, 0, this.options.length - 1);
    const option = at === null ? null : this.options[at];
    if (at === null || !option) {
      pointAt(this.bars, null);
      this.tip.hide();
      return;
    }
    this.at = at;
    pointAt(this.bars, option, spokenPair(this.body, at));
    this.tip.say(option.firstElementChild?.getBoundingClientRect() ?? option.getBoundingClientRect(), this.words(at));
  }

  /** @param {number} at */
  words(at) {
    const { pairs, counts, tones } = this.body;
    const words = make("div", "pair");
    const [left, right] = pairs[at].map(makeChip);
    words.append(left, make("span", "plus", "+"), right, make("b", "", shownNumber(counts[at])));
    if (tones[at]) words.append(make("span", "meaning", meaningOf(tones[at])));
    return words;
  }
}
