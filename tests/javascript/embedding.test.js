// Computations of embedded cards, and of the line that embeds one.

import assert from "node:assert/strict";
import { test } from "node:test";

import { framedCards, framedLink, lineOf, onlyRule, wholeLink } from "../../frontend/src/embedded/cards.ts";
import { queryOf } from "../../frontend/src/views/address/query.ts";

const TRAIN = {
  page: "train",
  cards: [["scene", "At a glance"], ["text", "Text"], ["printed results", "Textbooks"]],
  beside: "player",
  fits: [],
  scene: { key: "scene", over: "story", main: "text", beside: [] },
  alone: ["printed results"],
  joined: [["player", "Player, sentence and text", ["player", "story", "text"]]],
  speaker: null,
};

test("cards have the names of their keys, and the player where they follow it", () => {
  assert.deepEqual(framedCards(TRAIN), [
    { name: "player", title: "Player, sentence and text", keys: ["player", "story", "text"] },
    { name: "text", title: "Text", keys: ["text", "player"] },
    { name: "printed-results", title: "Textbooks", keys: ["printed results"] },
  ]);
  const [, text] = framedCards({ ...TRAIN, alone: null });
  assert.deepEqual(text.keys, ["text"]); // an input beside it is not shown
});

test("the rule hides blocks that are not, are not in, and do not hold the containers", () => {
  const rule = onlyRule(["encode text area"]);
  assert.match(rule, /> :not\(:is\(\.st-key-encode-text-area, .*\), :is\(\.st-key-encode-text-area, .*\) \*, :has\(:is\(\.st-key-encode-text-area/);
});

test("a link gets and loses the parameters of embedding, and keeps its own", () => {
  const whole = "https://lab.example/encode?text=a%26b+c&with=gpt2&lang=ja";
  const framed = framedLink(whole, "tokens");
  assert.equal(framed, "https://lab.example/encode?text=a%26b+c&with=gpt2&lang=ja&embed=1&card=tokens");
  assert.equal(wholeLink(framed), whole);
  assert.equal(wholeLink(`${whole}&theme=dark&embed_options=dark_theme`), whole);
});

test("a line is one line of HTML, whatever the link and the title hold", () => {
  const line = lineOf('https://lab.example/?corpus=%22&a=\'"><script>', '"><b>&', 411);
  assert.equal(
    line,
    '<iframe src="https://lab.example/?corpus=%22&amp;a=&#39;&quot;&gt;&lt;script&gt;" title="&quot;&gt;&lt;b&gt;&amp;"' +
      ' width="100%" height="420" style="border:0" loading="lazy"></iframe>',
  );
  assert.match(lineOf("https://lab.example/", "a", 90_000), / height="900" /);
});

test("an embedded page keeps its card in its address, and no other page does", () => {
  assert.equal(queryOf("?embed=1&card=merges&own=x", "step=3"), "?embed=1&card=merges&step=3");
  assert.equal(queryOf("?card=merges&own=x", "step=3"), "?step=3");
  assert.equal(queryOf("?embed=true&card=merges", ""), "?embed=true");
});
