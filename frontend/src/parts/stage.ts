// The stage, loaded when a visitor enters it or reloads on it.

import "../views.ts"; // all parts share what it imports, so that the build makes one file of this

export { Stage } from "../presenter/show.ts";
