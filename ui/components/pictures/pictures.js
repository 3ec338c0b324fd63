// @ts-check
// Listens for the buttons of all views. A click comes out of a view's own tree with its path; so one listener is for all,
// and a view needs nothing but the button in its markup.

import { PictureMenu } from "./menu.js";

/** @param {Mount<import("./caption.js").Subject>} component */
export default function ({ data }) {
  window.bpeLabPictures ??= listening();
  window.bpeLabPictures.subject = data;
}

function listening() {
  const menu = new PictureMenu();
  document.addEventListener("click", (event) => {
    const path = event.composedPath();
    const button = path.find((each) => each instanceof HTMLElement && each.classList.contains("picture"));
    if (button instanceof HTMLElement) {
      if (menu.button === button) menu.close();
      else menu.open(button);
    } else if (menu.isOpen && !path.includes(menu.host)) menu.close();
  });
  addEventListener("resize", () => menu.close());
  return menu;
}
