// @ts-check
// The button that opens the stage. The stage itself is one for the tab, and stays while pages come and go under it.

import { find } from "../page.js";
import { Stage } from "./show.js";

/** @param {Mount<import("./acts.js").StageData>} component */
export default function ({ data, parentElement }) {
  const before = window.bpeLabStage;
  const stage = before instanceof Stage ? before : new Stage(before); // each language has a module of its own
  window.bpeLabStage = stage;
  stage.update(data, find(parentElement, "button", HTMLButtonElement));
}
