// @ts-check
// First sentence about a merge, the same as in reasons.py; only the server knows the sentences after it.

import { shownNumber } from "../../page/numbers.js";
import { chipReading } from "../../tokens/spans.js";
import { partsOf, t, tn } from "../../i18n/words.js";

/** @typedef {import("../../bridge/current_step.js").KnownMerge} KnownMerge */
/** @typedef {import("./story.js").StoryPart} StoryPart */

/**
 * @param {number} step
 * @param {KnownMerge} merge
 * @param {number[]} forced steps at which the training was forked
 * @param {number} symbols tokens of the text before any merge
 * @returns {StoryPart[]}
 */
export function firstSentence(step, { count, id, tokens, before }, forced, symbols) {
  const saved = saving((before ?? symbols) - tokens);
  const values = { step: shownNumber(step), times: timesOf(count), saved, id: shownNumber(id) };
  return forced.includes(step)
    ? partsOf("**Merge {step}.** The pair occurred **{times}**: **{saved}**. The new token has id **{id}**.", values)
    : partsOf("**Merge {step}.** The pair occurred **{times}**, the largest count of all: **{saved}**. The new token has id **{id}**.", values);
}

/**
 * Words for the tokens saved by a merge.
 * @param {number} made tokens saved
 */
function saving(made) {
  if (!made) return t("no token saved");
  return tn("\u2212{count} token", "\u2212{count} tokens", made, { count: shownNumber(made) });
}

/** @param {number} count */
function timesOf(count) {
  return count === 1 ? t("once") : count === 2 ? t("twice") : t("{count} times", { count: shownNumber(count) });
}

/**
 * A story as plain text for screen readers.
 * @param {import("./story.js").StoryBody} body
 */
export function spoken({ chips, sentences }) {
  const said = (/** @type {StoryPart} */ part) => {
    if (typeof part === "string") return part;
    if ("strong" in part) return part.strong;
    const [first, second] = part.chips.map(chipReading);
    return second === undefined ? first : t("{left} and {right}", { left: first, right: second });
  };
  const [left, right, made] = chips.map(chipReading);
  const merge = chips.length ? [t("{left} and {right} become {made}.", { left, right, made })] : [];
  return [...merge, ...sentences.map((sentence) => sentence.map(said).join("").trim())].join(" ");
}
