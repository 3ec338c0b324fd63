// A table with a field that searches it, on one card.

import { build } from "../page/elements.ts";
import { Kept } from "./kept.ts";
import { card } from "./layout.ts";
import { Place } from "./place.ts";
import { bytesOf, type Frame } from "./recording.ts";
import { foundIn } from "./search.ts";

export class SearchedTable {
  readonly card: HTMLElement;
  private readonly place: Place;
  private readonly field: HTMLInputElement;
  private readonly column: string;
  private readonly wanted: Kept<string>;
  private frame: Frame;

  /**
   * @param name of the card; `key`: of the table
   * @param says label of the field
   * @param column title in English of what is searched
   */
  constructor(name: string, key: string, says: string, column: string, frame: Frame) {
    this.place = new Place("token_table", key);
    this.column = column;
    this.frame = frame;
    this.field = build("input", { type: "search", placeholder: says, "aria-label": says, maxlength: "100" });
    this.wanted = new Kept(`search ${key}`, "");
    this.field.value = this.wanted.value;
    this.field.oninput = () => this.draw();
    this.card = card(`searched ${name}`, this.field, this.place.host);
    this.draw();
  }

  /** Show other rows, searched for the same. */
  show(frame: Frame) {
    this.frame = frame;
    this.draw();
  }

  private draw() {
    this.wanted.value = this.field.value;
    this.place.draw(bytesOf(foundIn(this.frame, this.field.value, this.column)));
  }
}
