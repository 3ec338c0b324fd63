// The line that embeds a card of the page in another one: over everything, with a choice of the cards.

import { framedCards, framedLink, lineOf } from "../../embedded/cards.ts";
import { heightAlone } from "../../embedded/show.ts";
import { build, elementOf, make } from "../../page/elements.ts";
import { cardsOfPage } from "../../presenter/stage.ts";
import { t } from "../../i18n/words.ts";
import { copyButton, noteOf, openDialog, type ShownLink } from "./dialog.ts";

interface Embedding extends Omit<ShownLink, "link"> {
  /** Of the page; null if it is too long. */
  link: string | null;
  /** Setting without which no page may frame the app; "" if it is set. */
  framing: string;
}

/**
 * Show the line.
 * @param dressed element of the app, whose theme the dialog copies
 * @param closed is called when it is closed
 */
export function showEmbedding({ link, openers, command, framing }: Embedding, dressed: Element, closed: () => void) {
  const data = cardsOfPage();
  const cards = data && link !== null ? framedCards(data).filter(({ keys }) => elementOf(keys[0])) : [];
  const choice = build("select", {}, ...cards.map(({ title }) => build("option", {}, title)));
  const line = make("p", "link");
  const copy = copyButton(t("Copy embed code"), () => line.textContent ?? "");
  const notes = [
    cards.length ? "" : link === null ? t("Too long: save a lesson file") : t("There is no card to embed."),
    framing && t("No site is allowed to show this server in a frame yet: set {setting}.", { setting: framing }),
    openers === "others" ? "" : noteOf(openers, command),
  ];
  const chosen = build("label", {}, t("Card"), choice);
  const shown = build("div", { class: "embedding" }, chosen, line, ...notes.filter(Boolean).map((note) => make("p", "note", note)), copy);
  for (const el of [chosen, line, copy]) el.hidden = !cards.length;
  const write = () => {
    const card = cards[choice.selectedIndex];
    if (card && link !== null) line.textContent = lineOf(framedLink(link, card.name), `${card.title} \u00b7 BPE Lab`, heightAlone(card.keys));
  };
  choice.onchange = write;
  write();
  openDialog(dressed, t("Copy embed code"), [], closed, shown);
  choice.focus();
}
