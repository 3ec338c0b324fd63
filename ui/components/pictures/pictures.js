// @ts-check
// One listener for the picture buttons of all views. A click's path crosses the shadow roots, so a view needs only the
// button in its markup.

import { PictureMenu } from "./menu.js";

/** @param {Mount<import("./caption.js").Subject>} component */
export default function ({ data }) {
  const pictures = (window.bpeLabPictures ??= listening());
  if (pictures.menu.constructor !== PictureMenu) {
    pictures.menu.close(); // it is in another language: each language has its own module
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
