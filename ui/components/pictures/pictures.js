// @ts-check
// Listens for the buttons of all views. A click comes out of a view's own tree with its path; so one listener is for all,
// and a view needs nothing but the button in its markup.

import { PictureMenu } from "./menu.js";

/** @param {Mount<import("./caption.js").Subject>} component */
export default function ({ data }) {
  const pictures = (window.bpeLabPictures ??= listening());
  if (pictures.menu.constructor !== PictureMenu) {
    pictures.menu.close(); // it speaks another language: each has a module of its own
    pictures.menu = new PictureMenu();
  }
  pictures.menu.subject = data;
}

function listening() {
  const pictures = { menu: new PictureMenu() };
  document.addEventListener("click", (event) => {
    const { menu } = pictures;
    const path = event.composedPath();
    const button = path.find((each) => each instanceof HTMLElement && each.classList.contains("picture"));
    if (button instanceof HTMLElement) {
      if (menu.button === button) menu.close();
      else menu.open(button);
    } else if (menu.isOpen && !path.includes(menu.host)) menu.close();
  });
  addEventListener("resize", () => pictures.menu.close());
  return pictures;
}
