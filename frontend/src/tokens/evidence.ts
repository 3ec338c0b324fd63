// Sentences with tokens, and with texts that are not tokens.

import { make } from "../page/elements.ts";
import { appendText, makeChip } from "./drawing.ts";
import { keyOf, type Piece, type ChipWire } from "./spans.ts";

/** A token, or text that is not a token. */
export type EvidenceWire = ChipWire | { text: Piece[] };

/** A sentence with tokens and texts in it. */
export type SentenceWire = (string | EvidenceWire)[];

/** Element of a token, or of a text. */
export function makePiece(piece: EvidenceWire) {
  if (!("text" in piece)) return makeChip(piece);
  const el = make("span", "piece");
  el.key = keyOf(piece.text);
  for (const [shown, isHex] of piece.text) {
    if (isHex) el.append(make("span", "hex", shown));
    else appendText(el, shown);
  }
  return el;
}

/**
 * Nodes of a sentence.
 * @param isReached whether its tokens are stops of the Tab key, which light them on the page
 */
export function piecesOf(sentence: SentenceWire, isReached = true) {
  return sentence.map((part) => {
    if (typeof part === "string") return part;
    const el = makePiece(part);
    if (isReached) el.tabIndex = 0;
    return el;
  });
}
