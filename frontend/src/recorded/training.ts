// The page of a training: player, story, changes, text, candidates, token and merge table.

import { t } from "../i18n/words.ts";
import { build } from "../page/elements.ts";
import { Course } from "./course.ts";
import { curvesCard } from "./curves.ts";
import { whenRedrawn } from "./kept.ts";
import { card, row } from "./layout.ts";
import { Place } from "./place.ts";
import type { Training } from "./recording.ts";
import { SearchedTable } from "./searched_table.ts";
import { TokenCard } from "./token_card.ts";
import { tell, whenTold } from "./wire.ts";

const MERGES = "merge table"; // the other keys are those that Python records: bpe_core/bpe/page_views.py

export function trainingCards(recording: Training): HTMLElement[] {
  const course = new Course(recording);
  const candidates = card("candidates", new Place("token_table", "candidates table").follow().host);
  const token = new TokenCard(recording.tokens, "story", candidates);
  const text = new Place("token_flow", "text view", { picked: (id) => token.open(id) }).follow();
  return [
    build("div", { class: "player-bar" }, course.host),
    row(
      card("story", new Place("story", "story").follow().host),
      card("changes", new Place("token_table", "changes table").follow().host),
    ),
    row(card("text", text.host), candidates, token.card),
    merges(recording),
    ...(recording.curves ? [curvesCard(recording, recording.curves)] : []),
  ];
}

/** The table of merges with its search. */
function merges({ fixed: { [MERGES]: frame }, steps }: Training) {
  const table = new SearchedTable("merges", MERGES, t("Find a token by text or hex bytes"), "New token", frame);
  whenRedrawn(
    whenTold(({ last = 0, fixed }) => {
      if (last >= steps.length) tell({ want: "merges", of: last });
      if (fixed) table.show(fixed[MERGES]);
    }),
  );
  return table.card;
}
