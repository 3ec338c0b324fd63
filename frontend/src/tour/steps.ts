// Steps of the tour: what each points at, what it says, and when the visitor has done it.

import { t } from "../i18n/words.ts";

/** What the visitor has done since a step began. */
export interface Seen {
  page: string;
  /** Step of the player, and its last one; null without a player. */
  at: number | null;
  last: number | null;
  /** Step of the player when the step of the tour began. */
  from: number | null;
  /** Whether a token in the card that is pointed at was clicked. */
  clicked: boolean;
}

export interface TourStep {
  /** Page on which it is done. */
  page: "train" | "compare";
  /** Selector of the element to point at. */
  at: string;
  says: () => string;
  /** Whether it is done; without it, only the button goes on. */
  done?: (seen: Seen) => boolean;
}

/** The first points at the first screen. The last is its end, and does not count. */
export const STEPS: TourStep[] = [
  {
    page: "train",
    at: ".st-key-welcome",
    says: () => t("Type your name: a language model gets it as these tokens. This page shows how they are learned."),
  },
  {
    page: "train",
    at: ".st-key-strip",
    says: () => t("A tokenizer learns its tokens from a text. Keep this sample, or paste a text of your own."),
  },
  {
    page: "train",
    at: ".st-key-player",
    says: () => t("Press Next, or the → key: the most frequent pair of neighbours becomes one token."),
    done: ({ at, from }) => at !== null && at > (from ?? 0),
  },
  {
    page: "train",
    at: ".st-key-story",
    says: () => t("Why this pair? Here is how often it occurred and, if others occurred as often, the rule that decided."),
  },
  {
    page: "train",
    at: ".st-key-changes",
    says: () => t("The merge changed the counts of the pairs around it: some are new, some are gone."),
  },
  {
    page: "train",
    at: ".st-key-player",
    says: () => t("Drag the slider to its end: merge by merge, letters grow into whole words."),
    done: ({ at, last }) => at !== null && at === last,
  },
  {
    page: "train",
    at: 'a[href$="/compare"], a[href*="/compare?"]',
    says: () => t("Now open Compare: a text in the tokens of your tokenizer, of GPT-2 and of its successors."),
    done: ({ page }) => page === "compare",
  },
  {
    page: "compare",
    at: ".st-key-lines",
    says: () => t("Every line, as each tokenizer cuts it. Click a token: below its line it says why they differ there."),
    done: ({ clicked }) => clicked,
  },
  {
    page: "compare",
    at: ".st-key-tour",
    says: () => t("That was the tour. This button begins it again; Lessons ask the questions that come next."),
  },
];
