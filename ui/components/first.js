// @ts-check
// The first script of every page, before Streamlit's own: what a tab keeps is there from the beginning.

import { watchChoices } from "./choices.js";
import { holdEarlyClicks } from "./early_clicks.js";
import { watchHistory } from "./entries.js";
import { keysOfTab } from "./keys.js";
import { reopenPage } from "./reopened.js";

reopenPage();
keysOfTab();
holdEarlyClicks();
watchChoices();
watchHistory();
