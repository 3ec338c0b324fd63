// What leaves a page as a picture or on paper: the menu of the picture buttons, loaded at the first click on one, and the
// button of the handout.

import "../views.ts"; // all parts share what it imports, so that the build makes one file of this
import { Handout } from "../views/handout/handout.ts";
import HANDOUT from "../views/handout/handout.css";
import QUIET_BUTTON from "../views/quiet_button.css";

export const VIEWS = {
  handout: { type: Handout, styles: [QUIET_BUTTON, HANDOUT] },
};

export { PictureMenu } from "../export/menu.ts";
