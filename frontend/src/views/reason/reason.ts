// Reason why two tokenizers differ in one region: the tokens of both, one above the other, then a sentence with the
// evidence.

import { View } from "../../bridge/view.ts";
import { shownNumber } from "../../page/numbers.ts";
import { build, find, make } from "../../page/elements.ts";
import { makePiece, piecesOf, type EvidenceWire, type SentenceWire } from "../../tokens/evidence.ts";
import { t, tn } from "../../i18n/words.ts";

interface SideWire {
  name: string;
  tokens: EvidenceWire[];
  boundaries: number[];
  rest: number;
}

interface ReasonBody {
  title: string;
  gloss: string;
  sides: SideWire[];
  sentence: SentenceWire;
}

function makeSide({ name, tokens, boundaries, rest }: SideWire) {
  const pieces = make("div", "pieces");
  tokens.forEach((token, at) => {
    if (boundaries.includes(at)) {
      const boundary = make("span", "boundary", "\u2702");
      boundary.title = t("the split boundaries here");
      boundary.setAttribute("role", "img");
      boundary.setAttribute("aria-label", t("boundary of the split"));
      pieces.append(boundary);
    }
    const el = makePiece(token);
    if ("text" in token) el.title = t("dropped by the split");
    pieces.append(el);
  });
  if (rest) pieces.append(make("span", "dim", t("\u2026 {count} more", { count: shownNumber(rest) })));
  return [make("div", "side-name", name), pieces, make("div", "ids", idsOf(tokens, rest))];
}

/**
 * Line with the ids of a side.
 * @param rest number of further tokens
 */
function idsOf(tokens: EvidenceWire[], rest: number) {
  const ids = tokens.flatMap((token) => ("text" in token ? [] : [token[0]]));
  if (!ids.length) return t("no token");
  return tn("id {ids}", "ids {ids}", ids.length, { ids: ids.join(", ") + (rest ? ", \u2026" : "") });
}

export class Reason extends View {
  static markup() {
    return [build("div", { class: "reason", "aria-live": "polite" })];
  }

  update(component: Mount) {
    const { body } = this.open<{ rev: string }, ReasonBody>(component);
    if (!body) return;
    const title = make("p", "title");
    title.append(make("strong", "", body.title), make("span", "dim", body.gloss));
    const sides = make("div", "sides");
    sides.append(...body.sides.flatMap(makeSide));
    const sentence = make("p", "sentence");
    sentence.append(...piecesOf(body.sentence));
    find(this.root, ".reason", HTMLElement).replaceChildren(title, sides, sentence);
  }
}
