// Streamlit's own words in the page's language, loaded with the first language other than English.

import "../views.ts"; // all parts share what it imports, so that the build makes one file of this
import { translateStreamlit } from "../page/streamlit_words.ts";

translateStreamlit();
