// Links of a page: with its QR code for a class, and in the line that embeds a card, loaded when a visitor asks for one;
// and what such a line shows, loaded in an embedded page.

import "../views.ts"; // all parts share what it imports, so that the build makes one file of this
import { showCard } from "../embedded/show.ts";
import { showLink } from "../views/copy_link/dialog.ts";
import { showEmbedding } from "../views/copy_link/embedding.ts";

export { showCard, showEmbedding, showLink };
