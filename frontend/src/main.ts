// The app's script, loaded before Streamlit's own: sets up the listeners of the tab, then waits for views to draw.

import { choicesInTab, watchChoices } from "./bridge/choices.ts";
import { following, type Following } from "./bridge/current_step.ts";
import { runDueTimersOnLeaving } from "./bridge/due_timers.ts";
import { watchHistory } from "./bridge/entries.ts";
import { watchMessages } from "./bridge/incoming.ts";
import { drawAt, isCurrent, type StreamlitComponent } from "./bridge/mounts.ts";
import { actionsOfTab } from "./bridge/outbox.ts";
import { loadPart } from "./bridge/parts.ts";
import { pageNow, reopenPage } from "./bridge/restore.ts";
import { watchPictureButtons } from "./export/pictures.ts";
import { watchDrafts } from "./page/drafts.ts";
import { clickCards } from "./page/early_clicks.ts";
import { make } from "./page/elements.ts";
import { isEmbedded, takeTheme } from "./page/embedded.ts";
import { language, onLanguage } from "./i18n/words.ts";
import { keysOfTab } from "./page/keys.ts";
import { watchLongPastes } from "./page/long_paste.ts";
import { watchLongSelections } from "./page/long_selection.ts";
import { holdPressed } from "./page/pressed.ts";
import { nameTheCommand } from "./page/stopped_server.ts";
import { watchTerms } from "./page/terms.ts";
import { greet, isWelcomeShown } from "./page/welcome.ts";
import { fonts, type Fonts } from "./tokens/fonts.ts";
import { watchTokens } from "./lights/watch.ts";
import { VIEWS } from "./views.ts";

// A loading page has dozens of skeletons. Their pulsing slows down the loading that they wait for.
const STILL = '[data-testid="stSkeleton"] { animation: none !important }';

takeTheme();
runDueTimersOnLeaving();
greet();
reopenPage();
keysOfTab();
clickCards();
holdPressed();
watchChoices();
watchDrafts();
watchMessages();
watchHistory();
watchLongPastes();
watchLongSelections();
watchPictureButtons();
watchTerms();
nameTheCommand();
onLanguage(() => language() !== "en" && loadPart("streamlit"));
watchTokens();
document.head.append(make("style", "", STILL));

if (isEmbedded) loadPart("link"); // hides the page until its card is known
const page = pageNow();
if (page === "algorithms" || page === "pipeline") loadPart(page); // ahead of the first payload for its views
if (page === "train" && isWelcomeShown()) loadPart("tour");

/** `draw` is what the Streamlit component calls; tests read the rest. */
interface BpeLab {
  draw: (component: StreamlitComponent, version: string) => ReturnType<typeof drawAt> | undefined;
  actions: typeof actionsOfTab;
  choices: typeof choicesInTab;
  following: Following;
  fonts: Fonts;
}

declare global {
  var bpeLab: BpeLab;
}

globalThis.bpeLab = {
  draw: (component, version) => (isCurrent(version) ? drawAt(VIEWS, component) : undefined),
  actions: actionsOfTab,
  choices: choicesInTab,
  following,
  fonts,
};
