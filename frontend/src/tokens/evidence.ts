// Sentences with tokens, and with texts that are no tokens.

import { make } from "../page/elements.ts";
import { appendText, makeChip } from "./drawing.ts";
import type { Piece, ChipWire } from "./spans.ts";

/** A token, or text that is not a token. */
export type EvidenceWire = ChipWire | { text: Piece[] };

/** A sentence with tokens and texts in it. */
export type SentenceWire = (string | EvidenceWire)[];

/** Element of a token, or of a text. */
export function makePiece(piece: EvidenceWire) {
  if (!("text" in piece)) return makeChip(piece);
  const el = make("span", "piece");
  for (const [shown, isHex] of piece.text) {
    if (isHex) el.append(make("span", "hex", shown));
    else appendText(el, shown);
  }
  return el;
}

/** Nodes of a sentence. */
export function piecesOf(sentence: SentenceWire) {
  return sentence.map((part) => (typeof part === "string" ? part : makePiece(part)));
}
