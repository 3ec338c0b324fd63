// Views of Encode alone, loaded with the first payload for one of them.

import { ofTokens } from "../views.ts";
import { Lanes } from "../views/lanes/lanes.ts";
import LANES from "../views/lanes/lanes.css";

export const VIEWS = { lanes: ofTokens(Lanes, LANES) };
