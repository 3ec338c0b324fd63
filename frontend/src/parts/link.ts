// Links of a page: with its QR code for a class, and in the line that embeds a card, loaded when a visitor asks for one;
// and what such a line shows, loaded in an embedded page.

import "../views.ts"; // all parts share what it imports, so that the build makes one file of this

export { showCard } from "../embedded/show.ts";
export { showLink } from "../views/copy_link/dialog.ts";
export { showEmbedding } from "../views/copy_link/embedding.ts";
