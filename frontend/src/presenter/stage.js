// @ts-check
// Button that opens the stage. There is one stage per tab, which persists across pages.

import { build, find, icon, makeSvg } from "../page/elements.js";
import { Stage } from "./show.js";
import { language, t } from "../i18n/words.js";

/** @type {Stage | undefined} */
let stage;

/** Elements before the first data. */
export function markup() {
  return [
    build("button",
      {
        type: "button",
        "aria-label": t("Stage"),
        "aria-keyshortcuts": "s",
        title: t("Stage: one card over the whole screen (S key)"),
      },
      icon(24, makeSvg("rect", { x: 3, y: 4, width: 18, height: 12, rx: 1.5 }), "M12 16v4m-4 0h8"),
    ),
  ];
}

/** @param {Mount<import("./acts.js").StageData>} component */
export function draw({ data, parentElement }) {
  if (stage?.language !== language()) stage = new Stage(stage);
  stage.update(data, find(parentElement, "button", HTMLButtonElement));
}
