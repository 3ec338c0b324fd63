// The page of an encoding: the text in tokens, and the token that was clicked.

import { t } from "../i18n/words.ts";
import { make } from "../page/elements.ts";
import { card, row } from "./layout.ts";
import { Place } from "./place.ts";
import { bytesOf, type Encoded } from "./recording.ts";
import { TokenCard } from "./token_card.ts";

export function encodingCards({ ids, text, tokens }: Encoded): HTMLElement[] {
  const hint = card("hint", make("p", "dim", t("Click a token to see where it came from.")));
  const token = new TokenCard(tokens, "token_table", hint, ids[0]);
  const flow = new Place("token_flow", "text view", { selected: (value) => token.open(chosen(ids, value)) });
  flow.draw(bytesOf(text));
  return [row(card("text", flow.host), hint, token.card)];
}

/** Id of a selection, [rev, command, number of the token]; null for none. */
function chosen(ids: number[], value: unknown) {
  return Array.isArray(value) ? (ids[value[2]] ?? null) : null;
}
