// Grid of a batch: one row of tokens per text, with ids, type ids and masks below. Pad cells are inconspicuous.

import { View } from "../../bridge/view.ts";
import { shownNumber } from "../../page/numbers.ts";
import { build, find, make } from "../../page/elements.ts";
import { appendText, makeChip } from "../../tokens/drawing.ts";
import { t } from "../../i18n/words.ts";
import { linesOf, overflowText, removedText, type RowWire, type BatchBody } from "./lines.ts";

const SLACK = 4; // pixels of rounding in browsers

/** @param added ids added to the vocabulary */
function makeRow(row: RowWire, added: Set<number>) {
  const body = make("tbody", row.piece ? "piece" : "");
  const lines = linesOf(row);
  const head = make("th", "name", row.name);
  head.scope = "rowgroup";
  head.rowSpan = 1 + lines.length + (row.removed.length || row.pieces ? 1 : 0);
  if (row.piece) head.append(make("span", "which", row.piece));
  const tokens = make("tr", "tokens");
  tokens.append(head, lineTitle(t("token")));
  row.chips.forEach((chip, at) => {
    const cell = make("td", row.kinds[at]);
    cell.append(makeChip(chip));
    tokens.append(cell);
  });
  if (row.rest) tokens.append(make("td", "rest", t("\u2026 {count} more", { count: shownNumber(row.rest) })));
  body.append(tokens);
  for (const { title, className, values } of lines) {
    const line = make("tr", className);
    line.append(lineTitle(title));
    values.forEach((value, at) => {
      const isNew = className === "ids" && added.has(value);
      const cell = make("td", row.kinds[at], value);
      if (className.startsWith("mask") && value) cell.classList.add("one");
      if (isNew) {
        cell.classList.add("new");
        cell.title = t("new to this vocabulary");
      }
      line.append(cell);
    });
    body.append(line);
  }
  if (row.removed.length || row.pieces) body.append(makeRemoved(row));
  return body;
}

function lineTitle(title: string) {
  const head = make("th", "line", title);
  head.scope = "row";
  return head;
}

/** Tokens removed by truncation, struck through, with their overflow. */
function makeRemoved({ removed, pieces, hidden, chips, rest }: RowWire) {
  const line = make("tr", "removed");
  const cell = make("td");
  cell.colSpan = Math.max(chips.length + (rest ? 1 : 0), 1);
  for (const [name, tokens, text] of removed) {
    const struck = make("del");
    appendText(struck, text);
    const part = make("span", "part", `${removedText(name, tokens)} `);
    part.append(struck);
    cell.append(part);
  }
  const overflow = overflowText(pieces, hidden);
  if (overflow) cell.append(make("span", "part", overflow));
  line.append(lineTitle(t("truncated")), cell);
  return line;
}

/** Fade the right edge while the row continues: cells look the same, so a cut-off row could pass for a complete one. */
function showWhetherItGoesOn(grid: HTMLElement) {
  grid.classList.toggle("goes-on", grid.scrollWidth - grid.clientWidth - grid.scrollLeft > SLACK);
}

export class Batch extends View {
  private readonly grid: HTMLElement;

  static markup() {
    return [build("div", { class: "batch", tabindex: "0", role: "region" })];
  }

  constructor(root: HTMLElement) {
    super(root);
    const grid = find(root, ".batch", HTMLElement);
    const watcher = new ResizeObserver(() => showWhetherItGoesOn(grid));
    watcher.observe(grid);
    grid.onscroll = () => showWhetherItGoesOn(grid);
    this.grid = grid;
    this.onEnd(() => watcher.disconnect());
  }

  update(component: Mount) {
    const { head, body } = this.open<{ rev: string; label: string }, BatchBody>(component);
    this.grid.setAttribute("aria-label", head.label);
    if (!body) return;
    const table = make("table");
    const added = new Set(body.added);
    table.append(...body.rows.map((row) => makeRow(row, added)));
    this.grid.replaceChildren(table);
    this.grid.dataset.rev = head.rev; // read by tests
    showWhetherItGoesOn(this.grid);
  }
}
