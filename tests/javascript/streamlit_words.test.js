// Translation of Streamlit's own words.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ourNameFor, ourWordsFor } from "../../frontend/src/page/streamlit_words.ts";

test("a refused number is said with its limits, as a text and after a bold word of a tooltip", () => {
  const refused = (limits) => `Number is refused somehow. Please enter a value ${limits}.`;
  assert.equal(ourWordsFor(`Error: ${refused("between 1 and 240")}`), "Enter a number from 1 to 240.");
  assert.equal(ourWordsFor(`: ${refused("greater than or equal to 1.5")}`), " Enter a number of at least 1.5.");
  assert.equal(ourWordsFor(`: ${refused("less than or equal to -2")}`), " Enter a number of at most -2.");
});

test("names and texts that are not Streamlit's stay as they are", () => {
  assert.equal(ourWordsFor("12 more words"), "12 more words");
  assert.equal(ourNameFor("progress"), "Progress");
  assert.equal(ourNameFor("toString"), "toString");
});
