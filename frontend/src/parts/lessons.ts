// Views of lessons alone, loaded with the first payload for one of them.

import { ofTokens } from "../views.ts";
import { Ask } from "../views/ask/ask.ts";
import ASK from "../views/ask/ask.css";

export const VIEWS = {
  ask: ofTokens(Ask, ASK),
};
