// @ts-check
// The story of a step: left + right → new in large chips, and sentences that may hold chips.

import { find, make } from "../page.js";
import { drawn } from "../relayed.js";
import { makeChip } from "../tokens/drawing.js";
import { readPayload } from "../tokens/payload.js";

/** @typedef {string | { strong: string } | { chips: ChipWire[] }} StoryPart chips of one token, or of a pair */
/** @typedef {{ chips: ChipWire[], sentences: StoryPart[][], label: string }} StoryBody */

/** @type {WeakMap<HTMLElement, string>} */
const shownRevs = new WeakMap();
/** @type {WeakMap<HTMLElement, ResizeObserver>} */
const watchers = new WeakMap();

/**
 * A character with a name for screen readers.
 * @param {string} text
 * @param {string} spoken
 */
function separator(text, spoken) {
  const el = make("span", "op", text);
  el.setAttribute("role", "img");
  el.setAttribute("aria-label", spoken);
  return el;
}

/** @param {StoryPart} part */
function partOf(part) {
  if (typeof part === "string") return part;
  if ("strong" in part) return make("strong", "", part.strong);
  const group = make("span", "inline");
  part.chips.forEach((chip, at) => {
    if (at) group.append(separator("+", "and"));
    group.append(makeChip(chip));
  });
  return group;
}

/**
 * Many sentences in a narrow window: smaller type rather than a last line that nobody sees.
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
  const watcher = new ResizeObserver(() => fit(story)); // it calls at once as well, before the story is painted
  watcher.observe(story);
  watchers.set(story, watcher);
}

/** @param {Mount} component */
function tell({ data, parentElement: root }) {
  /** @type {{ head: { rev: string }, body: StoryBody | null }} */
  const { head, body } = readPayload(data, shownRevs.get(root));
  if (!body) return;
  shownRevs.set(root, head.rev);
  const story = find(root, ".story", HTMLElement);
  story.setAttribute("role", "group");
  story.setAttribute("aria-label", body.label);
  const words = make("div", "words");
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
    chips.append(left, separator("+", "and"), right, separator("\u2192", "become"), made);
    parts.unshift(chips);
  }
  story.replaceChildren(...parts);
  watch(story);
}

/** @param {Mount} component */
export default function (component) {
  return drawn(component, tell);
}
