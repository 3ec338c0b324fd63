// Table of tokens, texts and numbers. Only the visible rows are in the DOM, which keeps 16,000 rows fast.

import { View } from "../../bridge/view.ts";
import { currentStep, publishMerges, subscribeStep } from "../../bridge/current_step.ts";
import { seek } from "../../bridge/seek.ts";
import { clamp, shownNumber } from "../../page/numbers.ts";
import { closest, find, isOnStage, make } from "../../page/elements.ts";
import { isPrinting, whenPrinting } from "../../page/print.ts";
import { chipsRunRtl, joinedChips, showCaptions, wordChips, type CaptionsHead } from "../../tokens/drawing.ts";
import { readHead } from "../../bridge/payload.ts";
import {
  ROW,
  barShare,
  columnWidths,
  isLong,
  keptScroll,
  largestOf,
  rowAfterKey,
  rowOfNumber,
  rowsInSight,
  scrolledTo,
  type ColumnWire,
} from "./rows.ts";

interface TableBody {
  rows: number;
  columns: ColumnWire[];
}

interface TableHead extends CaptionsHead {
  kind: "table";
  rev: string;
  name: string;
  label: string;
  height: number | null;
  header: boolean;
  pickable: boolean;
  moving: boolean;
  /** The training whose steps are the rows, numbered in the first column. */
  of: string | null;
  tells: boolean;
  current: number | null;
  /** Reported with a picked row. */
  seenAt: number | null;
  none: string;
}

interface CursorHead {
  kind: "cursor";
  name: string;
  of: string; // rev of the table
  current: number | null;
}

const DEFAULT_HEIGHT = 400; // pixels, before the browser has laid the table out
const LONG_TEXT = 20; // characters; longer texts may be truncated, so they have a tooltip
const tables = new Set<TokenTable>(); // mounted tables, for cursors to find by name
const cursors = new Map<string, CursorHead>(); // current row by table; may arrive before or after the table's rows

export class TokenTable extends View {
  private readonly table: HTMLElement; // empty without rows: its picture would be empty, too
  private head: TableHead | null = null;
  private data: TableBody = { rows: 0, columns: [] };
  private readonly scroller = make("div", "scroll"); // kept when the rows change, and so is its focus
  private space = make("div", "space");
  private drawn = new Map<number, HTMLElement>();
  private largest: number[] = [];
  private current: number | null = null;
  private active = 0;
  private scrolled = 0; // pixels; reading it from the DOM would force a layout in the middle of a step
  private pressed: { x: number; y: number; choose: () => void } | null = null;
  private readonly observer = new ResizeObserver(() => this.resized());

  static markup() {
    return [make("div", "table")];
  }

  constructor(root: HTMLElement) {
    super(root);
    this.table = find(root, ".table", HTMLElement);
    this.listen();
    this.listenToPresses();
    this.onEnd(
      () => tables.delete(this),
      subscribeStep(() => this.head?.of && this.setCurrent(this.moved())),
      whenPrinting(() => this.fitPaper()),
    );
  }

  /** @param component rows, or the current row of another table */
  update(component: Mount) {
    const told = readHead<TableHead | CursorHead>(component.data);
    if (told.kind === "cursor") {
      cursors.set(told.name, told);
      for (const table of tables) if (table.head?.name === told.name) table.setCurrent(table.moved());
      return;
    }
    const { head, body } = this.open<TableHead, TableBody>(component);
    this.head = head;
    tables.add(this);
    showCaptions(this.root, head);
    if (body) {
      const { scrolled } = this;
      this.scrolled = keptScroll(scrolled, this.data.rows, body.rows);
      this.data = body;
      this.build(head);
      if (this.scrolled !== scrolled) this.scroller.scrollTop = this.scrolled;
      if (head.of && isWhole(body)) publishMerges(head.of, body.columns);
    }
    this.bound();
    this.scroller.classList.toggle("pickable", head.pickable);
    this.setCurrent(head.moving ? this.moved() : head.current, body !== null);
  }

  /** Redraw for print, or for the screen again. */
  private fitPaper() {
    if (!this.head) return;
    this.bound();
    for (const el of this.drawn.values()) el.remove();
    this.drawn.clear(); // drawn in order, as the rows of paper follow each other
    this.draw();
    if (!isPrinting()) this.scroller.scrollTop = this.scrolled;
  }

  /** Draw the rows of another height; on the stage the current one stays in sight. */
  private resized() {
    if (isOnStage() && this.current !== null) this.scrollTo(this.current);
    this.draw();
  }

  /** Height of the scroll area in px, known without a layout except on the stage, where a table fills its card. */
  private get height() {
    return (!isOnStage() && this.head?.height) || this.scroller.clientHeight || DEFAULT_HEIGHT;
  }

  /** Limit the height; in print all rows are visible. */
  private bound() {
    const height = isPrinting() ? 0 : this.head?.height;
    this.scroller.classList.toggle("paper", isPrinting());
    this.scroller.style.maxHeight = height ? `calc(var(--table-fill, ${height}px) - var(--table-less, 0px))` : "";
  }

  /** Current row of a table with `moving`: that of the player's step, which may be ahead of the server's. */
  private moved() {
    const step = currentStep(this.head?.of);
    return step === null ? this.cursor() : rowOfNumber(this.data.columns[0]?.cells ?? [], step);
  }

  /** Current row of these rows, if known; a cursor for other rows does not apply. */
  private cursor() {
    const cursor = cursors.get(this.head?.name ?? "");
    return cursor?.of === this.rev ? cursor.current : null;
  }

  private build({ label, header, none }: TableHead) {
    const { columns, rows } = this.data;
    this.scroller.tabIndex = 0;
    this.scroller.setAttribute("role", "grid");
    this.scroller.setAttribute("aria-label", label);
    this.scroller.setAttribute("aria-rowcount", String(rows + 1));
    const widths = columnWidths(columns);
    const tracks = widths.map(([least, most]) => `minmax(${least}em, ${most})`);
    this.scroller.style.setProperty("--columns", tracks.join(" "));
    this.scroller.style.setProperty("--least", widths.reduce((sum, [least]) => sum + least, 0) + "em");
    this.scroller.style.setProperty("--gaps", String(columns.length - 1));
    this.space = make("div", "space");
    this.space.setAttribute("role", "rowgroup");
    this.space.style.height = rows ? rows * ROW + "px" : "";
    if (!rows) this.space.append(emptyRow(none));
    this.scroller.replaceChildren(...(header ? [headOf(columns)] : []), this.space);
    this.drawn = new Map();
    if (!this.scroller.parentNode) this.table.append(this.scroller);
    this.largest = columns.map(largestOf);
    this.active = clamp(this.active, 0, Math.max(0, rows - 1));
    this.draw();
    if (this.scroller.hasAttribute("aria-activedescendant")) this.showActive(this.drawn.get(this.active) ?? null);
  }

  /** Draw the visible rows and remove the others. */
  private draw() {
    const { rows } = this.data;
    const { first, end } = isPrinting() ? { first: 0, end: rows } : rowsInSight(this.scrolled, this.height, rows);
    for (const [row, el] of this.drawn)
      if (row < first || row >= end) {
        el.remove();
        this.drawn.delete(row);
      }
    for (let row = first; row < end; row++) {
      if (this.drawn.has(row)) continue;
      const el = this.makeRow(row);
      this.drawn.set(row, el);
      this.space.append(el);
    }
  }

  private makeRow(row: number) {
    const el = make("div", "row");
    el.row = row;
    el.style.top = row * ROW + "px";
    el.setAttribute("role", "row");
    el.setAttribute("aria-rowindex", String(row + 2));
    if (row === this.current) {
      el.classList.add("current");
      el.setAttribute("aria-current", "true");
    }
    el.append(...this.data.columns.map((column, at) => cellOf(column, row, this.largest[at])));
    return el;
  }

  private listen() {
    this.scroller.onscroll = () => {
      if (isPrinting()) return;
      this.scrolled = this.scroller.scrollTop;
      this.draw();
    };
    this.scroller.onkeydown = (event) => this.key(event);
    this.scroller.onfocus = () => {
      if (this.scroller.matches(":focus-visible")) this.moveTo(this.current ?? this.active);
    };
    this.scroller.onblur = () => this.showActive(null);
    this.observer.observe(this.scroller);
  }

  /** Listen to presses: a press chooses the row where it began, even if other rows replace it before the release. */
  private listenToPresses() {
    const { root } = this;
    root.onpointerdown = (event) => {
      const row = closest(event, ".row")?.row;
      this.pressed = null;
      if (event.button || row === undefined) return;
      this.active = row;
      this.pressed = { x: event.clientX, y: event.clientY, choose: this.choice(row) };
    };
    root.onpointerup = ({ clientX, clientY }) => {
      const { pressed } = this;
      this.pressed = null;
      if (pressed && Math.hypot(clientX - pressed.x, clientY - pressed.y) < ROW / 2) pressed.choose();
    };
    root.onclick = (event) => {
      const row = closest(event, ".row")?.row;
      if (!event.detail && row !== undefined) this.pick(row); // keyboard or assistive technology
    };
  }

  private key(event: KeyboardEvent) {
    const row = rowAfterKey(event.key, this.active, this.scroller.clientHeight);
    if (row !== null) this.moveTo(row);
    else if (event.key === "Enter" || event.key === " ") this.pick(this.active);
    else return;
    event.preventDefault();
  }

  private moveTo(row: number) {
    this.active = clamp(row, 0, Math.max(0, this.data.rows - 1));
    this.scrollTo(this.active);
    this.draw();
    this.showActive(this.drawn.get(this.active) ?? null);
  }

  private showActive(el: HTMLElement | null) {
    const old = this.space.querySelector("#active");
    if (old) {
      old.removeAttribute("id");
      old.classList.remove("active");
    }
    if (!el) {
      this.scroller.removeAttribute("aria-activedescendant");
      return;
    }
    el.id = "active";
    el.classList.add("active");
    this.scroller.setAttribute("aria-activedescendant", "active");
  }

  /** Scroll the table's own scroll area, never the page. */
  private scrollTo(row: number) {
    const view = this.height - (this.head?.header ? ROW : 0);
    const scrolled = scrolledTo(row, this.scrolled, view);
    if (scrolled === this.scrolled) return;
    this.scrolled = scrolled;
    queueMicrotask(() => {
      this.scroller.scrollTop = this.scrolled; // in this frame after all views have drawn, because it forces a layout
    });
  }

  private pick(row: number) {
    this.active = row;
    this.choice(row)();
  }

  /** Action for choosing a row, independent of what the table shows when it runs. */
  private choice(row: number): () => void {
    const { head, rev } = this;
    if (!head?.pickable) return () => undefined;
    if (head.of) {
      const step = Number(this.data.columns[0].cells[row]);
      return () => seek(step);
    }
    if (!head.tells) return () => undefined;
    const picked = head.seenAt === null ? [rev, row] : [rev, row, head.seenAt];
    return () => this.outbox?.act("picked", picked);
  }

  private setCurrent(row: number | null, rebuilt = false) {
    if (!this.head || (row === this.current && !rebuilt)) return; // keep the user's scroll position
    const old = this.current === null ? undefined : this.drawn.get(this.current);
    if (old) {
      old.classList.remove("current");
      old.removeAttribute("aria-current");
    }
    this.current = row;
    if (row === null) return;
    this.active = row;
    this.scrollTo(row);
    this.draw();
    const el = this.drawn.get(row);
    if (el) {
      el.classList.add("current");
      el.setAttribute("aria-current", "true");
    }
  }
}

/** Whether a table contains all steps from the first one, without gaps. */
function isWhole({ rows, columns }: TableBody) {
  return rows > 0 && columns[0].cells[0] === 1 && columns[0].cells[rows - 1] === rows;
}

function headOf(columns: ColumnWire[]) {
  const head = make("div", "row head");
  head.setAttribute("role", "row");
  for (const column of columns) {
    const cell = make("div", "cell " + column.kind);
    const title = make("span", "title");
    title.append(...column.title.split(/(?<=\/)/).flatMap((part, at) => (at ? [make("wbr"), part] : [part])));
    cell.append(title);
    cell.setAttribute("role", column.title ? "columnheader" : "gridcell"); // a header without a name is meaningless
    if (column.kind === "share") cell.title = column.title; // for a truncated title
    head.append(cell);
  }
  return head;
}

/** Row of a table without rows. */
function emptyRow(text: string) {
  const row = make("div", "none");
  row.setAttribute("role", "row");
  const cell = make("span", "", text);
  cell.setAttribute("role", "gridcell");
  row.append(cell);
  return row;
}

/** @param largest number of the column */
function cellOf(column: ColumnWire, row: number, largest: number) {
  const value = column.cells[row];
  const cell = make("div", `cell ${column.kind} ${column.tones[row] ?? ""}`);
  if (isLong(value, column)) cell.classList.add("long");
  cell.setAttribute("role", "gridcell");
  if (value === null || value === undefined) return cell;
  if (typeof value === "object") {
    const chips = "pair" in value ? value.pair : "word" in value ? value.word : [value];
    if (("word" in value || chips.length > 1) && chipsRunRtl(chips)) cell.dir = "rtl"; // the second chip is on the left
    if ("word" in value) {
      cell.classList.add("word");
      cell.append(...wordChips(value));
    } else cell.append(...joinedChips(chips));
  } else if (column.kind === "bar") {
    const fill = make("span", "fill");
    fill.style.width = barShare(Number(value), largest) + "%";
    const track = make("span", "track");
    track.append(fill);
    cell.append(track, make("span", "value", shownNumber(Number(value), column.digits)));
  } else if (typeof value === "number") {
    if (column.kind === "share") cell.style.setProperty("--share", value.toFixed(3));
    cell.append(shownNumber(value, column.digits));
  } else {
    cell.textContent = value;
    if (value.length > LONG_TEXT) cell.title = value; // for truncated text
  }
  return cell;
}
