// Buttons of the first screen: on to the first merge, on to the tour, or away.

import { following } from "../../bridge/current_step.ts";
import { seek } from "../../bridge/seek.ts";
import { View } from "../../bridge/view.ts";
import { becomeKnown, showName, showWelcome } from "../../page/welcome.ts";
import { build } from "../../page/elements.ts";
import { beginTour, offerTour } from "../../tour/begin.ts";
import { t } from "../../i18n/words.ts";

const AFTER_NAME = 1; // step of the tour

export class Welcome extends View<null> {
  static markup() {
    const button = (does: string, label: string, title: string) =>
      build("button", { type: "button", "data-do": does, title }, label);
    const close = button("close", "\u00d7", t("The button with the question mark brings this back"));
    close.setAttribute("aria-label", t("Close"));
    return [
      build(
        "div",
        { class: "welcome" },
        button("learn", t("How did it learn this?"), t("Show the first merge, on the text below")),
        button("tour", t("Take the tour"), t("Tour: eight steps through the app")),
        close,
      ),
    ];
  }

  constructor(root: HTMLElement) {
    super(root);
    root.onclick = (event) => {
      const does = event.target instanceof HTMLElement ? event.target.dataset.do : undefined;
      if (does === "tour") beginTour(AFTER_NAME);
      else if (does) this.leave(does === "learn");
    };
  }

  update() {}

  private leave(isLearning: boolean) {
    becomeKnown();
    if (isLearning) showName();
    else showWelcome(false);
    offerTour();
    if (!isLearning) return;
    if (!following.step) seek(1);
    document.querySelector("[data-testid=stMain]")?.scrollTo({ top: 0 });
  }
}
