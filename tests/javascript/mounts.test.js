// The view and the language that the one Streamlit component draws.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { language, t } from "../../frontend/src/i18n/words.ts";
import { drawAt, read } from "../../frontend/src/bridge/mounts.ts";
import { publish } from "../../frontend/src/bridge/published.ts";

/** @type {string[]} */
let seen;

const views = Object.fromEntries(["one", "two"].map((name) => [name, { styles: [], type: viewOf(name) }]));

function viewOf(name) {
  return class {
    static markup() {
      return [t("Next")];
    }

    constructor(root) {
      this.root = root;
    }

    update({ data }) {
      seen.push(`${name} draws ${data} in ${this.root.children.join()}`);
    }

    end() {
      seen.push(`${name} ends`);
    }
  };
}

function element() {
  const children = [];
  return { children, append: (...nodes) => children.push(...nodes), remove: () => seen.push("is removed") };
}

function place() {
  return { append() {}, adoptedStyleSheets: [], isConnected: true };
}

const addressed = (view, data, code = "en") => [view, code, data];

beforeEach(() => {
  seen = [];
  globalThis.document = { createElement: element };
  globalThis.fetch = async () => ({ json: async () => ({ Next: "次へ" }) });
});

test("a payload of bytes is addressed by its first line", () => {
  const { view, language: code, data } = read(new TextEncoder().encode("story ja\n{}\nrest"));
  assert.deepEqual([view, code, new TextDecoder().decode(data)], ["story", "ja", "{}\nrest"]);
});

test("a view is mounted once, and drawn with each payload", () => {
  const parentElement = place();
  drawAt(views, { parentElement, data: addressed("one", "a") });
  const end = drawAt(views, { parentElement, data: addressed("one", "b") });
  end();
  assert.deepEqual(seen, ["one draws a in Next", "one draws b in Next", "one ends", "is removed"]);
});

test("a call that was overtaken ends nothing of the newer one, and a place is left once", () => {
  const parentElement = place();
  const overtaken = drawAt(views, { parentElement, data: addressed("one", "a") });
  const end = drawAt(views, { parentElement, data: addressed("one", "b") });
  overtaken();
  assert.deepEqual(seen, ["one draws a in Next", "one draws b in Next"]);
  end();
  overtaken();
  end();
  assert.deepEqual(seen.slice(2), ["one ends", "is removed"]);
});

test("a call of before another view took the place ends nothing of that one", () => {
  const parentElement = place();
  const end = drawAt(views, { parentElement, data: addressed("one", "a") });
  drawAt(views, { parentElement, data: addressed("two", "b") });
  end();
  assert.deepEqual(seen, ["one draws a in Next", "one ends", "is removed", "two draws b in Next"]);
});

test("two places have nothing to do with each other", () => {
  const end = drawAt(views, { parentElement: place(), data: addressed("one", "a") });
  drawAt(views, { parentElement: place(), data: addressed("one", "b") });
  end();
  assert.deepEqual(seen, ["one draws a in Next", "one draws b in Next", "one ends", "is removed"]);
});

test("a view that left its place is drawn there again, whole", () => {
  const parentElement = place();
  drawAt(views, { parentElement, data: addressed("one", "a") })();
  drawAt(views, { parentElement, data: addressed("one", "b") });
  assert.deepEqual(seen, ["one draws a in Next", "one ends", "is removed", "one draws b in Next"]);
});

test("a view that a relay feeds draws what is published, until its next payload names another relay", () => {
  const parentElement = place();
  const bytes = (relay) => new TextEncoder().encode(`one en\n{"relayed":"${relay}"}\n{}`);
  drawAt(views, { parentElement, data: bytes("first") });
  publish("first", "a");
  drawAt(views, { parentElement, data: bytes("second") });
  publish("first", "b");
  publish("second", "c");
  assert.deepEqual(seen, ["one draws a in Next", "one draws c in Next"]);
});

test("another view, and another language, take the place anew", async () => {
  const parentElement = place();
  drawAt(views, { parentElement, data: addressed("one", "a") });
  drawAt(views, { parentElement, data: addressed("two", "b") });
  await drawAt(views, { parentElement, data: addressed("two", "c", "ja") });
  assert.equal(language(), "ja");
  const drawn = ["one draws a in Next", "one ends", "is removed", "two draws b in Next", "two ends", "is removed"];
  assert.deepEqual(seen, [...drawn, "two draws c in 次へ"]);
  drawAt(views, { parentElement, data: addressed("two", "d") });
  assert.equal(seen.at(-1), "two draws d in Next");
});

/** Two views, of which the second is loaded when needed, and its loads, which the test lets succeed or fail. */
function withLazyView() {
  const loads = [];
  const lazy = () => new Promise((succeed, fail) => loads.push({ succeed: () => succeed(views.two), fail }));
  return { loads, table: { one: views.one, two: lazy } };
}

test("a view is drawn when it is loaded, once for all places, and from then on at once", async () => {
  const { loads, table } = withLazyView();
  const [first, second] = [place(), place()];
  const drawn = [
    drawAt(table, { parentElement: first, data: addressed("two", "a") }),
    drawAt(table, { parentElement: second, data: addressed("two", "b") }),
  ];
  assert.deepEqual(seen, []);
  for (const { succeed } of loads) succeed();
  const [end] = await Promise.all(drawn);
  assert.deepEqual(seen, ["two draws a in Next", "two draws b in Next"]);
  drawAt(table, { parentElement: second, data: addressed("two", "c") });
  end();
  assert.deepEqual(seen.slice(2), ["two draws c in Next", "two ends", "is removed"]);
});

test("a view and its words are loaded at the same time", async () => {
  const { loads, table } = withLazyView();
  const drawn = drawAt(table, { parentElement: place(), data: addressed("two", "a", "de") });
  globalThis.fetch = () => assert.fail("the words were to be asked for before");
  loads[0].succeed();
  await drawn;
  assert.deepEqual(seen, ["two draws a in 次へ"]);
});

test("a payload that comes while another one's view is loading is the one that is drawn", async () => {
  const { loads, table } = withLazyView();
  const parentElement = place();
  const overtaken = drawAt(table, { parentElement, data: addressed("two", "old") });
  drawAt(table, { parentElement, data: addressed("one", "new") });
  loads[0].succeed();
  (await overtaken)();
  assert.deepEqual(seen, ["one draws new in Next"]);
});

test("of two payloads for a view that is loading, the newer one is drawn, in whatever order they are loaded", async () => {
  const { loads, table } = withLazyView();
  const parentElement = place();
  const old = drawAt(table, { parentElement, data: addressed("two", "old") });
  const newer = drawAt(table, { parentElement, data: addressed("two", "new") });
  loads[1].succeed();
  const end = await newer;
  loads[0].succeed();
  (await old)();
  assert.deepEqual(seen, ["two draws new in Next"]);
  end();
  assert.deepEqual(seen.slice(1), ["two ends", "is removed"]);
});

test("a view that could not be loaded is no error, and the next payload loads it again", async () => {
  const { loads, table } = withLazyView();
  const parentElement = place();
  const failed = drawAt(table, { parentElement, data: addressed("two", "a") });
  loads[0].fail(new TypeError("no connection"));
  (await failed)();
  assert.deepEqual(seen, []);
  const drawn = drawAt(table, { parentElement, data: addressed("two", "b") });
  loads[1].succeed();
  await drawn;
  assert.deepEqual(seen, ["two draws b in Next"]);
});

test("without a catalogue the words are English, and the next view asks for it again", async () => {
  globalThis.fetch = async () => {
    throw new TypeError("no connection");
  };
  await drawAt(views, { parentElement: place(), data: addressed("one", "a", "zh") });
  globalThis.fetch = async () => ({ json: async () => ({ Next: "下一步" }) });
  await drawAt(views, { parentElement: place(), data: addressed("one", "b", "zh") });
  assert.deepEqual(seen, ["one draws a in Next", "one draws b in 下一步"]);
});

test("views that are drawn at once ask for their words once", async () => {
  let times = 0;
  globalThis.fetch = async () => ({ json: async () => ({ Next: `次へ ${++times}` }) });
  await Promise.all(["a", "b"].map((data) => drawAt(views, { parentElement: place(), data: addressed("one", data, "fr") })));
  assert.deepEqual(seen, ["one draws a in 次へ 1", "one draws b in 次へ 1"]);
});

test("a place that is removed before its language has come is not drawn, and the page keeps its own", async () => {
  const [removed, before] = [place(), language()];
  const drawing = drawAt(views, { parentElement: removed, data: addressed("one", "a", "ko") });
  removed.isConnected = false;
  (await drawing)();
  assert.deepEqual([seen, language()], [[], before]);
});
