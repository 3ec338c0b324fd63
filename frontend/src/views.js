// @ts-check
// All views by name: how each draws, the elements that it starts with, and its styles.

import { make, build, icon } from "./page/elements.js";
import { t } from "./i18n/words.js";
import SPANS from "./tokens/spans.css";
import ICON_BUTTON from "./views/icon_button.css";
import QUIET_BUTTON from "./views/quiet_button.css";
import * as pictures from "./export/pictures.js";
import * as stage from "./presenter/stage.js";
import * as address from "./views/address/address.js";
import * as algorithmCards from "./views/algorithm_cards/algorithm_cards.js";
import ALGORITHM_CARDS from "./views/algorithm_cards/algorithm_cards.css";
import * as batch from "./views/batch/batch.js";
import BATCH from "./views/batch/batch.css";
import * as contrast from "./views/contrast/contrast.js";
import CONTRAST from "./views/contrast/contrast.css";
import * as copyLink from "./views/copy_link/copy_link.js";
import COPY_LINK from "./views/copy_link/copy_link.css";
import * as handout from "./views/handout/handout.js";
import HANDOUT from "./views/handout/handout.css";
import * as interlinear from "./views/interlinear/interlinear.js";
import INTERLINEAR from "./views/interlinear/interlinear.css";
import * as lanes from "./views/lanes/lanes.js";
import LANES from "./views/lanes/lanes.css";
import * as lattice from "./views/lattice/lattice.js";
import LATTICE from "./views/lattice/lattice.css";
import * as liveText from "./views/live_text/live_text.js";
import LIVE_TEXT from "./views/live_text/live_text.css";
import * as pager from "./views/pager/pager.js";
import PAGER from "./views/pager/pager.css";
import * as pairCounts from "./views/pair_counts/pair_counts.js";
import PAIR_COUNTS from "./views/pair_counts/pair_counts.css";
import * as player from "./views/player/player.js";
import PLAYER from "./views/player/player.css";
import * as plot from "./views/plot/plot.js";
import PLOT from "./views/plot/plot.css";
import * as reason from "./views/reason/reason.js";
import REASON from "./views/reason/reason.css";
import * as relay from "./views/relay/relay.js";
import * as shelf from "./views/shelf/shelf.js";
import SHELF from "./views/shelf/shelf.css";
import * as stages from "./views/stages/stages.js";
import STAGES from "./views/stages/stages.css";
import * as steps from "./views/steps/steps.js";
import STEPS from "./views/steps/steps.css";
import * as story from "./views/story/story.js";
import STORY from "./views/story/story.css";
import * as textMarks from "./views/text_marks/text_marks.js";
import TEXT_MARKS from "./views/text_marks/text_marks.css";
import * as tokenFlow from "./views/token_flow/token_flow.js";
import TOKEN_FLOW from "./views/token_flow/token_flow.css";
import * as tokenTable from "./views/token_table/token_table.js";
import TOKEN_TABLE from "./views/token_table/token_table.css";
import * as tree from "./views/tree/tree.js";
import TREE from "./views/tree/tree.css";
import * as verbatim from "./views/verbatim/verbatim.js";
import VERBATIM from "./views/verbatim/verbatim.css";
import * as wordSegmentations from "./views/word_segmentations/word_segmentations.js";
import WORD_SEGMENTATIONS from "./views/word_segmentations/word_segmentations.css";

/**
 * A view. `markup`: elements before the first data; `styles`: stylesheets. A view without them shows nothing.
 * @typedef {{ draw: (component: Mount<any>) => void | (() => void), markup?: () => Element[] }} Script
 * @typedef {Script & { styles: string[] }} View
 */

/** @type {Record<string, View>} */
export const VIEWS = {
  address: { ...address, styles: [] },
  algorithm_cards: ofTokens(algorithmCards, ALGORITHM_CARDS),
  batch: ofTokens(batch, BATCH),
  contrast: { ...contrast, styles: [QUIET_BUTTON, ICON_BUTTON, CONTRAST] },
  copy_link: { ...copyLink, styles: [QUIET_BUTTON, COPY_LINK] },
  handout: { ...handout, styles: [QUIET_BUTTON, HANDOUT] },
  interlinear: ofTokens(interlinear, INTERLINEAR),
  lanes: ofTokens(lanes, LANES),
  lattice: ofTokens(lattice, LATTICE),
  live_text: { ...liveText, styles: [LIVE_TEXT] },
  pager: { ...pager, styles: [PAGER] },
  pair_counts: ofTokens(pairCounts, PAIR_COUNTS),
  pictures: { ...pictures, styles: [] },
  player: { ...player, styles: [PLAYER] },
  plot: ofTokens(plot, PLOT),
  reason: ofTokens(reason, REASON),
  relay: { ...relay, styles: [] },
  shelf: { ...shelf, styles: [SHELF] },
  stage: { ...stage, styles: [QUIET_BUTTON, ICON_BUTTON] },
  stages: ofTokens(stages, STAGES),
  steps: ofTokens(steps, STEPS),
  story: ofTokens(story, STORY),
  text_marks: ofTokens(textMarks, TEXT_MARKS),
  token_flow: ofTokens(tokenFlow, TOKEN_FLOW),
  token_table: ofTokens(tokenTable, TOKEN_TABLE),
  tree: ofTokens(tree, TREE),
  verbatim: { ...verbatim, styles: [QUIET_BUTTON, VERBATIM] },
  word_segmentations: ofTokens(wordSegmentations, WORD_SEGMENTATIONS),
};

/**
 * A view of tokens: between captions, with the button whose menu makes a picture, and with a tooltip.
 * @param {Required<Script>} script
 * @param {string} style
 * @returns {View}
 */
function ofTokens({ draw, markup }, style) {
  return { draw, markup: () => framed(markup()), styles: [SPANS, style] };
}

/**
 * @param {Element[]} inside
 * @returns {Element[]}
 */
function framed(inside) {
  const over = build("div", { class: "over", hidden: "" }, build("b", { role: "heading", "aria-level": "2" }), make("span"));
  const under = build("p", { class: "under", hidden: "" });
  const picture = build(
    "button",
    { class: "picture", type: "button", "aria-haspopup": "menu", "aria-label": t("Picture of this view"), title: t("Picture") },
    icon(24, "M12 4v11m-4-4 4 4 4-4M5 19h14"),
  );
  const tip = build("div", { class: "tip", popover: "manual", role: "tooltip" });
  return [build("div", { class: "tv" }, over, ...inside, under, picture), tip];
}
