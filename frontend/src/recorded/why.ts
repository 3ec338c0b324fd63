// Cards that say why each algorithm segments the followed word as it does, with its finished vocabulary.

import { build, make } from "../page/elements.ts";
import { card } from "./layout.ts";
import { Place } from "./place.ts";
import { bytesOf, type Why } from "./recording.ts";

export class WhyCards {
  readonly host = make("div", "whys");
  private readonly places = new Map<string, Place>(); // by card, view and part: drawn again for the next word
  private shown: Why[] | null = null;

  /** @param whys of the algorithms; null for none */
  draw(whys: Why[] | null) {
    if (whys === this.shown) return;
    this.shown = whys;
    this.host.replaceChildren(...(whys ?? []).map((why, at) => this.card(why, at)));
  }

  private card({ title, rest, parts }: Why, at: number) {
    const drawn = parts.map(([view, content], part) => {
      if (typeof content === "string") return make("p", "dim", content);
      const key = `why ${at} ${view} ${part}`;
      const place = this.places.get(key) ?? new Place(view, key);
      this.places.set(key, place);
      place.draw(bytesOf(content));
      return place.host;
    });
    return card("why-word", build("h2", {}, title, " ", make("span", "dim", rest)), ...drawn);
  }
}
