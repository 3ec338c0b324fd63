// Saves files and text from Streamlit's fields in the browser and offers them again beside the fields: a reload starts
// a new session, which has none of them. A saved file is restored to the field like one chosen from disk.

import { View } from "../../bridge/view.ts";
import { find, make, typeText } from "../../page/elements.ts";
import { t } from "../../i18n/words.ts";
import { changes, forget, keep, keptOn, type Kept } from "./store.ts";

type Kind = "files" | "text";

interface Data {
  shelf: string;
  field: string;
  kind: Kind;
  most: number;
  bytes: number;
  room: number;
  opened: string[];
  untilSent?: boolean;
  made?: [name: string, text: string] | null;
}

const AFTER_KEYS = 150; // milliseconds
const MEGABYTE = 1_000_000;

/** Shelf of a field, rebuilt for every payload. */
export class ShelfView extends View<Data> {
  static markup() {
    return [make("div", "shelf")];
  }

  private shelf: Shelf | null = null;

  update({ data }: Mount<Data>) {
    this.shelf?.end();
    this.shelf = new Shelf(find(this.root, ".shelf", HTMLElement), data);
    this.shelf.begin();
  }

  override end() {
    super.end();
    this.shelf?.end();
  }
}

class Shelf {
  private readonly place: HTMLElement;
  private readonly data: Data;
  private timer = 0;
  private turn = 0; // number of the redraw: an earlier one may have older content
  private save: (() => void) | null = null; // pending save of the last typed text
  private readonly ended = new AbortController();

  constructor(place: HTMLElement, data: Data) {
    this.place = place;
    this.data = data;
  }

  begin() {
    const { kind, made, shelf, untilSent } = this.data;
    const options = { capture: true, signal: this.ended.signal };
    if (kind === "files") {
      changes.addEventListener(shelf, () => this.redraw(), options);
      document.addEventListener("change", (event) => this.takeFiles(event, filesOf(event)), options);
      document.addEventListener("drop", (event) => this.takeFiles(event, event.dataTransfer?.files), options);
    } else {
      document.addEventListener("input", (event) => this.takeText(event), options);
      addEventListener("pagehide", () => this.saveNow(), options);
      if (untilSent) document.addEventListener("focusout", (event) => this.sent(event), options);
    }
    if (made) this.keep(made[0], new Blob([made[1]], { type: "application/json" }));
    this.redraw();
  }

  end() {
    this.ended.abort();
    this.saveNow();
  }

  private saveNow() {
    clearTimeout(this.timer);
    this.save?.();
    this.save = null;
  }

  /** Without storage, nothing is offered. */
  private async redraw() {
    const turn = (this.turn += 1);
    const kept = await keptOn(this.data.shelf).catch(() => []);
    if (turn === this.turn) this.draw(kept);
  }

  /** Without storage, nothing is saved. */
  private async keep(name: string, content: Blob | string) {
    await keep(this.data.shelf, name, content, this.data).catch(() => {});
  }

  private async takeFiles({ target }: Event, files: FileList | null | undefined) {
    if (!files?.length || !(target instanceof Element) || !this.isIn(target)) return;
    for (const file of Array.from(files)) await this.keep(file.name, file); // copied: the field empties the list
  }

  private takeText(event: Event) {
    const field = fieldOf(event);
    if (!event.isTrusted || !field || !this.isIn(field)) return;
    const [name, text] = [nameOf(field), field.value];
    clearTimeout(this.timer);
    this.save = () => void this.keep(name, text);
    this.timer = window.setTimeout(() => this.saveNow(), AFTER_KEYS);
  }

  private sent(event: Event) {
    const field = fieldOf(event);
    if (!field || !this.isIn(field)) return;
    clearTimeout(this.timer);
    this.save = null;
    this.forget(nameOf(field));
  }

  private async forget(name: string) {
    await forget(this.data.shelf, name).catch(() => {});
    this.redraw();
  }

  private isIn(el: Element) {
    return this.data.field !== "" && el.closest(this.selector()) !== null;
  }

  private selector() {
    return `[class*="st-key-${this.data.field.replace(/[^a-zA-Z0-9_-]/g, "-")}"]`;
  }

  private draw(kept: Kept[]) {
    if (this.ended.signal.aborted || !this.data.field) return;
    const offered = kept.filter(({ name, content }) => this.data.kind === "files" || this.valueOf(name) !== content);
    if (!offered.length) {
      this.place.replaceChildren();
      return;
    }
    const list = make("ul");
    list.append(...offered.map((each) => this.row(each)));
    const note = make("p", "", t("Kept in this browser, not on the server, until you delete it:"));
    const closed = offered.filter(({ name }) => !this.data.opened.includes(name));
    const fit = closed.slice(0, this.data.room).reverse(); // in the order in which they were opened
    if (fit.length > 1) list.append(this.allAgain(fit, closed.length));
    this.place.replaceChildren(note, list);
  }

  private allAgain(fit: Kept[], closed: number) {
    const count = fit.length;
    const label = count < closed ? t("Open the last {count} again", { count }) : t("Open all {count} again", { count });
    const row = make("li");
    const back = make("button", "", label);
    back.onclick = () => this.open(fit);
    row.append(make("span"), back);
    return row;
  }

  private row(kept: Kept) {
    const row = make("li");
    const shown = typeof kept.content === "string" ? kept.content.slice(0, 200) : kept.name;
    const size = t("{size} MB", { size: (kept.size / MEGABYTE).toFixed(1) });
    row.append(make("span", "", kept.size > MEGABYTE / 10 ? `${shown} · ${size}` : shown));
    const back = make("button", "", this.data.kind === "files" ? t("Open again") : t("Put back"));
    back.onclick = () => (this.data.kind === "files" ? this.open([kept]) : this.putBack(kept));
    const away = make("button", "", t("Delete"));
    away.onclick = () => this.forget(kept.name);
    for (const button of [back, away]) button.setAttribute("aria-label", `${button.textContent}: ${shown}`);
    row.append(back, away);
    return row;
  }

  private putBack({ name, content }: Kept) {
    const field = this.field(name);
    if (field && typeof content === "string") {
      field.focus();
      typeText(field, content);
    }
    this.redraw();
  }

  private open(kept: Kept[]) {
    const input = document.querySelector(`${this.selector()} input[type=file]`);
    if (!(input instanceof HTMLInputElement)) return;
    const files = new DataTransfer();
    for (const { name, content } of kept) {
      if (content instanceof Blob) files.items.add(new File([content], name, { type: content.type }));
    }
    input.files = files.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    this.redraw();
  }

  private field(name: string) {
    const fields = document.querySelectorAll(`${this.selector()} :is(textarea, input)`);
    return Array.from(fields, asField).find((field) => field && nameOf(field) === name) ?? null;
  }

  private valueOf(name: string) {
    return this.field(name)?.value;
  }
}

function filesOf(event: Event) {
  return event.target instanceof HTMLInputElement ? event.target.files : null;
}

function fieldOf(event: Event) {
  return event.target instanceof Element ? asField(event.target) : null;
}

function asField(el: Element) {
  return el instanceof HTMLTextAreaElement || (el instanceof HTMLInputElement && el.type === "text") ? el : null;
}

/** Name of a field: its label, which is the same in every session. */
function nameOf(field: HTMLTextAreaElement | HTMLInputElement) {
  return field.getAttribute("aria-label") ?? field.placeholder;
}
