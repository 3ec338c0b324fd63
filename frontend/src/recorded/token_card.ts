// Card of the token that was clicked: where it comes from, as a sentence and a tree.

import { seek } from "../bridge/seek.ts";
import { t } from "../i18n/words.ts";
import { build, make } from "../page/elements.ts";
import { shownNumber } from "../page/numbers.ts";
import { Kept, whenRedrawn } from "./kept.ts";
import { Place } from "./place.ts";
import { bytesOf, type OpenedToken } from "./recording.ts";
import { tell, whenTold } from "./wire.ts";

export class TokenCard {
  readonly card = make("section", "card token");
  private readonly tokens: Record<string, OpenedToken>;
  private readonly replaced: HTMLElement;
  private readonly heading = make("h2");
  private readonly goTo = build("button", { type: "button", class: "primary" });
  private readonly says: Place;
  private readonly tree = new Place("tree", "token tree", { picked: (value) => this.openNode(value) });
  private nodes: number[] = []; // ids in the tree
  private readonly opened: Kept<unknown>;
  private wanted: number | null = null; // token that is not recorded

  /**
   * @param view of the facts about a token
   * @param replaced card in whose place this one is shown
   * @param first id of the token that is opened first
   */
  constructor(
    tokens: Record<string, OpenedToken>,
    view: "story" | "token_table",
    replaced: HTMLElement,
    first: number | null = null,
  ) {
    this.opened = new Kept<unknown>("token", first);
    this.tokens = tokens;
    this.says = new Place(view, "token facts");
    this.replaced = replaced;
    const close = build("button", { type: "button" }, t("Close"));
    close.onclick = () => this.open(null);
    const head = build("div", { class: "head" }, this.heading, this.goTo, close);
    this.card.append(head, this.says.host, this.tree.host);
    whenRedrawn(
      whenTold(({ token }) => {
        if (!token) return;
        const [id, opened] = token;
        this.tokens[id] = opened;
        if (id === this.wanted) this.open(id);
      }),
    );
    this.open(this.opened.value);
  }

  /** @param id of the token; null closes the card */
  open(id: unknown) {
    this.opened.value = id;
    const token = this.tokens[String(id)];
    this.wanted = token || typeof id !== "number" ? null : id;
    if (this.wanted !== null) tell({ want: "token", of: this.wanted });
    this.card.hidden = !token;
    this.replaced.hidden = !this.card.hidden;
    if (!token) return;
    this.heading.textContent = t("Token {id}", { id: shownNumber(Number(id)) });
    this.goTo.hidden = token.merge === null;
    this.goTo.textContent = t("Go to merge {number}", { number: shownNumber(token.merge ?? 0) });
    this.goTo.onclick = () => seek(token.merge ?? 0);
    this.says.draw(bytesOf(token.says));
    this.tree.host.hidden = token.tree === null;
    if (token.tree === null) return;
    this.nodes = (token.tree[1] as { ids: number[] }).ids;
    this.tree.draw(bytesOf(token.tree));
  }

  private openNode(value: unknown) {
    if (Array.isArray(value)) this.open(this.nodes[value[1]]);
  }
}
