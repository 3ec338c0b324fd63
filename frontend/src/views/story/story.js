// @ts-check
// Story of a step: left + right → new in large chips, and sentences that may contain chips.

import { mergeOf, currentStep, subscribeStep } from "../../bridge/current_step.js";
import { View } from "../../bridge/view.js";
import { build, find, make, zoomOf } from "../../page/elements.js";
import { chipsRunRtl, makeChip } from "../../tokens/drawing.js";
import { t } from "../../i18n/words.js";
import { firstSentence, spoken } from "./sentence.js";

/** @typedef {string | { strong: string } | { chips: ChipWire[] }} StoryPart chips of one token or of a pair */
/** @typedef {{ chips: ChipWire[], sentences: StoryPart[][], label: string }} StoryBody */

/**
 * `of`, `step`: training and step of this story, null without a training; `forced`: steps at which the training was
 * forked; `symbols`: tokens of the text before any merge.
 * @typedef {{ rev: string, of: string | null, step: number | null, forced: number[], symbols: number }} StoryHead
 */
const SETTLED = 800; // milliseconds before an announcement: of quick successive steps only the last is announced

/**
 * Character with a name for screen readers.
 * @param {string} text
 * @param {string} name
 */
function separator(text, name) {
  const el = make("span", "op", text);
  el.setAttribute("role", "img");
  el.setAttribute("aria-label", name);
  return el;
}

/** @param {StoryPart} part */
function partOf(part) {
  if (typeof part === "string") return part;
  if ("strong" in part) return make("strong", "", part.strong);
  const group = make("span", "inline");
  if (chipsRunRtl(part.chips)) group.dir = "rtl";
  part.chips.forEach((chip, at) => {
    if (at) group.append(separator("+", t("and")));
    group.append(makeChip(chip));
  });
  return group;
}

/**
 * Shrink the type of many sentences in a narrow window, rather than hide the last line.
 * @param {HTMLElement} story
 */
function fit(story) {
  story.classList.remove("tight", "tighter");
  for (const size of ["tight", "tighter"]) {
    if (story.scrollHeight <= story.clientHeight) return;
    story.classList.add(size);
  }
}

/**
 * Height in CSS pixels before zoom.
 * @param {Element | null} el
 */
function heightOf(el) {
  return el && el.getBoundingClientRect().height / zoomOf(el);
}

/**
 * Story of a step before the server replies; null if the merge is unknown.
 * @param {StoryHead} head
 * @param {number} step
 * @param {string} label
 * @returns {StoryBody | null}
 */
function earlyStory({ of, forced, symbols }, step, label) {
  if (step === 0) return { chips: [], sentences: [[{ strong: t("Step {step}.", { step }) }]], label };
  const merge = mergeOf(of ?? "", step);
  return merge && { chips: [merge.left, merge.right, merge.made], sentences: [firstSentence(step, merge, forced, symbols)], label };
}

export class Story extends View {
  static markup() {
    return [make("div", "story"), build("p", { class: "said", role: "status" })];
  }

  /** @param {HTMLElement} root */
  constructor(root) {
    super(root);
    this.story = find(root, ".story", HTMLElement);
    this.said = find(root, ".said", HTMLElement);
    /** @type {StoryHead | null} */
    this.head = null; // of the server's last story
    /** @type {StoryBody} */
    this.body = { chips: [], sentences: [], label: "" };
    this.shown = ""; // rev of the drawn story
    /** @type {number | null} */
    this.height = null; // in pixels, of the server's last sentences; null while they are drawn
    this.announcing = 0;
    this.watcher = new ResizeObserver(() => fit(this.story)); // also called at once, before the story is painted
    this.onEnd(
      subscribeStep(() => this.tell()),
      () => clearTimeout(this.announcing),
      () => this.watcher.disconnect(),
    );
  }

  /** @param {Mount} component */
  update(component) {
    /** @type {{ head: StoryHead, body: StoryBody | null }} */
    const { head, body } = this.open(component);
    this.head = head;
    this.body = body ?? this.body;
    this.tell();
  }

  /** Draw the step that the player shows: until the server replies, the merge and its count. */
  tell() {
    const { head, body } = this;
    if (!head) return;
    const step = currentStep(head.of);
    const early = step === null || step === head.step ? null : earlyStory(head, step, body.label);
    const rev = early ? `${head.of} ${step}` : head.rev;
    if (rev === this.shown) return;
    this.shown = rev;
    this.height = early ? (this.height ?? heightOf(this.story.querySelector(".words"))) : null;
    this.draw(early ?? body);
  }

  /** @param {StoryBody} body */
  draw(body) {
    const { story } = this;
    story.setAttribute("role", "group");
    story.setAttribute("aria-label", body.label);
    const words = make("div", "words");
    if (this.height !== null) words.style.minHeight = `${this.height}px`; // so that the first sentence does not move
    for (const sentence of body.sentences) {
      const line = make("p");
      line.append(...sentence.map(partOf));
      words.append(line);
    }
    story.replaceChildren(...chipsOf(body), words);
    this.watcher.disconnect();
    this.watcher.observe(story);
    clearTimeout(this.announcing);
    this.announcing = setTimeout(() => (this.said.textContent = spoken(body)), SETTLED);
  }
}

/**
 * The merge in chips: left + right and the new token; nothing at step 0.
 * @param {StoryBody} body
 */
function chipsOf(body) {
  if (!body.chips.length) return [];
  const [left, right, made] = body.chips.map(makeChip);
  made.classList.add("fresh");
  const chips = make("div", "chips");
  const isRtl = chipsRunRtl(body.chips);
  if (isRtl) chips.dir = "rtl";
  chips.append(left, separator("+", t("and")), right, separator(isRtl ? "\u2190" : "\u2192", t("become")), made);
  return [chips];
}
