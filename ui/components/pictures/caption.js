// @ts-check
// What a picture says of itself: the text, the tokenizer, the settings, and the link that opens it. All of it is read
// from the address, so that the words and the link always say the same: what was chosen is called as links call it.

import { t } from "../words.js";

import { shownPieces } from "../tokens/marks.js";

const LONGEST_TEXT = 60; // characters
const LONGEST_LINK = 300;
const TOKENIZERS = ["with", "of", "left", "right", "model"];
const TEXTS = ["text", "sentence", "word", "texts", "user"];
const SAYS_NOTHING = ["own", "files", "from", "copy", "written", "sample", "modules"];
const OF_TRAINING = [
  ...["vocab_size", "unit", "split", "end_of_word", "normalization", "lowercase", "strip_accents", "tie_break"],
  ...["base_order", "min_count", "special_tokens", "byte_fallback", "corpus"],
];

/**
 * What an address does not say in words: what tokenizers and samples are called, and what is trained here on what.
 * @typedef {{ names: Record<string, string>, trainedOn: string, settings: string }} Subject
 */

/**
 * The caption in paragraphs.
 * @param {string} href the address
 * @param {Subject} subject
 * @param {{ text?: string, sight?: string, isWhole?: boolean }} [more] `text`: what `textOf` says of the address; `sight`:
 *   which part of a list is drawn; `isWhole`: whether the address opens what is shown
 */
export function captionOf(href, { names, trainedOn, settings }, { text = "", sight = "", isWhole = true } = {}) {
  const { searchParams } = new URL(href);
  const page = pageOf(href);
  const tokenizers = TOKENIZERS.flatMap((name) => searchParams.getAll(name));
  const trains = page === "train" || page === "algorithms";
  const isTrained = trains || tokenizers.includes("trained");
  const skipped = [...TOKENIZERS, ...TEXTS, ...SAYS_NOTHING, ...OF_TRAINING];
  const chosen = [...searchParams]
    .filter(([name, value]) => value && !name.endsWith(".z") && !skipped.includes(name))
    .map(([name, value]) => [name, shortened(value, 24)])
    .map(([name, value]) => (name === "step" ? t("step {number}", { number: value }) : `${name.replaceAll("_", " ")} ${value}`));
  const facts = [
    pageTitle(page),
    text ? t("\u201c{text}\u201d", { text: shortened(text, LONGEST_TEXT) }) : "",
    trains ? trainedOn : "",
    [...new Set(tokenizers.map((name) => names[name] ?? name))].join(", "),
    isTrained && !trains ? t("trained on {text}", { text: trainedOn }) : "",
    isTrained && page !== "algorithms" ? settings : "",
    ...chosen,
    sight,
  ];
  const link = !isWhole || href.length > LONGEST_LINK ? "" : href;
  return [facts.filter(Boolean).join(" \u00b7 "), link].filter(Boolean);
}

/**
 * The beginning of the text that an address holds, as it is or packed (".z"); "" where it holds none.
 * @param {string} href
 */
export async function textOf(href) {
  const { searchParams } = new URL(href);
  for (const name of TEXTS) {
    const plain = searchParams.get(name);
    if (plain) return plain;
    const packed = searchParams.get(`${name}.z`);
    if (packed) return unpacked(packed);
  }
  return "";
}

/**
 * The first characters of a text that is packed as links do: zlib, in base64 for addresses. "" where it is damaged.
 * @param {string} code
 */
async function unpacked(code) {
  try {
    const bytes = Uint8Array.from(atob(code.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
    const { value } = await reader.read();
    reader.cancel().catch(() => {});
    return new TextDecoder().decode(value?.subarray(0, 8 * LONGEST_TEXT), { stream: true });
  } catch {
    return "";
  }
}

/**
 * The page of an address; the first one has no name in it.
 * @param {string} href
 */
function pageOf(href) {
  const last = new URL(href).pathname.split("/").filter(Boolean).at(-1) ?? "train";
  return last === "home" ? "train" : last;
}

/**
 * The name of the file: "bpe-lab-train-step-256-tokens".
 * @param {string} href
 * @param {string} view what is drawn, in words
 */
export function fileNameOf(href, view) {
  const step = new URL(href).searchParams.get("step");
  const words = ["bpe-lab", pageOf(href), step ? `step-${step}` : "", view];
  return words
    .map((word) =>
      word
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-|-$/g, "")
        .slice(0, 40),
    )
    .filter(Boolean)
    .join("-");
}

/**
 * A text on one line, shortened between characters. What cannot be seen is named in brackets, as what turns a line around.
 * @param {string} text
 * @param {number} longest
 */
export function shortened(text, longest) {
  const chars = [...text.replace(/\s+/gu, " ").trim()];
  if (chars.length <= longest) return named(chars.join(""));
  const cut = chars.slice(0, longest - 1).join("");
  return named(cut.replace(/(?:\u200d|\ufe0f)+$/u, "")) + "\u2026"; // of an emoji that is cut
}

/** @param {string} text on one line */
function named(text) {
  const pieces = shownPieces(text);
  return pieces.map(({ text: shown, mark }) => (mark.startsWith("m name") ? `[${shown}]` : mark === "m sp" ? " " : shown)).join("");
}

/** @param {string} page */
function pageTitle(page) {
  const titles = {
    train: t("Train"),
    encode: t("Encode"),
    compare: t("Compare"),
    vocabulary: t("Vocabulary"),
    algorithms: t("Algorithms"),
    pipeline: t("Pipeline"),
    lessons: t("Lessons"),
  };
  return titles[/** @type {keyof titles} */ (page)] ?? page;
}
