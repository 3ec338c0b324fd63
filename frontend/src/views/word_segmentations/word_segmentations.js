// @ts-check
// Segmentation of one word by each algorithm: one row each, with the pieces as chips and a line of explanation.

import { View } from "../../bridge/view.js";
import { find, make } from "../../page/elements.js";
import { chipsRunRtl, makeChip } from "../../tokens/drawing.js";

/** @typedef {[title: string, chips: ChipWire[], why: string]} SegmentedWire */

export class WordSegmentations extends View {
  static markup() {
    return [make("dl", "segmentations")];
  }

  /** @param {Mount} component */
  update(component) {
    /** @type {{ head: { label: string }, body: { rows: SegmentedWire[] } | null }} */
    const { head, body } = this.open(component);
    const list = find(this.root, ".segmentations", HTMLElement);
    list.setAttribute("aria-label", head.label);
    if (body) list.replaceChildren(...body.rows.map(makeRow));
  }
}

/** @param {SegmentedWire} wire */
function makeRow([title, chips, why]) {
  const row = make("div", "row");
  const pieces = make("dd");
  const word = make("div", "word");
  word.append(...chips.map(makeChip));
  if (chipsRunRtl(chips)) word.dir = "rtl";
  pieces.append(word, make("div", "why", why));
  row.append(make("dt", "", title), pieces);
  return row;
}
