// Pictures of views: output is well-formed whatever a text contains, and styles are read as browsers serialize them.

import assert from "node:assert/strict";
import test from "node:test";
import { deflateSync } from "node:zlib";

import { captionOf, fileNameOf, shortened, textOf } from "../../frontend/src/export/caption.ts";
import { brokenAt, element, escapeXml, pictureOf, shortNumber, textElement } from "../../frontend/src/export/markup.ts";
import { insetOf, layersOf, listed, movedPath, shadowsOf, shared } from "../../frontend/src/export/styles.ts";

const SUBJECT = { names: { gpt2: "GPT-2", trained: "Trained" }, trainedOn: "The lantern story", settings: "Bytes · 512 ids" };
const PICTURE = { width: 200, height: 50, parts: [], shift: { x: 0, y: 0 }, ground: "#fff", ink: "#000", dim: "#666", title: "", caption: [] };

test("a text can become neither an element nor an attribute", () => {
  assert.equal(escapeXml(`</text><script>&"']]>`), "&lt;/text&gt;&lt;script&gt;&amp;&quot;&#39;]]&gt;");
  assert.equal(element("rect", { fill: '"/><script>' }), '<rect fill="&quot;/&gt;&lt;script&gt;"/>');
  const hostile = "</text><script>alert(1)</script>";
  const { svg } = pictureOf({ ...PICTURE, width: 900, title: hostile, caption: [hostile], parts: [textElement(hostile, { x: 1 })] });
  assert.doesNotMatch(svg, /<script/);
  assert.equal(svg.match(/&lt;script&gt;alert\(1\)&lt;\/script&gt;/g).length, 4);
});

test("what XML forbids is replaced: control characters, lone surrogates, non-characters", () => {
  assert.equal(escapeXml("a\u0000\u000b\u001b\ufffe\uffff\ud800b"), "a\ufffd\ufffd\ufffd\ufffd\ufffd\ufffdb");
  assert.equal(escapeXml("\t\n\r 😀 日本"), "\t\n\r 😀 日本");
});

test("attributes without a value are left out, numbers are short", () => {
  assert.equal(element("rect", { x: 1.25, y: 0, rx: null, fill: undefined, stroke: "" }), '<rect x="1.3" y="0"/>');
  assert.deepEqual([-0.01, 3, 2.449].map(shortNumber), ["0", "3", "2.4"]);
});

test("a picture is as high as its title, its view and the lines of its caption", () => {
  const bare = pictureOf(PICTURE);
  const titled = pictureOf({ ...PICTURE, title: "Tokens" });
  const told = pictureOf({ ...PICTURE, caption: ["one two three four five six seven eight nine ten eleven"] });
  assert.deepEqual([bare.width, bare.height, titled.height], [200, 50, 80]);
  assert.ok(told.height >= 50 + 2 * 18);
  assert.match(told.svg, /height="94"|height="112"/);
});

test("a caption is broken at spaces, and a long word anywhere", () => {
  assert.deepEqual(brokenAt("aaa bbb ccc", 4), ["aaa bbb", "ccc"]);
  const lines = brokenAt("https://example.org/" + "%D7%A2".repeat(40), 30);
  assert.ok(lines.length > 3);
  assert.equal(lines.join(""), "https://example.org/" + "%D7%A2".repeat(40));
  assert.deepEqual(brokenAt("日本語日本語", 3), ["日本語", "日本語"]);
});

test("a caption says text, tokenizer, settings, sight and link", () => {
  const encode = "http://localhost:8501/encode?text=low+%3Cb%3E&with=gpt2&sample=lantern_story&special=parse";
  assert.deepEqual(captionOf(encode, SUBJECT, { text: "low <b>" }), ["Encode · “low <b>” · GPT-2 · special parse", encode]);
  const train = "http://localhost:8501/?sample=lantern_story&vocab_size=512&step=256";
  assert.deepEqual(captionOf(train, SUBJECT, { sight: "rows 1–9 of 24" }), [
    "Train · The lantern story · Bytes · 512 ids · step 256 · rows 1–9 of 24",
    train,
  ]);
  const compare = "http://localhost:8501/compare?with=trained&with=gpt2&text.z=eJx";
  assert.deepEqual(captionOf(compare, SUBJECT, { isWhole: false }), [
    "Compare · Trained, GPT-2 · trained on The lantern story · Bytes · 512 ids",
  ]);
});

test("the text of an address is read as it is, and packed", async () => {
  const packed = deflateSync("low 日本 ".repeat(2000)).toString("base64url");
  assert.equal(await textOf("http://localhost/encode?with=gpt2&text=low+%3Cb%3E"), "low <b>");
  assert.match(await textOf(`http://localhost/encode?text.z=${packed}`), /^(low 日本 ){20}/);
  assert.equal(await textOf("http://localhost/encode?text.z=%00nonsense"), "");
  assert.equal(await textOf("http://localhost/encode?with=gpt2"), "");
});

test("a file is named after the page, the step and the view", () => {
  assert.equal(fileNameOf("http://localhost/?step=256", "1,411 tokens"), "bpe-lab-train-step-256-1-411-tokens");
  assert.equal(fileNameOf("http://localhost/compare", "../<b>"), "bpe-lab-compare-b");
  assert.equal(fileNameOf("http://localhost/encode", "「低い」の語、段階ごと"), "bpe-lab-encode-低い-の語-段階ごと");
});

test("a caption names what cannot be seen, and nothing in it turns the line around", () => {
  assert.equal(shortened("a\u0007\u202eb \ud800 \u200f", 40), "a[BEL][RLO]b [U+D800] [RLM]");
  assert.equal(shortened("x 👨\u200d👩\u200d👧 é", 40), "x 👨\u200d👩\u200d👧 é");
  assert.equal(shortened("👨\u200d👩\u200d👧", 3), "👨…");
});

test("a text is shortened between characters", () => {
  assert.equal(shortened("a\n b  c", 10), "a b c");
  assert.equal(shortened("😀😀😀", 2), "😀…");
});

test("lists are divided at their outer commas", () => {
  assert.deepEqual(listed("rgb(1, 2, 3) 0px 1px, inset oklab(0.5 0 0 / 0.5) 2px 0px"), [
    "rgb(1, 2, 3) 0px 1px",
    "inset oklab(0.5 0 0 / 0.5) 2px 0px",
  ]);
});

test("shadows are read as browsers compute them", () => {
  assert.deepEqual(shadowsOf("none"), []);
  assert.deepEqual(shadowsOf("rgb(61, 90, 241) 0px 0px 0px 2px, rgb(0, 0, 0) -1.5px 0px 0px 0px inset"), [
    { inset: false, x: 0, y: 0, blur: 0, spread: 2, colour: "rgb(61, 90, 241)" },
    { inset: true, x: -1.5, y: 0, blur: 0, spread: 0, colour: "rgb(0, 0, 0)" },
  ]);
});

test("layers of one colour are areas, the lowest first; others are left out", () => {
  const solid = "linear-gradient(rgb(1, 2, 3) 0px, rgb(1, 2, 3) 0px)";
  const style = { image: `${solid}, ${solid}`, position: "50% 50%, 0% 100%", size: "2px 100%, 100% 3px" };
  assert.deepEqual(layersOf(style, 10, 20), [
    { colour: "rgb(1, 2, 3)", area: { left: 0, top: 17, right: 10, bottom: 20 } },
    { colour: "rgb(1, 2, 3)", area: { left: 4, top: 0, right: 6, bottom: 20 } },
  ]);
  const shaded = { image: "linear-gradient(rgb(1, 2, 3), rgb(9, 9, 9))", position: "0% 0%", size: "auto" };
  assert.deepEqual(layersOf(shaded, 10, 20), []);
});

test("areas are cut where both are", () => {
  const area = (left, top, right, bottom) => ({ left, top, right, bottom });
  assert.deepEqual(shared(area(0, 0, 10, 10), area(5, 5, 20, 20)), area(5, 5, 10, 10));
  assert.equal(shared(area(0, 0, 5, 5), area(5, 0, 9, 9)), null);
  assert.deepEqual(insetOf("inset(-2px 25% 0px 10px)", area(0, 0, 100, 50)), area(10, -2, 75, 50));
  const box = area(0, 0, 1, 1);
  assert.equal(insetOf("none", box), box);
});

test("a path is moved with its lines and curves; one with others is not", () => {
  const twice = { a: 2, b: 0, c: 0, d: 2, e: 10, f: 20 };
  assert.equal(movedPath("M0 0L1,2H5V6C1 1 2 2 3 3Z", twice), "M10 20L12 24L20 24L20 32C12 22 14 24 16 26Z");
  assert.equal(movedPath("M0 0a1 1 0 0 1 2 2", twice), null);
});
