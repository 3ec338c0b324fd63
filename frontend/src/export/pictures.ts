// One listener for the picture buttons of all views. A click's path crosses the shadow roots, so a view needs only the
// button in its markup. The menu is loaded at the first click.

import { loadPart } from "../bridge/parts.ts";
import { View } from "../bridge/view.ts";
import { language } from "../i18n/words.ts";
import type { Subject } from "./caption.ts";
import type { PictureMenu } from "./menu.ts";

let subject: Subject | null = null; // until the page has described its pictures
let menu: PictureMenu | null = null; // until it is loaded
let clicked: HTMLElement | null = null; // button whose menu is to open

/** Receives the description of the page's pictures; draws nothing. */
export class PictureSubject extends View<Subject> {
  update({ data }: Mount<Subject>) {
    subject = data;
    if (menu && menu.language !== language()) {
      menu.close();
      menu = null;
    }
    if (menu) menu.subject = data;
    if (clicked) openMenu();
  }
}

/** Start listening. */
export function watchPictureButtons() {
  document.addEventListener("click", (event) => {
    const path = event.composedPath();
    const button = path.find((each) => each instanceof HTMLElement && each.classList.contains("picture"));
    clicked = null;
    if (button instanceof HTMLElement) {
      if (menu?.button === button) menu.close();
      else {
        clicked = button;
        openMenu();
      }
    } else if (menu?.isOpen && !path.includes(menu.host)) menu.close();
  });
  addEventListener("resize", () => menu?.close());
}

/** Open the menu of the clicked button as soon as it is loaded and the page has described its pictures. */
async function openMenu() {
  const part = await loadPart("pictures").catch(() => null); // after a failure the next click tries again
  if (part && !subject) return;
  const button = clicked;
  clicked = null;
  if (!part || !subject || !button?.isConnected) return;
  menu ??= new part.PictureMenu();
  menu.subject = subject;
  menu.open(button);
}
