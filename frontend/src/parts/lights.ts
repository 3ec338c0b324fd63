// Tokens lit all over the page, loaded when the pointer or the focus first moves.

import "../views.ts"; // all parts share what it imports, so that the build makes one file of this
import { Lights } from "../lights/lights.ts";

export { Lights };
