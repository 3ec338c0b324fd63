// @ts-check
// All views by name: how each draws, the elements that it starts with, and its styles.

import { make, build, icon } from "./page/elements.js";
import { t } from "./i18n/words.js";
import SPANS from "./tokens/spans.css";
import ICON_BUTTON from "./views/icon_button.css";
import QUIET_BUTTON from "./views/quiet_button.css";
import { PictureSubject } from "./export/pictures.js";
import { StageButton } from "./presenter/stage.js";
import { Address } from "./views/address/address.js";
import { AlgorithmCards } from "./views/algorithm_cards/algorithm_cards.js";
import ALGORITHM_CARDS from "./views/algorithm_cards/algorithm_cards.css";
import { Batch } from "./views/batch/batch.js";
import BATCH from "./views/batch/batch.css";
import { Contrast } from "./views/contrast/contrast.js";
import CONTRAST from "./views/contrast/contrast.css";
import { CopyLink } from "./views/copy_link/copy_link.js";
import COPY_LINK from "./views/copy_link/copy_link.css";
import { Handout } from "./views/handout/handout.js";
import HANDOUT from "./views/handout/handout.css";
import { Interlinear } from "./views/interlinear/interlinear.js";
import INTERLINEAR from "./views/interlinear/interlinear.css";
import { Lanes } from "./views/lanes/lanes.js";
import LANES from "./views/lanes/lanes.css";
import { Lattice } from "./views/lattice/lattice.js";
import LATTICE from "./views/lattice/lattice.css";
import { LiveText } from "./views/live_text/live_text.js";
import LIVE_TEXT from "./views/live_text/live_text.css";
import { Pager } from "./views/pager/pager.js";
import PAGER from "./views/pager/pager.css";
import { Player } from "./views/player/player.js";
import PLAYER from "./views/player/player.css";
import { Plot } from "./views/plot/plot.js";
import PLOT from "./views/plot/plot.css";
import { Reason } from "./views/reason/reason.js";
import REASON from "./views/reason/reason.css";
import { Relay } from "./views/relay/relay.js";
import { ShelfView } from "./views/shelf/shelf.js";
import SHELF from "./views/shelf/shelf.css";
import { Stages } from "./views/stages/stages.js";
import STAGES from "./views/stages/stages.css";
import { Steps } from "./views/steps/steps.js";
import STEPS from "./views/steps/steps.css";
import { Story } from "./views/story/story.js";
import STORY from "./views/story/story.css";
import { TextMarks } from "./views/text_marks/text_marks.js";
import TEXT_MARKS from "./views/text_marks/text_marks.css";
import { TokenFlow } from "./views/token_flow/token_flow.js";
import TOKEN_FLOW from "./views/token_flow/token_flow.css";
import { TokenTable } from "./views/token_table/token_table.js";
import TOKEN_TABLE from "./views/token_table/token_table.css";
import { Tree } from "./views/tree/tree.js";
import TREE from "./views/tree/tree.css";
import { Verbatim } from "./views/verbatim/verbatim.js";
import VERBATIM from "./views/verbatim/verbatim.css";
import { WordSegmentations } from "./views/word_segmentations/word_segmentations.js";
import WORD_SEGMENTATIONS from "./views/word_segmentations/word_segmentations.css";

/** @typedef {(Element | string)[]} Markup elements before the first payload */
/** @typedef {import("./bridge/view.js").View & { update: (component: Mount<any>) => void }} MountedView */
/**
 * `data`: the first payload; if it names a relay, the payload of that relay is yet to come.
 * @typedef {{ new (root: HTMLElement, data: any): MountedView, markup?: () => Markup }} ViewType
 */
/**
 * `markup`: instead of the type's; `styles`: stylesheets.
 * @typedef {{ type: ViewType, styles: string[], markup?: () => Markup }} Definition
 */

/** @type {Record<string, Definition>} */
export const VIEWS = {
  address: { type: Address, styles: [] },
  algorithm_cards: ofTokens(AlgorithmCards, ALGORITHM_CARDS),
  batch: ofTokens(Batch, BATCH),
  contrast: { type: Contrast, styles: [QUIET_BUTTON, ICON_BUTTON, CONTRAST] },
  copy_link: { type: CopyLink, styles: [QUIET_BUTTON, COPY_LINK] },
  handout: { type: Handout, styles: [QUIET_BUTTON, HANDOUT] },
  interlinear: ofTokens(Interlinear, INTERLINEAR),
  lanes: ofTokens(Lanes, LANES),
  lattice: ofTokens(Lattice, LATTICE),
  live_text: { type: LiveText, styles: [LIVE_TEXT] },
  pager: { type: Pager, styles: [PAGER] },
  pictures: { type: PictureSubject, styles: [] },
  player: { type: Player, styles: [PLAYER] },
  plot: ofTokens(Plot, PLOT),
  reason: ofTokens(Reason, REASON),
  relay: { type: Relay, styles: [] },
  shelf: { type: ShelfView, styles: [SHELF] },
  stage: { type: StageButton, styles: [QUIET_BUTTON, ICON_BUTTON] },
  stages: ofTokens(Stages, STAGES),
  steps: ofTokens(Steps, STEPS),
  story: ofTokens(Story, STORY),
  text_marks: ofTokens(TextMarks, TEXT_MARKS),
  token_flow: ofTokens(TokenFlow, TOKEN_FLOW),
  token_table: ofTokens(TokenTable, TOKEN_TABLE),
  tree: ofTokens(Tree, TREE),
  verbatim: { type: Verbatim, styles: [QUIET_BUTTON, VERBATIM] },
  word_segmentations: ofTokens(WordSegmentations, WORD_SEGMENTATIONS),
};

/**
 * A view of tokens: between captions, with the button whose menu makes a picture, and with a tooltip.
 * @param {Required<Pick<ViewType, "markup">> & ViewType} type
 * @param {string} style
 * @returns {Definition}
 */
function ofTokens(type, style) {
  return { type, markup: () => framed(type.markup()), styles: [SPANS, style] };
}

/**
 * @param {Markup} inside
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
