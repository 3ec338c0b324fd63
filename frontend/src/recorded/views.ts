// The views that a recorded page has.

import { framed } from "../tokens/framed.ts";
import SPANS from "../tokens/spans.css";

import { Player } from "../views/player/player.ts";
import PLAYER from "../views/player/player.css";
import { Story } from "../views/story/story.ts";
import STORY from "../views/story/story.css";
import { TokenFlow } from "../views/token_flow/token_flow.ts";
import TOKEN_FLOW from "../views/token_flow/token_flow.css";
import { TokenTable } from "../views/token_table/token_table.ts";
import TOKEN_TABLE from "../views/token_table/token_table.css";
import { Tree } from "../views/tree/tree.ts";
import TREE from "../views/tree/tree.css";
import type { Views } from "../views.ts";

export const RECORDED_VIEWS: Views = {
  player: { type: Player, styles: [PLAYER] },
  story: { type: Story, markup: () => framed(Story.markup()), styles: [SPANS, STORY] },
  token_flow: { type: TokenFlow, markup: () => framed(TokenFlow.markup()), styles: [SPANS, TOKEN_FLOW] },
  token_table: { type: TokenTable, markup: () => framed(TokenTable.markup()), styles: [SPANS, TOKEN_TABLE] },
  tree: { type: Tree, markup: () => framed(Tree.markup()), styles: [SPANS, TREE] },
};
