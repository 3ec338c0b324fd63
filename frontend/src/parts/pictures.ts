// The menu of the picture buttons, loaded at the first click on one.

import "../views.ts"; // all parts share what it imports, so that the build makes one file of this

export { PictureMenu } from "../export/menu.ts";
