// All views by name: how each draws, the elements that it starts with, and its styles.

import { loadPart } from "./bridge/parts.ts";
import { build, icon } from "./page/elements.ts";
import { framed, type Markup } from "./tokens/framed.ts";
import { t } from "./i18n/words.ts";
import SPANS from "./tokens/spans.css";
import ICON_BUTTON from "./views/icon_button.css";
import QUIET_BUTTON from "./views/quiet_button.css";
import { whenWelcomed } from "./page/welcome.ts";
import { PictureSubject } from "./export/pictures.ts";
import { placeButton } from "./export/place.ts";
import { StageButton } from "./presenter/stage.ts";
import { Address } from "./views/address/address.ts";
import { Choice } from "./views/choice/choice.ts";
import CHOICE from "./views/choice/choice.css";
import { Contrast } from "./views/contrast/contrast.ts";
import CONTRAST from "./views/contrast/contrast.css";
import { CopyLink } from "./views/copy_link/copy_link.ts";
import COPY_LINK from "./views/copy_link/copy_link.css";
import { FollowUp } from "./views/follow_up/follow_up.ts";
import { Interlinear } from "./views/interlinear/interlinear.ts";
import INTERLINEAR from "./views/interlinear/interlinear.css";
import { LiveText } from "./views/live_text/live_text.ts";
import LIVE_TEXT from "./views/live_text/live_text.css";
import { Pager } from "./views/pager/pager.ts";
import PAGER from "./views/pager/pager.css";
import { Player } from "./views/player/player.ts";
import PLAYER from "./views/player/player.css";
import { Plot } from "./views/plot/plot.ts";
import PLOT from "./views/plot/plot.css";
import { Reason } from "./views/reason/reason.ts";
import REASON from "./views/reason/reason.css";
import { Relay } from "./views/relay/relay.ts";
import { ShelfView } from "./views/shelf/shelf.ts";
import SHELF from "./views/shelf/shelf.css";
import { Steps } from "./views/steps/steps.ts";
import STEPS from "./views/steps/steps.css";
import { Story } from "./views/story/story.ts";
import STORY from "./views/story/story.css";
import { TokenFlow } from "./views/token_flow/token_flow.ts";
import TOKEN_FLOW from "./views/token_flow/token_flow.css";
import { TokenTable } from "./views/token_table/token_table.ts";
import TOKEN_TABLE from "./views/token_table/token_table.css";
import { TourButton } from "./views/tour/tour_button.ts";
import TOUR_BUTTON from "./views/tour/tour_button.css";
import { Tree } from "./views/tree/tree.ts";
import TREE from "./views/tree/tree.css";
import { Verbatim } from "./views/verbatim/verbatim.ts";
import VERBATIM from "./views/verbatim/verbatim.css";
import { WordBreaks } from "./views/word_breaks/word_breaks.ts";
import type { View } from "./bridge/view.ts";

interface ViewType {
  /** `data`: the first payload; if it names a relay, the payload of that relay is yet to come. */
  new (root: HTMLElement, data: never): View<unknown>;
  markup?: () => Markup;
}

export interface Definition {
  type: ViewType;
  styles: string[];
  /** Instead of the type's. */
  markup?: () => Markup;
}

/** Definitions by the view's name; those of views of one page alone are loaded when first needed. */
export type Views = Record<string, Definition | (() => Promise<Definition>)>;

export const VIEWS: Views = {
  address: { type: Address, styles: [] },
  algorithm_cards: async () => (await loadPart("algorithms")).VIEWS.algorithm_cards,
  ask: async () => (await loadPart("lessons")).VIEWS.ask,
  batch: async () => (await loadPart("pipeline")).VIEWS.batch,
  choice: { type: Choice, styles: [CHOICE] },
  contrast: { type: Contrast, styles: [QUIET_BUTTON, ICON_BUTTON, CONTRAST] },
  copy_link: { type: CopyLink, styles: [QUIET_BUTTON, COPY_LINK] },
  follow_up: { type: FollowUp, styles: [] },
  handout: async () => (await loadPart("lessons")).VIEWS.handout,
  interlinear: ofTokens(Interlinear, INTERLINEAR),
  lanes: async () => (await loadPart("encode")).VIEWS.lanes,
  lattice: async () => (await loadPart("algorithms")).VIEWS.lattice,
  lesson_steps: async () => (await loadPart("lessons")).VIEWS.lesson_steps,
  live_text: { type: LiveText, styles: [LIVE_TEXT] },
  pager: { type: Pager, styles: [PAGER] },
  pictures: { type: PictureSubject, styles: [] },
  player: { type: Player, styles: [PLAYER] },
  plot: ofTokens(Plot, PLOT),
  reason: ofTokens(Reason, REASON),
  relay: { type: Relay, styles: [] },
  shelf: { type: ShelfView, styles: [SHELF] },
  stage: { type: StageButton, styles: [QUIET_BUTTON, ICON_BUTTON] },
  stages: async () => (await loadPart("pipeline")).VIEWS.stages,
  steps: ofTokens(Steps, STEPS),
  story: ofTokens(Story, STORY),
  text_marks: async () => (await loadPart("pipeline")).VIEWS.text_marks,
  token_flow: ofTokens(TokenFlow, TOKEN_FLOW),
  token_table: ofTokens(TokenTable, TOKEN_TABLE),
  step_chooser: async () => (await loadPart("tour")).VIEWS.step_chooser,
  tour: { type: TourButton, styles: [QUIET_BUTTON, ICON_BUTTON, TOUR_BUTTON] },
  tree: ofTokens(Tree, TREE),
  verbatim: { type: Verbatim, styles: [QUIET_BUTTON, VERBATIM] },
  welcome: () => whenWelcomed().then(async () => (await loadPart("tour")).VIEWS.welcome),
  word_breaks: { type: WordBreaks, styles: [] },
  word_segmentations: async () => (await loadPart("algorithms")).VIEWS.word_segmentations,
};

/** A view of tokens: between captions, with the button whose menu makes a picture, and with a tooltip. */
export function ofTokens(type: Required<Pick<ViewType, "markup">> & ViewType, style: string): Definition {
  return { type, markup: () => framed(type.markup(), pictureButton), styles: [SPANS, style] };
}

function pictureButton(view: HTMLElement) {
  const picture = build(
    "button",
    {
      class: "picture",
      type: "button",
      "aria-haspopup": "menu",
      "aria-label": t("Picture of this view"),
      title: t("Picture"),
    },
    icon(24, "M12 4v11m-4-4 4 4 4-4M5 19h14"),
  );
  placeButton(view, picture);
  return picture;
}
