// One card per algorithm: the result of this step, and a table of the candidates for the next one.

import { OPENS } from "../../bridge/outbox.ts";
import { View } from "../../bridge/view.ts";
import { find, make } from "../../page/elements.ts";
import { joinedChips } from "../../tokens/drawing.ts";
import { t } from "../../i18n/words.ts";
import type { ChipWire } from "../../tokens/spans.ts";

type CardRow = [chips: ChipWire[], cells: string[], tone: string, says: string, share: number | null];

interface FailedCard {
  title: string;
  problem: string[];
}

interface DrawnCard {
  title: string;
  rule: string;
  progress: string;
  finished: boolean;
  size: string;
  did: (string | ChipWire[])[];
  tone: string; // of what the step did
  asks: string;
  columns: string[];
  rows: CardRow[];
  foot: string;
  usable: boolean;
}

interface CardsBody {
  cards: (FailedCard | DrawnCard)[];
  rows: number; // space reserved
  places: string[]; // where a card's tokenizer can be opened
}

const COLUMNS = [["--narrow", 2], ["--wide", 4]] as const; // cards in a row, of a usual and a very wide window

const MANY = 2; // minimum number of columns that leave no space for bars in a narrow card

function frameOf(title: string, rule: string) {
  const card = make("section", "card");
  card.setAttribute("aria-label", title);
  const top = make("div", "top");
  top.append(make("h2", "", title), make("span", "rule", rule));
  card.append(top);
  return card;
}

function failed({ title, problem }: FailedCard) {
  const card = frameOf(title, t("cannot be trained here"));
  card.append(...problem.map((line, at) => make("p", at ? "why" : "why first", line)));
  return card;
}

/** @param least rows for which space is reserved */
function drawn(data: DrawnCard, least: number) {
  const card = frameOf(data.title, data.rule);
  const now = make("div", "now");
  const progress = make("span", data.finished ? "progress finished" : "progress", data.progress);
  now.append(progress, make("span", "size", data.size));
  const did = make("p", data.tone ? `did ${data.tone}` : "did");
  did.append(...data.did.map((part) => (typeof part === "string" ? part : pairOf(part))));
  for (const pair of did.querySelectorAll<HTMLElement>(".pair")) pair.tabIndex = 0; // lights it: ../../lights
  card.append(now, did, make("p", "asks", data.asks), tableOf(data, least), make("p", "foot", data.foot));
  return card;
}

/** Menu that opens a card's finished tokenizer on another page. */
function menuOf(title: string, places: string[], use: (place: number) => void) {
  const menu = make("select", "use");
  menu.setAttribute("aria-label", t("Use the finished {algorithm} tokenizer", { algorithm: title }));
  menu.append(...[t("Use in \u2026"), ...places].map((place) => make("option", "", place)));
  menu.options[0].disabled = true;
  menu.options[0].hidden = true;
  menu.selectedIndex = 0;
  menu.onchange = () => {
    if (menu.selectedIndex > 0) use(menu.selectedIndex - 1);
    menu.selectedIndex = 0;
  };
  return menu;
}

function pairOf(chips: ChipWire[]) {
  const group = make("span", "pair");
  group.append(...joinedChips(chips));
  for (const chip of group.querySelectorAll("[data-id]")) {
    chip.setAttribute("title", chip.textContent ?? ""); // for truncated text
    chip.removeAttribute("data-id");
  }
  return group;
}

function tableOf({ columns, rows, title }: DrawnCard, least: number) {
  const table = make("table");
  table.setAttribute("aria-label", t("{algorithm}: what the next step considers", { algorithm: title }));
  if (rows.length) {
    const head = make("tr");
    const bars = rows.some(([, , , , share]) => share !== null);
    table.classList.toggle("many", columns.length > MANY);
    columns.forEach((column, at) => {
      const cell = make("th", at ? "number" : "", column);
      cell.scope = "col";
      head.append(cell);
    });
    if (bars) head.append(make("td", "bars")); // bars and words need no header
    head.append(make("td", "says"));
    table.createTHead().append(head);
    table.createTBody().append(...rows.map((row) => rowOf(row, bars, columns.length + 2)));
  }
  const box = make("div", "table");
  box.style.setProperty("--rows", String(least));
  box.append(table);
  return box;
}

/**
 * @param bars whether the table has a column of bars
 * @param width in columns
 */
function rowOf([chips, cells, tone, says, share]: CardRow, bars: boolean, width: number) {
  const row = make("tr", tone);
  if (tone === "gap") {
    const cell = make("td", "", `\u22ee ${says}`);
    cell.colSpan = width;
    row.append(cell);
    return row;
  }
  const first = make("td");
  first.append(pairOf(chips));
  row.append(first, ...cells.map((cell) => make("td", "number", cell)));
  if (bars) {
    const bar = make("td", "bars");
    const fill = make("span", "fill");
    fill.style.width = `${Math.max(1, 100 * (share ?? 0))}%`;
    bar.append(fill);
    row.append(bar);
  }
  row.append(make("td", "says", says));
  return row;
}

export class AlgorithmCards extends View {
  private drawn: string[] = []; // the cards as text

  static markup() {
    return [make("div", "cards")];
  }

  update(component: Mount) {
    const { head, body } = this.open<{ rev: string; step: number }, CardsBody>(component);
    const cards = find(this.root, ".cards", HTMLElement);
    cards.dataset.step = String(head.step); // read by tests
    if (!body) return;
    const { style } = cards.parentElement ?? cards;
    for (const [name, most] of COLUMNS) style.setProperty(name, String(Math.min(most, body.cards.length)));
    const now = body.cards.map((card) => JSON.stringify([card, body.rows, body.places]));
    while (cards.children.length > now.length) cards.lastChild?.remove();
    body.cards.forEach((card, at) => {
      if (now[at] === this.drawn[at]) return; // of a finished algorithm, whose menu may be open
      const old = cards.children[at] ?? cards.appendChild(make("div"));
      old.replaceWith(this.card(card, at, body));
    });
    this.drawn = now;
  }

  private card(card: FailedCard | DrawnCard, at: number, { rows, places }: CardsBody) {
    if ("problem" in card) return failed(card);
    const el = drawn(card, rows);
    if (card.usable) {
      const top = find(el, ".top", HTMLElement);
      top.classList.add("usable");
      top.append(menuOf(card.title, places, (place) => this.outbox?.act(OPENS, [at, place])));
    }
    return el;
  }
}
