// Caption of a picture: the text, the tokenizer, the settings, and the link that opens it. All are read from the URL,
// so that words and link agree: choices have the names that links use.

import { t } from "../i18n/words.ts";

import { shownPieces } from "../tokens/marks.ts";

const LONGEST_TEXT = 60; // characters
const LONGEST_LINK = 300;
const TOKENIZERS = ["with", "of", "left", "right", "model"];
const TEXTS = ["text", "sentence", "word", "texts", "user"];
const SAYS_NOTHING = ["own", "files", "from", "copy", "written", "sample", "modules"];
const OF_TRAINING = [
  ...["vocab_size", "unit", "split", "end_of_word", "normalization", "lowercase", "strip_accents", "tie_break"],
  ...["base_order", "min_count", "special_tokens", "byte_fallback", "base", "corpus"],
];

/** Details that a URL does not spell out: names of tokenizers and samples, and the corpus of the training. */
export interface Subject {
  names: Record<string, string>;
  trainedOn: string;
  settings: string;
}

/**
 * Paragraphs of the caption.
 * @param href URL of the page
 * @param more `text`: result of `textOf` for the URL; `sight`: the drawn part of a list; `isWhole`: whether the URL
 *   opens exactly this view
 */
export function captionOf(
  href: string,
  { names, trainedOn, settings }: Subject,
  { text = "", sight = "", isWhole = true }: { text?: string; sight?: string; isWhole?: boolean } = {},
) {
  const { searchParams } = new URL(href);
  const page = pageOf(href);
  const tokenizers = TOKENIZERS.flatMap((name) => searchParams.getAll(name));
  const trains = page === "train" || page === "algorithms";
  const isTrained = trains || tokenizers.includes("trained");
  const skipped = [...TOKENIZERS, ...TEXTS, ...SAYS_NOTHING, ...OF_TRAINING];
  const chosen = [...searchParams]
    .filter(([name, value]) => value && !name.endsWith(".z") && !skipped.includes(name))
    .map(([name, value]) => [name, shortened(value, 24)])
    .map(([name, value]) =>
      name === "step" ? t("step {number}", { number: value }) : `${name.replaceAll("_", " ")} ${value}`,
    );
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

/** Beginning of the text in a URL, plain or compressed (".z"); "" without one. */
export async function textOf(href: string) {
  const { searchParams } = new URL(href);
  for (const name of TEXTS) {
    const plain = searchParams.get(name);
    if (plain) return plain;
    const packed = searchParams.get(`${name}.z`);
    if (packed) return unpacked(packed);
  }
  return "";
}

/** Decompress the first characters of a text in a link: zlib, in URL-safe base64. "" if it is damaged. */
async function unpacked(code: string) {
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

/** Page of a URL; the default page has no name in it. */
function pageOf(href: string) {
  const last = new URL(href).pathname.split("/").filter(Boolean).at(-1) ?? "train";
  return last === "home" ? "train" : last;
}

/**
 * Name of the file, such as "bpe-lab-train-step-256-tokens".
 * @param view name of the view
 */
export function fileNameOf(href: string, view: string) {
  const step = new URL(href).searchParams.get("step");
  const words = ["bpe-lab", pageOf(href), step ? `step-${step}` : "", view];
  return words
    .map((word) =>
      word
        .toLowerCase()
        .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
        .replace(/^-|-$/g, "")
        .slice(0, 40),
    )
    .filter(Boolean)
    .join("-");
}

/**
 * Text on one line, shortened between characters. Invisible characters, such as direction marks, are named in brackets.
 */
export function shortened(text: string, longest: number) {
  const chars = [...text.replace(/\s+/gu, " ").trim()];
  if (chars.length <= longest) return named(chars.join(""));
  const cut = chars.slice(0, longest - 1).join("");
  return named(cut.replace(/(?:\u200d|\ufe0f)+$/u, "")) + "\u2026"; // of an emoji cut short
}

/** @param text on one line */
function named(text: string) {
  const pieces = shownPieces(text);
  return pieces
    .map(({ text: shown, mark }) => (mark.startsWith("m name") ? `[${shown}]` : mark === "m sp" ? " " : shown))
    .join("");
}

function pageTitle(page: string) {
  const titles = {
    train: t("Train"),
    encode: t("Encode"),
    compare: t("Compare"),
    vocabulary: t("Vocabulary"),
    algorithms: t("Algorithms"),
    pipeline: t("Pipeline"),
    lessons: t("Lessons"),
  };
  return titles[page as keyof typeof titles] ?? page;
}
