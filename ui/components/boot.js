// @ts-check
// Boot script of every page, before Streamlit's own: sets up the listeners and state of the tab.

import { watchChoices } from "./choices.js";
import { holdEarlyClicks } from "./early_clicks.js";
import { watchHistory } from "./entries.js";
import { keysOfTab } from "./keys.js";
import { make } from "./page.js";
import { holdPressed } from "./pressed.js";
import { reopenPage } from "./restore.js";

// A loading page has dozens of skeletons. Their pulsing slows down the loading that they wait for.
const STILL = '[data-testid="stSkeleton"] { animation: none !important }';

reopenPage();
keysOfTab();
holdEarlyClicks();
holdPressed();
watchChoices();
watchHistory();
document.head.append(make("style", "", STILL));
