// @ts-check
// The first sentence about a merge, as reasons.py has it: what follows it, only the server knows.

import { shownNumber } from "../numbers.js";

/** @typedef {import("../following.js").KnownMerge} KnownMerge */
/** @typedef {import("./story.js").StoryPart} StoryPart */

/**
 * @param {number} step
 * @param {KnownMerge} merge
 * @param {number[]} forced steps whose merges were not the largest
 * @returns {StoryPart[]}
 */
export function firstSentence(step, { count, id }, forced) {
  const most = forced.includes(step) ? "" : ", the largest count of all";
  return [
    { strong: `Merge ${shownNumber(step)}. ` },
    "The pair occurred ",
    { strong: timesOf(count) },
    `${most}. The new token has id `,
    { strong: shownNumber(id) },
    ".",
  ];
}

/** @param {number} count */
function timesOf(count) {
  return count === 1 ? "once" : count === 2 ? "twice" : `${shownNumber(count)} times`;
}
