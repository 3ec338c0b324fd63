// The views that a recorded page has.

import { framed, type Markup } from "../tokens/framed.ts";
import SPANS from "../tokens/spans.css";

import { AlgorithmCards } from "../views/algorithm_cards/algorithm_cards.ts";
import ALGORITHM_CARDS from "../views/algorithm_cards/algorithm_cards.css";
import { Ask } from "../views/ask/ask.ts";
import ASK from "../views/ask/ask.css";
import { Interlinear } from "../views/interlinear/interlinear.ts";
import INTERLINEAR from "../views/interlinear/interlinear.css";
import { Lattice } from "../views/lattice/lattice.ts";
import LATTICE from "../views/lattice/lattice.css";
import { Pager } from "../views/pager/pager.ts";
import PAGER from "../views/pager/pager.css";
import { Player } from "../views/player/player.ts";
import PLAYER from "../views/player/player.css";
import { Reason } from "../views/reason/reason.ts";
import REASON from "../views/reason/reason.css";
import { Steps } from "../views/steps/steps.ts";
import STEPS from "../views/steps/steps.css";
import { Story } from "../views/story/story.ts";
import STORY from "../views/story/story.css";
import { TokenFlow } from "../views/token_flow/token_flow.ts";
import TOKEN_FLOW from "../views/token_flow/token_flow.css";
import { TokenTable } from "../views/token_table/token_table.ts";
import TOKEN_TABLE from "../views/token_table/token_table.css";
import { Tree } from "../views/tree/tree.ts";
import TREE from "../views/tree/tree.css";
import { WordSegmentations } from "../views/word_segmentations/word_segmentations.ts";
import WORD_SEGMENTATIONS from "../views/word_segmentations/word_segmentations.css";
import type { Definition, Views } from "../views.ts";

export const RECORDED_VIEWS: Views = {
  algorithm_cards: ofTokens(AlgorithmCards, ALGORITHM_CARDS),
  ask: ofTokens(Ask, ASK),
  interlinear: ofTokens(Interlinear, INTERLINEAR),
  lattice: ofTokens(Lattice, LATTICE),
  pager: { type: Pager, styles: [PAGER] },
  player: { type: Player, styles: [PLAYER] },
  reason: ofTokens(Reason, REASON),
  steps: ofTokens(Steps, STEPS),
  story: ofTokens(Story, STORY),
  token_flow: ofTokens(TokenFlow, TOKEN_FLOW),
  token_table: ofTokens(TokenTable, TOKEN_TABLE),
  tree: ofTokens(Tree, TREE),
  word_segmentations: ofTokens(WordSegmentations, WORD_SEGMENTATIONS),
};

/** A view of tokens, between captions and with a tooltip. */
function ofTokens(type: Definition["type"] & { markup: () => Markup }, style: string): Definition {
  return { type, markup: () => framed(type.markup()), styles: [SPANS, style] };
}
