// @ts-check
// Segmentation of one word by each algorithm: one row each, with the pieces as chips and a line of explanation.

import { find, make } from "../../page/elements.js";
import { makeChip } from "../../tokens/drawing.js";
import { readPayload } from "../../bridge/payload.js";

/** @typedef {[title: string, chips: ChipWire[], why: string]} SegmentedWire */

/** @type {WeakMap<HTMLElement, string>} */
const shownRevs = new WeakMap();

/** Elements before the first data. */
export function markup() {
  return [make("dl", "segmentations")];
}

/** @param {Mount} component */
export function draw({ data, parentElement: root }) {
  /** @type {{ head: { rev: string, label: string }, body: { rows: SegmentedWire[] } | null }} */
  const { head, body } = readPayload(data, shownRevs.get(root));
  const list = find(root, ".segmentations", HTMLElement);
  list.setAttribute("aria-label", head.label);
  if (!body) return;
  shownRevs.set(root, head.rev);
  const rows = body.rows.map(([title, chips, why]) => {
    const row = make("div", "row");
    const pieces = make("dd");
    const word = make("div", "word");
    word.append(...chips.map(makeChip));
    pieces.append(word, make("div", "why", why));
    row.append(make("dt", "", title), pieces);
    return row;
  });
  list.replaceChildren(...rows);
}
