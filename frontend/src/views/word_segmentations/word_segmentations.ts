// Segmentation of one word by each algorithm: one row each, with the pieces as chips and a line of explanation.

import { View } from "../../bridge/view.ts";
import { find, make } from "../../page/elements.ts";
import { chipsRunRtl, makeChip } from "../../tokens/drawing.ts";
import type { ChipWire } from "../../tokens/spans.ts";

type SegmentedWire = [title: string, chips: ChipWire[], why: string];

export class WordSegmentations extends View {
  static markup() {
    return [make("dl", "segmentations")];
  }

  update(component: Mount) {
    const { head, body } = this.open<{ rev: string; label: string }, { rows: SegmentedWire[] }>(component);
    const list = find(this.root, ".segmentations", HTMLElement);
    list.setAttribute("aria-label", head.label);
    if (body) list.replaceChildren(...body.rows.map(makeRow));
  }
}

function makeRow([title, chips, why]: SegmentedWire) {
  const row = make("div", "row");
  const pieces = make("dd");
  const word = make("div", "word");
  word.append(...chips.map(makeChip));
  if (chipsRunRtl(chips)) word.dir = "rtl";
  pieces.append(word, make("div", "why", why));
  row.append(make("dt", "", title), pieces);
  return row;
}
