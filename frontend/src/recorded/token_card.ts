// Card of the token that was clicked: where it comes from, as a sentence and a tree.

import { seek } from "../bridge/seek.ts";
import { t } from "../i18n/words.ts";
import { build, make } from "../page/elements.ts";
import { shownNumber } from "../page/numbers.ts";
import { Place } from "./place.ts";
import { bytesOf, type Training } from "./recording.ts";

export class TokenCard {
  readonly card = make("section", "card token");
  private readonly recording: Training;
  private readonly replaced: HTMLElement;
  private readonly heading = make("h2");
  private readonly goTo = build("button", { type: "button", class: "primary" });
  private readonly story = new Place("story", "token story");
  private readonly tree = new Place("tree", "token tree", { picked: (value) => this.openNode(value) });
  private nodes: number[] = []; // ids in the tree

  /** @param replaced card in whose place this one is shown */
  constructor(recording: Training, replaced: HTMLElement) {
    this.recording = recording;
    this.replaced = replaced;
    const close = build("button", { type: "button" }, t("Close"));
    close.onclick = () => this.open(null);
    const head = build("div", { class: "head" }, this.heading, this.goTo, close);
    this.card.append(head, this.story.host, this.tree.host);
    this.card.hidden = true;
  }

  /** @param id of the token; null closes the card */
  open(id: unknown) {
    const token = this.recording.tokens[String(id)];
    this.card.hidden = !token;
    this.replaced.hidden = !this.card.hidden;
    if (!token) return;
    this.heading.textContent = t("Token {id}", { id: shownNumber(Number(id)) });
    this.goTo.hidden = token.merge === null;
    this.goTo.textContent = t("Go to merge {number}", { number: shownNumber(token.merge ?? 0) });
    this.goTo.onclick = () => seek(token.merge ?? 0);
    this.story.draw(bytesOf(token.story));
    this.tree.host.hidden = token.tree === null;
    if (token.tree === null) return;
    this.nodes = JSON.parse(token.tree.slice(token.tree.indexOf("\n") + 1)).ids;
    this.tree.draw(bytesOf(token.tree));
  }

  private openNode(value: unknown) {
    if (Array.isArray(value)) this.open(this.nodes[value[1]]);
  }
}
