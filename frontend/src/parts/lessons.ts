// Views of lessons alone, loaded with the first payload for one of them.

import { ofTokens } from "../views.ts";
import QUIET_BUTTON from "../views/quiet_button.css";
import { Ask } from "../views/ask/ask.ts";
import ASK from "../views/ask/ask.css";
import { Handout } from "../views/handout/handout.ts";
import HANDOUT from "../views/handout/handout.css";
import { LessonSteps } from "../views/tour/lesson_steps.ts";
import LESSON_STEPS from "../views/tour/lesson_steps.css";
import ICON_BUTTON from "../views/icon_button.css";

export const VIEWS = {
  ask: ofTokens(Ask, ASK),
  handout: { type: Handout, styles: [QUIET_BUTTON, HANDOUT] },
  lesson_steps: { type: LessonSteps, styles: [QUIET_BUTTON, ICON_BUTTON, LESSON_STEPS] },
};
