// Button that begins the tour. While the tour is offered, the button says what it is.

import { View } from "../../bridge/view.ts";
import { build, find, icon, make } from "../../page/elements.ts";
import { beginTour, onTourOffered, resumeTour } from "../../tour/begin.ts";
import { t } from "../../i18n/words.ts";

export class TourButton extends View<null> {
  static markup() {
    const attributes = { type: "button", "aria-label": t("Tour"), title: t("Tour: eight steps through the app") };
    const question = "M9.2 9.2a2.9 2.9 0 1 1 4 2.9c-.8.4-1.2.9-1.2 1.8M12 17h.01";
    const circle = "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z";
    return [build("button", attributes, icon(24, circle, question), make("span", "offer", t("Tour")))];
  }

  constructor(root: HTMLElement) {
    super(root);
    const button = find(root, "button", HTMLButtonElement);
    button.onclick = () => beginTour(0);
    this.onEnd(onTourOffered(root, (isOffered) => button.classList.toggle("offered", isOffered)));
  }

  update() {
    resumeTour();
  }
}
