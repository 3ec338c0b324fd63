// @ts-check
// Button that opens the stage. There is one stage per tab, which persists across pages.

import { find } from "../page.js";
import { Stage } from "./show.js";

/** @param {Mount<import("./acts.js").StageData>} component */
export default function ({ data, parentElement }) {
  const before = window.bpeLabStage;
  const stage = before instanceof Stage ? before : new Stage(before); // each language has its own module
  window.bpeLabStage = stage;
  stage.update(data, find(parentElement, "button", HTMLButtonElement));
}
