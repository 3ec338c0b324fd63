// @ts-check
// The first sentence about a merge, as reasons.py has it: what follows it, only the server knows.

import { shownNumber } from "../numbers.js";
import { chipReading } from "../tokens/spans.js";

/** @typedef {import("../following.js").KnownMerge} KnownMerge */
/** @typedef {import("./story.js").StoryPart} StoryPart */

/**
 * @param {number} step
 * @param {KnownMerge} merge
 * @param {number[]} forced steps whose merges were not the largest
 * @param {number} symbols tokens of the text before any merge
 * @returns {StoryPart[]}
 */
export function firstSentence(step, { count, id, tokens, before }, forced, symbols) {
  const most = forced.includes(step) ? "" : ", the largest count of all";
  return [
    { strong: `Merge ${shownNumber(step)}. ` },
    "The pair occurred ",
    { strong: timesOf(count) },
    `${most}: `,
    { strong: saving((before ?? symbols) - tokens) },
    ". The new token has id ",
    { strong: shownNumber(id) },
    ".",
  ];
}

/**
 * What a merge that made so many tokens saved.
 * @param {number} made
 */
function saving(made) {
  return made ? `\u2212${shownNumber(made)} ${made === 1 ? "token" : "tokens"}` : "no token saved";
}

/** @param {number} count */
function timesOf(count) {
  return count === 1 ? "once" : count === 2 ? "twice" : `${shownNumber(count)} times`;
}

/**
 * A story in words alone, as a screen reader says it.
 * @param {import("./story.js").StoryBody} body
 */
export function spoken({ chips, sentences }) {
  const said = (/** @type {StoryPart} */ part) => {
    if (typeof part === "string") return part;
    return "strong" in part ? part.strong : part.chips.map(chipReading).join(" and ");
  };
  const [left, right, made] = chips.map(chipReading);
  const merge = chips.length ? [`${left} and ${right} become ${made}.`] : [];
  return [...merge, ...sentences.map((sentence) => sentence.map(said).join("").trim())].join(" ");
}
