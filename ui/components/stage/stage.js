// @ts-check
// The button that opens the stage. The stage itself is one for the tab, and stays while pages come and go under it.

import { find } from "../page.js";
import { Stage } from "./show.js";

/** @param {Mount<import("./acts.js").StageData>} component */
export default function ({ data, parentElement }) {
  window.bpeLabStage ??= new Stage();
  window.bpeLabStage.update(data, find(parentElement, "button", HTMLButtonElement));
}
