// The link of a page for a class, with its QR code, loaded when a visitor asks for it.

import "../views.ts"; // all parts share what it imports, so that the build makes one file of this

export { showLink } from "../views/copy_link/dialog.ts";
