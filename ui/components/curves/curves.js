// @ts-check
// Curves over the steps, and their mark, which arrives by another component of this script.

import { onNextCall } from "../calls.js";
import { takePendingSeek } from "../seek.js";
import { find } from "../page.js";
import { mountDrawing } from "../published.js";
import { Tooltip, showCaptions } from "../tokens/drawing.js";
import { readHead, readPayload } from "../tokens/payload.js";
import { Curve } from "./curve.js";

/** @typedef {import("./geometry.js").CurvesBody} CurvesBody */
/**
 * `mark`: whose mark is drawn (by the name of its curves and their rev), and which of its values is that of the first curve.
 * @typedef {CaptionsHead & { kind: "curves", rev: string, name: string,
 *   mark: { name: string, of: string, value: number } }} CurvesHead
 */
/** @typedef {{ kind: "mark", name: string, of: string, step: number, values: number[] }} MarkHead */

/** @type {Set<CurvesView>} */
const views = new Set(); // on the page, each of which knows whose mark is its
/** @type {Map<string, MarkHead>} */
const marks = new Map(); // which may arrive before the curves do
/** @type {WeakMap<HTMLElement, CurvesView>} */
const mountedCurves = new WeakMap();

class CurvesView {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.place = find(root, ".curves", HTMLElement);
    this.tip = new Tooltip(find(root, ".tip", HTMLElement));
    /** @type {string | null} */
    this.rev = null;
    this.marked = { name: "", of: "", value: 0 };
    /** @type {Curve[]} */
    this.curves = [];
  }

  /**
   * @param {Uint8Array} data
   * @param {CurvesHead} head
   */
  update(data, head) {
    showCaptions(this.root, head);
    /** @type {{ body: CurvesBody | null }} */
    const { body } = readPayload(data, this.rev);
    if (body) this.draw(body);
    this.rev = head.rev;
    this.marked = head.mark;
    this.mark(marks.get(head.mark.name));
  }

  /** @param {CurvesBody} body */
  draw(body) {
    const { curves } = this;
    if (curves.length !== body.curves.length) {
      this.curves = body.curves.map((_, at) => curves[at] ?? new Curve(this.tip));
      this.place.replaceChildren(...this.curves.map(({ el }) => el));
    }
    this.curves.forEach((curve, at) => curve.draw(body, body.curves[at]));
  }

  /**
   * Moves the mark, if it is about these curves.
   * @param {MarkHead | undefined} mark
   */
  mark(mark) {
    const { name, of, value } = this.marked;
    if (mark?.name !== name || mark.of !== of) return;
    this.curves.forEach((curve, at) => curve.mark(mark.step, mark.values[value + at]));
  }
}

/** @param {Mount} component */
function show({ data, parentElement: root }) {
  /** @type {CurvesHead | MarkHead} */
  const head = readHead(data);
  const { name } = head;
  if (head.kind === "mark") {
    marks.set(name, head);
    for (const view of views) view.mark(head);
    return;
  }
  const view = mountedCurves.get(root) ?? new CurvesView(root);
  mountedCurves.set(root, view);
  views.add(view);
  view.update(data, head);
}

/** @param {Mount} component */
export default function (component) {
  const { parentElement: root } = component;
  onNextCall(root, mountDrawing(component, show));
  return () => {
    const view = mountedCurves.get(root);
    if (!view) return; // a mark
    mountedCurves.delete(root);
    views.delete(view);
    takePendingSeek(); // whoever left the page wants no step any more
  };
}
