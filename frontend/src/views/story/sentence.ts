// First sentence about a merge, the same as in reasons.py; only the server knows the sentences after it.

import { shownNumber } from "../../page/numbers.ts";
import { chipReading } from "../../tokens/spans.ts";
import { partsOf, t, tn } from "../../i18n/words.ts";
import type { KnownMerge } from "../../bridge/current_step.ts";
import type { StoryPart, StoryBody } from "./story.ts";

/**
 * @param forced steps at which the training was forked
 * @param symbols tokens of the text before any merge
 */
export function firstSentence(
  step: number,
  { count, id, tokens, before }: KnownMerge,
  forced: number[],
  symbols: number,
): StoryPart[] {
  const saved = saving((before ?? symbols) - tokens);
  const values = { step: shownNumber(step), times: timesOf(count), saved, id: shownNumber(id) };
  return forced.includes(step)
    ? partsOf("**Merge {step}.** The pair occurred **{times}**: **{saved}**. The new token has id **{id}**.", values)
    : partsOf(
        "**Merge {step}.** The pair occurred **{times}**, the largest count of all: **{saved}**. The new token has id **{id}**.",
        values,
      );
}

/**
 * Words for the tokens saved by a merge.
 * @param made tokens saved
 */
function saving(made: number) {
  if (!made) return t("no token saved");
  return tn("\u2212{count} token", "\u2212{count} tokens", made, { count: shownNumber(made) });
}

function timesOf(count: number) {
  return count === 1 ? t("once") : count === 2 ? t("twice") : t("{count} times", { count: shownNumber(count) });
}

/** A story as plain text for screen readers. */
export function spoken({ chips, sentences }: StoryBody) {
  const said = (part: StoryPart) => {
    if (typeof part === "string") return part;
    if ("strong" in part) return part.strong;
    const [first, second] = part.chips.map(chipReading);
    return second === undefined ? first : t("{left} and {right}", { left: first, right: second });
  };
  const [left, right, made] = chips.map(chipReading);
  const merge = chips.length ? [t("{left} and {right} become {made}.", { left, right, made })] : [];
  return [...merge, ...sentences.map((sentence) => sentence.map(said).join("").trim())].join(" ");
}
