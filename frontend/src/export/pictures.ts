// One listener for the picture buttons of all views. A click's path crosses the shadow roots, so a view needs only the
// button in its markup.

import { View } from "../bridge/view.ts";
import { language } from "../i18n/words.ts";
import { PictureMenu } from "./menu.ts";
import type { Subject } from "./caption.ts";

let menu: PictureMenu | null = null; // until the page has described its pictures
let early: HTMLElement | null = null; // button clicked before that

/** Receives the description of the page's pictures; draws nothing. */
export class PictureSubject extends View<Subject> {
  update({ data }: Mount<Subject>) {
    if (menu?.language !== language()) {
      menu?.close();
      menu = new PictureMenu();
    }
    menu.subject = data;
    if (early?.isConnected) menu.open(early);
    early = null;
  }
}

/** Start listening. */
export function watchPictureButtons() {
  document.addEventListener("click", (event) => {
    const path = event.composedPath();
    const button = path.find((each) => each instanceof HTMLElement && each.classList.contains("picture"));
    if (button instanceof HTMLElement) {
      if (!menu) early = button;
      else if (menu.button === button) menu.close();
      else menu.open(button);
    } else if (menu?.isOpen && !path.includes(menu.host)) menu.close();
  });
  addEventListener("resize", () => menu?.close());
}
