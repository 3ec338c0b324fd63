// The tour and the first screen, loaded when one begins, and after a reload during it; and the chooser of a lesson's steps.
import "../views.ts"; // all parts share what it imports, so that the build makes one file of this
import { StepChooser } from "../tour/chooser.ts";
import QUIET_BUTTON from "../views/quiet_button.css";
import { Welcome } from "../views/welcome/welcome.ts";
import WELCOME from "../views/welcome/welcome.css";

export { Tour } from "../tour/tour.ts";

export const VIEWS = {
  step_chooser: { type: StepChooser, styles: [] },
  welcome: { type: Welcome, styles: [QUIET_BUTTON, WELCOME] },
};
