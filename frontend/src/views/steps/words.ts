// Words for the steps of a word.

import { shownNumber } from "../../page/numbers.ts";
import { chipReading, type ChipWire } from "../../tokens/spans.ts";
import { t } from "../../i18n/words.ts";

type StepWire = [chips: number[], joints: (number | null)[], next: number[], fresh: number[]];

/** Chips, and rows that refer to them by index. */
export interface StepsBody {
  chips: ChipWire[];
  rows: StepWire[];
}

/**
 * Accessible description of a step.
 * @param first number of the first rank: 0 or 1
 */
export function spokenStep(steps: StepsBody, at: number, first: number) {
  const [chips, joints, next] = steps.rows[at];
  const names = chips.map((chip) => chipReading(steps.chips[chip]));
  const pair = (i: number) =>
    t("{left} and {right}, rank {rank}", { left: names[i], right: names[i + 1], rank: (joints[i] ?? 0) + first });
  const waiting = joints.flatMap((rank, i) => (rank !== null && !next.includes(i) ? [pair(i)] : []));
  const step = t("Step {number}: {tokens}.", { number: at, tokens: names.join(", ") });
  const now = next.length ? t("Merges now: {pair}.", { pair: pair(next[0]) }) : t("Done.");
  const later = waiting.length ? t("Possible later: {pairs}.", { pairs: waiting.join("; ") }) : "";
  return `${step} ${now} ${later}`;
}

/**
 * Rank of a merge, and its explanation.
 * @param isNext whether the pair merges now
 */
export function jointText(rank: number, isNext: boolean) {
  const number = shownNumber(rank);
  return {
    number,
    title: isNext
      ? t("{rank} is the lowest: merges now", { rank: number })
      : t("{rank}: possible, but not the lowest", { rank: number }),
  };
}

/**
 * Words after the last step.
 * @param at number of the last step
 */
export function endText(at: number) {
  return at ? t("Nothing left to merge: these are the tokens.") : t("Nothing to merge.");
}
