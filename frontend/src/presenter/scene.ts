// Layout of a scene: a headline over the whole width, and below it two containers side by side, each in the largest
// type in which all of it fits, down to a legible minimum.

import { markRoom, ruleOf, type Scene } from "./acts.ts";
import { classOf, elementOf, inside, zoomOf } from "../page/elements.ts";

const HEADLINE = 0.25; // of the height
const ROOM = 0.5; // of the window's height: with less there is no headline, for example above a long answer
const MAIN = 0.56; // of the width
const ALL = 9_999; // px of table: higher than any window
const LEAST_TABLE = 90; // px
const LARGEST = 3.6;
const RATIO = 0.95; // between two sizes
const DRAWN = ".flow .t, .row, .choice, .words p";
const LINE = 2; // height of a text's lines, in its type
const WIDEST = 2.7; // the same, spread over the height of the card
const SMALLEST = [0.78, 0.78, 0.93]; // legible from the back row: of headline, main, and table
const OF_CHOICES = 0.78; // of choices in place of the table; all of them have to be visible

const PART =
  "min-height: 0 !important; overflow: auto; overscroll-behavior: contain; outline: none; border: 0; border-radius: 0; --beside: 0;" +
  " --story-height: auto; --story-border: none; --story-padding: 0; --flow-fill: auto; --flow-height: 0; --tip-text: 1.9rem;" +
  " --picture-shown: none; --under-shown: none; --over-height: 1.5rem; --over-below: 0.3rem; --table-less: 0px; --full-shown: none; --brief-shown: block;";
const LINES = [
  "padding: 0.7rem 1.1rem 0.3rem !important; border-bottom: 1px solid var(--line-of-stage); display: flex !important; flex-direction: column; justify-content: safe center;",
  "padding: 0.5rem 0.9rem 0.3rem 1.1rem !important;",
  "padding: 0.5rem 1.1rem 0.3rem 0.9rem !important; border-inline-start: 1px solid var(--line-of-stage);",
];
const CHOICES = ".stApp :is(.st-key-text-choice, .st-key-candidates-as) { display: none !important; }";

/** Containers of the scene by key. */
export interface Parts {
  over: string;
  main: string;
  beside: string;
}

/** The scene's containers; null if one is not on the page. */
export function partsOf(scene: Scene | null): Parts | null {
  if (!scene) return null;
  const { over, main } = scene;
  const beside = scene.beside.find(elementOf);
  return beside !== undefined && elementOf(main) && elementOf(over) ? { over, main, beside } : null;
}

export class SceneLayout {
  private of = ""; // what is laid out
  private sizes: number[] = [];
  private start = false;
  private line = LINE;
  private last = { asked: "", rules: "", measured: "" }; // the request, the resulting rules, and the measured sizes

  /** Begin with the largest sizes again at the next layout. */
  renew() {
    this.of = "";
  }

  /**
   * Lay the containers out. Between steps sizes only decrease: growing and shrinking type would move what stays.
   * @param keys of the containers over all, large, and beside that
   * @param isStart whether nothing is merged yet: the sentences of that step are the longest
   * @param of what is shown: something else begins with the largest sizes
   * @param zoom of a card
   * @param draw applies rules
   */
  layOut({ over, main, beside }: Parts, of: string, isStart: boolean, width: number, height: number, zoom: number, draw: (rules: string) => void) {
    const headline = height < ROOM * innerHeight ? 0 : HEADLINE;
    const keys = [over, main, beside];
    const parts = keys.map(elementOf);
    const least = SMALLEST.map((size, at) => zoom * (inside(parts[at], ".choices").length ? OF_CHOICES : size));
    const sizes = least.map((size) => ladder(size, zoom * LARGEST));
    const isOther = this.of !== of || this.sizes.length !== keys.length;
    const asked = [of, isStart, width, height, zoom, ...keys, ...least].join("\n");
    if (!isOther && asked === this.last.asked) {
      draw(this.last.rules);
      if (measuredOf(keys) === this.last.measured) return;
    }
    const isDrawn = parts.every((part) => inside(part, DRAWN).length);
    this.of = isDrawn ? of : ""; // the first contents are still to come
    const now = isOther ? sizes.map(() => 0) : [...this.sizes];
    if (isOther) this.line = LINE;
    if (this.start !== isStart) now[0] = 0;
    this.start = isStart;
    const rules = (whole = false) => [CHOICES, ...keys.map((key, at) => (at || headline ? partRule(key, placeOf(at, headline, width, height), sizes[at][now[at]], LINES[at] + (at === 1 ? ` --flow-line: ${this.line};` : ""), whole) : hiddenRule(key)))].join("\n");
    draw(rules(true));
    const isFitting = (at: number, size: number) => {
      now[at] = size;
      draw(rules(true));
      return fits(parts[at]);
    };
    for (const at of keys.keys()) {
      if (!at && !headline) continue;
      if (at === 1 && this.line > LINE && !isFitting(at, now[at])) this.line = LINE;
      const last = sizes[at].length - 1;
      let [low, high] = [now[at], last]; // the first size that fits is between them
      if (low < high && !isFitting(at, low)) {
        low += 1;
        while (low < high) {
          const middle = (low + high) >> 1;
          if (isFitting(at, middle)) high = middle;
          else low = middle + 1;
        }
      }
      now[at] = low;
    }
    if (isOther) this.line = spread(parts[1], sizes[1][now[1]]);
    this.sizes = now;
    const final = rules();
    draw(final);
    this.last = { asked, rules: final, measured: measuredOf(keys) };
  }
}

/** Zoom factors from the largest to the smallest. */
function ladder(least: number, most: number) {
  const sizes = [];
  for (let size = most; size > least; size *= RATIO) sizes.push(Math.round(size * 100) / 100);
  return [...sizes, least];
}

interface Box {
  left: number;
  width: number;
  top: number;
  height: number;
}

/** Place of the headline, the large container, or the one beside it. */
function placeOf(at: number, headline: number, width: number, height: number): Box {
  const top = Math.round(height * headline);
  const main = Math.round(width * MAIN);
  if (!at) return { left: 0, width, top: 0, height: top };
  return { left: at === 1 ? 0 : main, width: at === 1 ? main : width - main, top, height: height - top };
}

/** @param whole whether tables show all rows, to find out whether these fit */
function partRule(key: string, place: Box, zoom: number, line: string, whole: boolean) {
  const fill = whole ? ALL : Math.max(LEAST_TABLE, Math.floor(place.height / zoom) - aroundTable(key));
  return ruleOf(key, { ...place, "padding-right": markRoom(innerWidth, innerHeight) }, zoom, `${PART} ${line} --table-fill: ${fill}px;`);
}

function hiddenRule(key: string) {
  return `.stApp .${classOf(key)}, .stApp .${classOf(key)} * { visibility: hidden !important; }`;
}

/** Pixels of a container above and below its table, before zoom. */
function aroundTable(key: string) {
  const el = elementOf(key);
  const [table] = inside(el, ".scroll");
  if (!el || !table) return 0;
  const zoom = zoomOf(el);
  return Math.ceil((table.getBoundingClientRect().top - el.getBoundingClientRect().top + el.scrollTop * zoom) / zoom) + 10;
}

/** Line height at which a text that leaves room fills its container. */
function spread(el: HTMLElement | null, zoom: number) {
  const [flow] = inside(el, ".flow");
  if (!el || !flow) return LINE;
  const { bottom, height } = flow.getBoundingClientRect();
  const room = el.getBoundingClientRect().bottom - bottom - 10 * zoom;
  return room > 0 && height > 0 ? Math.min(WIDEST, Math.floor((100 * LINE * (height + room)) / height) / 100) : LINE;
}

/** Sizes of all that is in the containers: with the same ones it is laid out as it is. */
function measuredOf(keys: string[]) {
  const sizes = keys.map(elementOf).flatMap(areasOf).map((each) => [each.scrollHeight, each.clientHeight, each.scrollWidth, each.clientWidth]);
  return [...sizes, keys.map(aroundTable)].join(";");
}

/** A container and what scrolls in it. */
function areasOf(el: HTMLElement | null) {
  return el ? [el, ...inside(el, ".scroll, .story, .words")] : [];
}

/** Whether all of a container is in sight. */
function fits(el: HTMLElement | null) {
  return areasOf(el).every((each) => each.scrollHeight <= each.clientHeight + 1 && each.scrollWidth <= each.clientWidth + 1);
}
