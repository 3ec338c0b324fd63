// @ts-check
// A chart of values in rows. The marks are pictures with a tooltip; a screen reader is told the row's values as text.

import { endOfAxis, ticksTo } from "../axis.js";
import { shownNumber } from "../numbers.js";
import { find, make, makeSvg } from "../page.js";
import { Tooltip } from "../tokens/drawing.js";
import { readPayload } from "../tokens/payload.js";
import { t } from "../words.js";
import { SHAPES, largestOf, placeOf, rangeOfRow, wordsOf } from "./shapes.js";

/** @typedef {import("./shapes.js").DotRow} DotRow */
/** @typedef {import("./shapes.js").DotsBody} DotsBody */

const MOST_TICKS = 8;

/** @type {WeakMap<HTMLElement, Dots>} */
const views = new WeakMap();

class Dots {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.place = find(root, ".dots", HTMLElement);
    this.tip = new Tooltip(find(root, ".tip", HTMLElement));
    /** @type {string | null} */
    this.rev = null;
    /** @type {WeakMap<Element, string>} */
    this.words = new WeakMap(); // of each mark
    this.place.onpointerover = ({ target }) => this.pointAt(target);
    this.place.onpointerleave = () => this.tip.hide();
  }

  /** @param {Uint8Array} data */
  update(data) {
    /** @type {{ head: { rev: string, label: string }, body: DotsBody | null }} */
    const { head, body } = readPayload(data, this.rev);
    this.rev = head.rev;
    if (body) this.draw(body, head.label);
  }

  /**
   * @param {DotsBody} body
   * @param {string} label
   */
  draw(body, label) {
    this.tip.hide();
    const most = largestOf(body);
    const legend = make("ul", "legend");
    legend.append(
      ...body.names.map((name, at) => {
        const item = make("li", "", name);
        item.prepend(markOf(at, false));
        return item;
      }),
    );
    const plot = make("div", "plot");
    const rows = make("div", "rows");
    rows.setAttribute("role", "list");
    rows.setAttribute("aria-label", label);
    rows.append(...body.rows.map((row, at) => this.row(body, row, most, at + 1)));
    const { grid, numbers } = axisOf(most);
    grid.style.gridRow = `1 / span ${body.rows.length}`;
    plot.append(grid, rows, numbers, make("div", "axis", body.axis));
    this.place.replaceChildren(legend, plot);
  }

  /**
   * @param {DotsBody} body
   * @param {DotRow} row
   * @param {number} most
   * @param {number} line of the grid
   */
  row(body, row, most, line) {
    const el = make("div", "row");
    el.setAttribute("role", "listitem");
    const track = make("div", "track");
    track.setAttribute("aria-hidden", "true");
    const range = rangeOfRow(row);
    if (range) {
      const bar = make("i");
      bar.style.left = placeOf(range[0], most);
      bar.style.width = placeOf(range[1] - range[0], most);
      track.append(bar);
    }
    row[1].forEach((value, at) => {
      if (value === null) return;
      const mark = markOf(at, row[2][at] > 0);
      mark.style.left = placeOf(value, most);
      this.words.set(mark, t("{row}, {value}", { row: row[0], value: wordsOf(body, row, at) }));
      track.append(mark);
    });
    const said = row[1].map((_, at) => wordsOf(body, row, at)).filter(Boolean);
    const name = make("span", "name", row[0]);
    name.style.gridRow = track.style.gridRow = String(line);
    el.append(name, track, make("span", "said", said.join("; ") || t("no value")));
    return el;
  }

  /** @param {EventTarget | null} target */
  pointAt(target) {
    const mark = target instanceof Element ? target.closest(".mark") : null;
    const words = mark && this.words.get(mark);
    if (mark && words) this.tip.say(mark.getBoundingClientRect(), make("div", "", words));
    else this.tip.hide();
  }
}

/**
 * The lines of the axis, and the numbers below them.
 * @param {number} most
 */
function axisOf(most) {
  const { ticks, digits } = ticksTo(endOfAxis(most), MOST_TICKS);
  const grid = make("div", "grid");
  const numbers = make("div", "numbers");
  numbers.setAttribute("aria-hidden", "true");
  for (const value of ticks) {
    const line = make("i");
    const number = make("span", "", shownNumber(value, digits));
    line.style.left = number.style.left = placeOf(value, most);
    grid.append(line);
    numbers.append(number);
  }
  return { grid, numbers };
}

/**
 * The mark of a name: its shape in its colour.
 * @param {number} at
 * @param {boolean} isHollow
 */
function markOf(at, isHollow) {
  const kind = at % SHAPES.length;
  const kinds = `mark m${kind}${isHollow ? " hollow" : ""}`;
  const svg = makeSvg("svg", { class: kinds, viewBox: "-7 -7 14 14", "aria-hidden": "true" });
  svg.append(makeSvg("path", { d: SHAPES[kind] }));
  return svg;
}

/** @param {Mount} component */
export default function ({ data, parentElement: root }) {
  const view = views.get(root) ?? new Dots(root);
  views.set(root, view);
  view.update(data);
  return () => {
    view.tip.hide();
    views.delete(root);
  };
}
