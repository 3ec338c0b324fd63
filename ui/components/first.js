// @ts-check
// The first script of every page, before Streamlit's own: what a tab keeps is there from the beginning.

import { watchChoices } from "./choices.js";
import { holdEarlyClicks } from "./early_clicks.js";
import { watchHistory } from "./entries.js";
import { keysOfTab } from "./keys.js";
import { make } from "./page.js";
import { holdPressed } from "./pressed.js";
import { reopenPage } from "./reopened.js";

// A page that opens has dozens of places for what is still to come. While they pulse, they slow down what they wait for.
const STILL = '[data-testid="stSkeleton"] { animation: none !important }';

reopenPage();
keysOfTab();
holdEarlyClicks();
holdPressed();
watchChoices();
watchHistory();
document.head.append(make("style", "", STILL));
