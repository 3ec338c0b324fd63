// @ts-check
// Story of a step: left + right → new in large chips, and sentences that may contain chips.

import { onNextCall } from "../../bridge/calls.js";
import { mergeOf, currentStep, subscribeStep } from "../../bridge/current_step.js";
import { build, find, make, zoomOf } from "../../page/elements.js";
import { mountDrawing } from "../../bridge/published.js";
import { chipsRunRtl, makeChip } from "../../tokens/drawing.js";
import { readPayload } from "../../bridge/payload.js";
import { t } from "../../i18n/words.js";
import { firstSentence, spoken } from "./sentence.js";

/** @typedef {string | { strong: string } | { chips: ChipWire[] }} StoryPart chips of one token or of a pair */
/** @typedef {{ chips: ChipWire[], sentences: StoryPart[][], label: string }} StoryBody */

/**
 * `of`, `step`: training and step of this story, null without a training; `forced`: steps at which the training was
 * forked; `symbols`: tokens of the text before any merge.
 * @typedef {{ rev: string, of: string | null, step: number | null, forced: number[], symbols: number }} StoryHead
 */
/**
 * `shown`: rev of the drawn story; `height`: height in pixels of the server's last sentences, null while they are
 * drawn.
 * @typedef {{ head: StoryHead, body: StoryBody, shown: string, height: number | null }} Told
 */

const SETTLED = 800; // milliseconds before an announcement: of quick successive steps only the last is announced
/** @type {WeakMap<HTMLElement, number>} */
const announcing = new WeakMap();
/** @type {WeakMap<HTMLElement, Told>} */
const toldIn = new WeakMap();
/** @type {WeakMap<HTMLElement, ResizeObserver>} */
const watchers = new WeakMap();

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

/** @param {HTMLElement} story */
function watch(story) {
  watchers.get(story)?.disconnect();
  const watcher = new ResizeObserver(() => fit(story)); // also called at once, before the story is painted
  watcher.observe(story);
  watchers.set(story, watcher);
}

/** @param {Mount} component */
function tell({ data, parentElement: root }) {
  const before = toldIn.get(root);
  /** @type {{ head: StoryHead, body: StoryBody | null }} */
  const { head, body } = readPayload(data, before?.head.rev);
  const told = body ?? before?.body;
  if (!told) return;
  toldIn.set(root, { head, body: told, shown: before?.shown ?? "", height: before?.height ?? null });
  tellNow(root);
}

/**
 * Draw the step that the player shows: until the server replies, the merge and its count.
 * @param {HTMLElement} root
 */
function tellNow(root) {
  const told = toldIn.get(root);
  if (!told) return;
  const { head, body, shown } = told;
  const step = currentStep(head.of);
  const early = step === null || step === head.step ? null : earlyStory(head, step, body.label);
  const rev = early ? `${head.of} ${step}` : head.rev;
  if (rev === shown) return;
  told.shown = rev;
  told.height = early ? (told.height ?? heightOf(root.querySelector(".words"))) : null;
  drawStory(root, early ?? body, told.height);
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

/**
 * @param {HTMLElement} root
 * @param {StoryBody} body
 * @param {number | null} height minimum for the sentences, so that the first does not move
 */
function drawStory(root, body, height) {
  const story = find(root, ".story", HTMLElement);
  story.setAttribute("role", "group");
  story.setAttribute("aria-label", body.label);
  const words = make("div", "words");
  if (height !== null) words.style.minHeight = `${height}px`;
  for (const sentence of body.sentences) {
    const line = make("p");
    line.append(...sentence.map(partOf));
    words.append(line);
  }
  const parts = [words];
  if (body.chips.length) {
    const [left, right, made] = body.chips.map(makeChip);
    made.classList.add("fresh");
    const chips = make("div", "chips");
    const isRtl = chipsRunRtl(body.chips);
    if (isRtl) chips.dir = "rtl";
    chips.append(left, separator("+", t("and")), right, separator(isRtl ? "\u2190" : "\u2192", t("become")), made);
    parts.unshift(chips);
  }
  story.replaceChildren(...parts);
  watch(story);
  clearTimeout(announcing.get(root));
  const said = find(root, ".said", HTMLElement);
  announcing.set(root, setTimeout(() => (said.textContent = spoken(body)), SETTLED));
}

/** Elements before the first data. */
export function markup() {
  return [make("div", "story"), build("p", { class: "said", role: "status" })];
}

/** @param {Mount} component */
export function draw(component) {
  const root = component.parentElement;
  onNextCall(root, mountDrawing(component, tell), subscribeStep(() => tellNow(root)));
  return () => clearTimeout(announcing.get(root));
}
