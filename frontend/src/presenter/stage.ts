// Button that opens the stage. There is one stage per tab, which persists across pages.

import { View } from "../bridge/view.ts";
import { build, find, icon, makeSvg } from "../page/elements.ts";
import { Stage } from "./show.ts";
import { language, t } from "../i18n/words.ts";
import type { StageData } from "./acts.ts";

let stage: Stage | undefined;

export class StageButton extends View<StageData> {
  static markup() {
    const attributes = {
      type: "button",
      "aria-label": t("Stage"),
      "aria-keyshortcuts": "s",
      title: t("Stage: one card over the whole screen (S key)"),
    };
    const screen = makeSvg("rect", { x: 3, y: 4, width: 18, height: 12, rx: 1.5 });
    return [build("button", attributes, icon(24, screen, "M12 16v4m-4 0h8"))];
  }

  update({ data }: Mount<StageData>) {
    if (stage?.language !== language()) stage = new Stage(stage);
    stage.update(data, find(this.root, "button", HTMLButtonElement));
  }
}
