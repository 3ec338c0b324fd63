// @ts-check
// The app's script, loaded before Streamlit's own: sets up the listeners of the tab, then waits for views to draw.

import { choicesInTab, watchChoices } from "./bridge/choices.js";
import { following } from "./bridge/current_step.js";
import { watchHistory } from "./bridge/entries.js";
import { drawAt, isCurrent } from "./bridge/mounts.js";
import { actionsOfTab } from "./bridge/outbox.js";
import { reopenPage } from "./bridge/restore.js";
import { watchPictureButtons } from "./export/pictures.js";
import { clickCards } from "./page/early_clicks.js";
import { make } from "./page/elements.js";
import { keysOfTab } from "./page/keys.js";
import { watchLongPastes } from "./page/long_paste.js";
import { holdPressed } from "./page/pressed.js";
import { fonts } from "./tokens/fonts.js";
import { VIEWS } from "./views.js";

// A loading page has dozens of skeletons. Their pulsing slows down the loading that they wait for.
const STILL = '[data-testid="stSkeleton"] { animation: none !important }';

reopenPage();
keysOfTab();
clickCards();
holdPressed();
watchChoices();
watchHistory();
watchLongPastes();
watchPictureButtons();
document.head.append(make("style", "", STILL));

// `draw` is what the Streamlit component calls; tests read the rest.
globalThis.bpeLab = {
  draw: (/** @type {Parameters<typeof drawAt>[1]} */ component, /** @type {string} */ script) =>
    isCurrent(script) ? drawAt(VIEWS, component) : undefined,
  actions: actionsOfTab,
  choices: choicesInTab,
  following,
  fonts,
};
