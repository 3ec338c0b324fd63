// One view as a picture: in the page's colours or those of print, with its title and a caption.

import { linkForOthers } from "../page/link.ts";
import { t } from "../i18n/words.ts";
import { PRINT } from "../page/print.ts";
import { captionOf, fileNameOf, type Subject } from "./caption.ts";
import { pictureOf } from "./markup.ts";
import { headingOf } from "./place.ts";
import { Walk } from "./walk.ts";

export interface PictureOptions {
  print: boolean;
  caption: boolean;
}

interface Picture {
  svg: string;
  width: number;
  height: number;
  name: string;
}

const AROUND = 16; // pixels
const LEAST_WIDTH = 480; // pixels, for the title and the caption
const SCALE = 2; // of PNG
const MOST_SIDE = 16_000; // limits of a canvas: pixels per side, and in total
const MOST_PIXELS = 120_000_000;
const STILL =
  "*, *::before, *::after { transition: none !important; animation: none !important; content-visibility: visible !important } .lit:not(.selected, .special) { outline: none !important }";

/**
 * Draw a view as an SVG file. RangeError if it has too many elements.
 * @param text result of `textOf` for the URL
 */
export function drawnView(root: HTMLElement, options: PictureOptions, subject: Subject, text: string): Picture {
  return held(root, options.print, () => {
    const box = root.getBoundingClientRect();
    const walk = new Walk({ x: box.left - AROUND, y: box.top - AROUND });
    const whole = {
      left: box.left - AROUND,
      top: box.top - AROUND,
      right: box.right + AROUND,
      bottom: box.bottom + AROUND,
    };
    const around = { clip: whole, opacity: 1, level: 0 };
    for (const child of root.children) walk.walk(child, around); // without the view's frame: the picture is one
    const reach = walk.reach ?? whole;
    const width = Math.max(reach.right - reach.left, Math.min(LEAST_WIDTH, box.width));
    const style = getComputedStyle(root);
    const paint = (colour: string) => walk.paint(colour, around)?.fill ?? "#808080";
    const { heading, isInside } = headingOf(root);
    const title = heading?.textContent?.trim() ?? "";
    const sight = sightOf(root, walk.hides);
    const href = linkForOthers(location.href);
    const isWhole = document.documentElement.dataset.link !== "too long"; // a link that is too long is incomplete
    const caption = options.caption ? captionOf(href, subject, { text, sight, isWhole }) : [sight].filter(Boolean);
    const drawn = pictureOf({
      width: width + 2 * AROUND,
      height: reach.bottom - reach.top + 2 * AROUND,
      parts: walk.parts(),
      shift: { x: box.left - reach.left, y: box.top - reach.top },
      ground: options.print ? "#ffffff" : paint(groundOf(root)),
      ink: paint(style.color),
      dim: paint(style.getPropertyValue("--st-gray-text-color") || style.color),
      title: isInside ? "" : title,
      caption,
    });
    return { ...drawn, name: fileNameOf(href, title || viewName(root)) };
  });
}

/** Convert a picture to PNG, at twice its size on the page. */
export async function pngOf({ svg, width, height }: Picture): Promise<Blob> {
  const scale = Math.min(SCALE, MOST_SIDE / Math.max(width, height), Math.sqrt(MOST_PIXELS / (width * height)));
  const image = new Image(width, height);
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg);
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new RangeError("too large"))), "image/png"),
  );
}

/** Draw while a view is static and complete, in print colours if `isPrint`. */
function held<Result>(root: HTMLElement, isPrint: boolean, draw: () => Result): Result {
  const tree = root.getRootNode();
  const holder = tree instanceof ShadowRoot ? tree : document;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STILL);
  holder.adoptedStyleSheets = [...holder.adoptedStyleSheets, sheet];
  const own = root.getAttribute("style");
  try {
    if (isPrint) for (const [name, value] of PRINT) root.style.setProperty(name, value);
    if (isPrint) recolourCharts(root, true);
    return draw();
  } finally {
    if (isPrint) recolourCharts(root, false);
    if (own === null) root.removeAttribute("style");
    else root.setAttribute("style", own);
    holder.adoptedStyleSheets = holder.adoptedStyleSheets.filter((each) => each !== sheet);
  }
}

/** Draw every chart of a view, including those not scrolled into view yet. */
export async function chartsDrawn(root: HTMLElement) {
  const drawing: Promise<void>[] = [];
  for (const plot of root.querySelectorAll(".plot"))
    plot.dispatchEvent(new CustomEvent("bpe-lab-draw", { detail: drawing }));
  await Promise.all(drawing);
}

/** Recolour charts, which do not inherit the page's styles: views/plot/chart.ts replaces their colours. */
function recolourCharts(root: HTMLElement, isPrint: boolean) {
  for (const plot of root.querySelectorAll(".plot"))
    plot.dispatchEvent(new CustomEvent("bpe-lab-picture", { detail: isPrint }));
}

function viewName(root: HTMLElement) {
  const title = root.querySelector(".title strong")?.textContent;
  return title ?? root.querySelector("[aria-label]:not(.picture)")?.getAttribute("aria-label") ?? "view";
}

/** Visible part of a list; "" if all of it is visible. */
function sightOf(root: HTMLElement, hides: boolean) {
  if (!hides) return "";
  const grid = root.querySelector("[aria-rowcount]");
  if (!grid) return t("the part in sight");
  const total = Number(grid.getAttribute("aria-rowcount")) - 1;
  const box = grid.getBoundingClientRect();
  const rows = [...grid.querySelectorAll("[aria-rowindex]")]
    .filter((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return (
        (top + bottom) / 2 > box.top && (top + bottom) / 2 < box.bottom && Number(row.getAttribute("aria-rowindex")) > 1
      );
    })
    .map((row) => Number(row.getAttribute("aria-rowindex")) - 1);
  const number = (value: number) => value.toLocaleString("en-US");
  if (!rows.length || rows.length === total) return "";
  const values = { first: number(Math.min(...rows)), last: number(Math.max(...rows)), all: number(total) };
  return t("rows {first}\u2013{last} of {all}", values);
}

/** Background colour of a view, its own or an ancestor's. */
function groundOf(root: HTMLElement) {
  let node: Node | null = root;
  while (node) {
    if (node instanceof Element) {
      const colour = getComputedStyle(node).backgroundColor;
      if (colour !== "rgba(0, 0, 0, 0)" && colour !== "transparent") return colour;
    }
    node = node instanceof ShadowRoot ? node.host : node.parentNode;
  }
  return "#ffffff";
}
