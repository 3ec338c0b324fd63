// @ts-check
// Curves over the steps, and their mark, which arrives by another component of this script.

import { askedBefore } from "../going.js";
import { find } from "../page.js";
import { drawn } from "../relayed.js";
import { Tooltip, showCaptions } from "../tokens/drawing.js";
import { readHead, readPayload } from "../tokens/payload.js";
import { Curve } from "./curve.js";

/** @typedef {import("./geometry.js").CurvesBody} CurvesBody */
/** @typedef {CaptionsHead & { kind: "curves", rev: string, name: string }} CurvesHead */
/** @typedef {{ kind: "mark", name: string, of: string, step: number, values: number[] }} MarkHead */

/** @type {Map<string, CurvesView>} */
const views = new Map(); // by name, so that a mark finds its curves
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
    this.mark(marks.get(head.name));
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
    if (mark?.of === this.rev) this.curves.forEach((curve, at) => curve.mark(mark.step, mark.values[at]));
  }
}

/** @param {Mount} component */
function show({ data, parentElement: root }) {
  /** @type {CurvesHead | MarkHead} */
  const head = readHead(data);
  const { name } = head;
  if (head.kind === "mark") {
    marks.set(name, head);
    views.get(name)?.mark(head);
    return;
  }
  const view = mountedCurves.get(root) ?? new CurvesView(root);
  mountedCurves.set(root, view);
  views.set(name, view);
  view.update(data, head);
}

/** @param {Mount} component */
export default function (component) {
  const { parentElement: root } = component;
  const end = drawn(component, show);
  return () => {
    end();
    const view = mountedCurves.get(root);
    if (!view) return; // a mark
    mountedCurves.delete(root);
    for (const [name, each] of views) if (each === view) views.delete(name);
    askedBefore(); // whoever left the page wants no step any more
  };
}
