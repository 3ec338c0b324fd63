// @ts-check
// One card per algorithm: the result of this step, and a table of the candidates for the next one.

import { View } from "../../bridge/view.js";
import { find, make } from "../../page/elements.js";
import { joinedChips } from "../../tokens/drawing.js";
import { t } from "../../i18n/words.js";

/** @typedef {[chips: ChipWire[], cells: string[], tone: string, says: string, share: number | null]} CardRow */
/** @typedef {{ title: string, problem: string[] }} FailedCard */
/**
 * @typedef {{ title: string, rule: string, progress: string, finished: boolean, size: string,
 *   did: (string | ChipWire[])[], asks: string, columns: string[], rows: CardRow[], foot: string,
 *   usable: boolean }} DrawnCard
 */
/**
 * @typedef {{ cards: (FailedCard | DrawnCard)[], rows: number, places: string[] }} CardsBody rows: space reserved, in
 *   rows; places: where a card's tokenizer can be opened
 */

const MANY = 2; // minimum number of columns that leave no space for bars in a narrow card

/**
 * @param {string} title
 * @param {string} rule
 */
function frameOf(title, rule) {
  const card = make("section", "card");
  card.setAttribute("aria-label", title);
  const top = make("div", "top");
  top.append(make("h2", "", title), make("span", "rule", rule));
  card.append(top);
  return card;
}

/** @param {FailedCard} card */
function failed({ title, problem }) {
  const card = frameOf(title, t("cannot be trained here"));
  card.append(...problem.map((line, at) => make("p", at ? "why" : "why first", line)));
  return card;
}

/**
 * @param {DrawnCard} data
 * @param {number} least rows for which space is reserved
 */
function drawn(data, least) {
  const card = frameOf(data.title, data.rule);
  const now = make("div", "now");
  const progress = make("span", data.finished ? "progress finished" : "progress", data.progress);
  now.append(progress, make("span", "size", data.size));
  const did = make("p", "did");
  did.append(...data.did.map((part) => (typeof part === "string" ? part : pairOf(part))));
  card.append(now, did, make("p", "asks", data.asks), tableOf(data, least), make("p", "foot", data.foot));
  return card;
}

/**
 * Menu that opens a card's finished tokenizer on another page.
 * @param {string} title
 * @param {string[]} places
 * @param {(place: number) => void} use
 */
function menuOf(title, places, use) {
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

/** @param {ChipWire[]} chips */
function pairOf(chips) {
  const group = make("span", "pair");
  group.append(...joinedChips(chips));
  for (const chip of group.querySelectorAll("[data-id]")) {
    chip.setAttribute("title", chip.textContent ?? ""); // for truncated text
    chip.removeAttribute("data-id");
  }
  return group;
}

/**
 * @param {DrawnCard} card
 * @param {number} least
 */
function tableOf({ columns, rows, title }, least) {
  const table = make("table");
  table.setAttribute("aria-label", t("{algorithm}: what the next step looks at", { algorithm: title }));
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
 * @param {CardRow} row
 * @param {boolean} bars whether the table has a column of bars
 * @param {number} width in columns
 */
function rowOf([chips, cells, tone, says, share], bars, width) {
  const row = make("tr", tone);
  if (tone === "gap") {
    const cell = make("td", "", `\u22ee ${says}`);
    cell.colSpan = width;
    row.append(cell);
    return row;
  }
  const first = make("td", "piece");
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
  static markup() {
    return [make("div", "cards")];
  }

  /** @param {Mount} component */
  update(component) {
    /** @type {{ head: { step: number }, body: CardsBody | null }} */
    const { head, body } = this.open(component);
    const cards = find(this.root, ".cards", HTMLElement);
    cards.dataset.step = String(head.step); // read by tests
    if (body) cards.replaceChildren(...body.cards.map((card, at) => this.card(card, at, body)));
  }

  /**
   * @param {FailedCard | DrawnCard} card
   * @param {number} at
   * @param {CardsBody} body
   */
  card(card, at, { rows, places }) {
    if ("problem" in card) return failed(card);
    const el = drawn(card, rows);
    if (card.usable) {
      const top = find(el, ".top", HTMLElement);
      top.classList.add("usable");
      top.append(menuOf(card.title, places, (place) => this.outbox?.act("used", [at, place])));
    }
    return el;
  }
}
