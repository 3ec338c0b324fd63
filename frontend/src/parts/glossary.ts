// The glossary: marks terms in captions of views, and shows definitions.

import "../views.ts"; // all parts share what it imports, so that the build makes one file of this
import { explain } from "../glossary/explain.ts";
import { markAll } from "../glossary/marking.ts";

export { explain };

markAll();
