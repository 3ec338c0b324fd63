// A picture as the text of an SVG file. All markup is written here, so that no text can become an element.

import { escapeMarkup } from "../page/elements.ts";

export type Attributes = Record<string, string | number | null | undefined>;

export const MONO_FONTS = "Consolas, Menlo, 'DejaVu Sans Mono', 'Noto Sans Mono CJK JP', monospace";
export const SANS_FONTS = "Arial, Helvetica, 'Liberation Sans', 'Noto Sans CJK JP', sans-serif";
export const CAPTION_LINE = 18;

const CAPTION_SIZE = 12;
const TITLE_SIZE = 15;
const TITLE_LINE = 30;
const SANS_WIDTH = 0.54; // width of a character, in units of the font size
const BROAD_WIDTH = 0.72;
const BROAD = /[A-Z%&=+@mw\u2026]/;
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{3fffd}]/u;
// Characters that XML 1.0 forbids in a document, even as references.
// eslint-disable-next-line no-control-regex
const FORBIDDEN_CHARS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** Escape text for use in an element or an attribute. */
export function escapeXml(text: string) {
  return escapeMarkup(text.replace(FORBIDDEN_CHARS, "\ufffd"));
}

/** Markup of an element; attributes without a value are omitted, children are already markup. */
export function element(tag: string, attributes: Attributes, children = "") {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => ` ${name}="${escapeXml(typeof value === "number" ? shortNumber(value) : String(value))}"`);
  return children ? `<${tag}${written.join("")}>${children}</${tag}>` : `<${tag}${written.join("")}/>`;
}

/** Markup of a line of text. */
export function textElement(text: string, attributes: Attributes) {
  return element("text", { ...attributes, "xml:space": "preserve" }, escapeXml(text));
}

/** Number of pixels, rounded to a tenth, without trailing zeros. */
export function shortNumber(value: number) {
  return String(Math.round(value * 10) / 10 || 0);
}

interface PictureData {
  width: number;
  height: number;
  parts: string[];
  shift: { x: number; y: number }; // of the parts
  ground: string;
  ink: string;
  dim: string;
  title: string;
  caption: string[]; // paragraphs
}

/** The whole file: background, title, drawing, caption. */
export function pictureOf({ width, height, parts, shift, ground, ink, dim, title, caption }: PictureData): {
  svg: string;
  width: number;
  height: number;
} {
  const border = 16;
  const room = width - 2 * border;
  const lines = caption.flatMap((paragraph) => brokenAt(paragraph, room / CAPTION_SIZE));
  const top = title ? TITLE_LINE : 0;
  const bottom = lines.length ? lines.length * CAPTION_LINE + 8 : 0;
  const whole = Math.ceil(height + top + bottom);
  const wide = Math.ceil(width);
  const sans = { "font-family": SANS_FONTS };
  const head = title
    ? textElement(title, { x: border, y: 26, ...sans, "font-size": TITLE_SIZE, "font-weight": 700, fill: ink })
    : "";
  const foot = lines.map((line, at) =>
    textElement(line, {
      x: border,
      y: height + top + 10 + CAPTION_LINE * at,
      ...sans,
      "font-size": CAPTION_SIZE,
      fill: dim,
    }),
  );
  const body = [
    element("title", {}, escapeXml(title || caption[0] || "BPE Lab")),
    element("rect", { width: wide, height: whole, fill: ground }),
    head,
    element("g", { transform: `translate(${shortNumber(shift.x)} ${shortNumber(top + shift.y)})` }, parts.join("\n") || " "),
    ...foot,
  ];
  const svg = element(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", width: wide, height: whole, viewBox: `0 0 ${wide} ${whole}`, role: "img" },
    `\n${body.filter(Boolean).join("\n")}\n`,
  );
  return { svg: svg + "\n", width: wide, height: whole };
}

/**
 * Break a paragraph into lines at spaces; a word longer than a line is broken anywhere.
 * @param room width of a line, in units of the font size
 */
export function brokenAt(text: string, room: number) {
  const lines: string[] = [""];
  let used = 0;
  for (const word of text.match(/\S+\s*|\s+/gu) ?? []) {
    const needed = widthOf(word.trimEnd());
    if (used && used + needed > room) {
      lines.push("");
      used = 0;
    }
    for (const char of word) {
      const one = widthOf(char);
      if (used && used + one > room && char.trim()) {
        lines.push("");
        used = 0;
      }
      lines[lines.length - 1] += char;
      used += one;
    }
  }
  return lines.map((line) => line.trimEnd());
}

function widthOf(text: string) {
  let width = 0;
  for (const char of text) width += WIDE.test(char) ? 1 : BROAD.test(char) ? BROAD_WIDTH : SANS_WIDTH;
  return width;
}
