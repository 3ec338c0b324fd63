// Views that draw the data of a relay, in whatever order the two are mounted.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { publish, follow, unpublish } from "../../frontend/src/bridge/published.ts";
import { readTogether } from "../../frontend/src/bridge/payload.ts";

const bytes = (/** @type {string} */ text) => new TextEncoder().encode(text);
const text = (/** @type {Uint8Array} */ data) => new TextDecoder().decode(data);

/** @type {string[]} */
let seen;
const see = (/** @type {{ data: Uint8Array }} */ { data }) => seen.push(text(data));
const view = (name, place = {}) => follow({ data: bytes(`{"relayed": "${name}"}\n{}`), parentElement: place }, see);

/** A unique name for each test. */
let story = "story 0";
let tests = 0;

beforeEach(() => {
  story = `story ${++tests}`;
  seen = [];
});

test("a view with data of its own draws that", () => {
  follow({ data: bytes('{"rev": "a"}\n{}') }, see);
  assert.deepEqual(seen, ['{"rev": "a"}\n{}']);
});

test("a view draws what is brought under its name, and each time", () => {
  view(story);
  publish(story, bytes("one"));
  publish("text", bytes("of another"));
  publish(story, bytes("two"));
  assert.deepEqual(seen, ["one", "two"]);
});

test("a view that comes later draws what was brought last", () => {
  publish(story, bytes("one"));
  publish(story, bytes("two"));
  view(story);
  assert.deepEqual(seen, ["two"]);
});

test("what a relay brought that is gone is not drawn", () => {
  const one = bytes("one");
  publish(story, one);
  unpublish(story, one);
  view(story);
  assert.deepEqual(seen, []);
});

test("a relay that goes after the next one came leaves what that one brought", () => {
  const one = bytes("one");
  publish(story, one);
  publish(story, bytes("two"));
  unpublish(story, one);
  view(story);
  assert.deepEqual(seen, ["two"]);
});

test("a view that is gone draws nothing, and its successor keeps its place", () => {
  const end = view(story);
  const endOfSecond = view(story);
  end();
  publish(story, bytes("one"));
  assert.deepEqual(seen, ["one"]);
  endOfSecond();
  publish(story, bytes("two"));
  assert.deepEqual(seen, ["one"]);
});

test("of two places of a view the one that stays draws, also where it came first", () => {
  view(story);
  const endOfSecond = view(story);
  publish(story, bytes("one"));
  assert.deepEqual(seen, ["one", "one"]);
  endOfSecond();
  publish(story, bytes("two"));
  assert.deepEqual(seen, ["one", "one", "two"]);
});

test("a view that is mounted again in its place draws once", () => {
  const place = {};
  const endOfFirst = view(story, place);
  view(story, place);
  publish(story, bytes("one"));
  assert.deepEqual(seen, ["one"]);
  endOfFirst();
  publish(story, bytes("two"));
  assert.deepEqual(seen, ["one", "two"]);
});

test("frames that were sent together are read apart", () => {
  const sent = bytes('{"frames":[["a",3],["b",0],["c",2]]}\nonetw');
  assert.deepEqual(readTogether(sent).map(([name, data]) => [name, text(data)]), [["a", "one"], ["b", ""], ["c", "tw"]]);
});
