// A table of tokens, texts and numbers. Only the rows in sight are in the page, so 16,000 rows stay quick.

const ROW = 36;        // pixels: every row is as high, so that a row's place is known without drawing it
const AROUND = 3;      // rows drawn above and below those in sight
const SHORT = 4;       // characters that every column has room for
const tables = new Map();   // by name, so that a cursor finds its table
const currents = new Map(); // the current row of each table, which may arrive before the table does
const mounted = new WeakMap();

class TableView {
  constructor(root) {
    this.whole = root;
    this.root = root.querySelector(".table");
    this.rev = null;
    this.current = null;
    this.active = 0;
    this.scrolled = 0;   // pixels; asking the browser would make it lay out the page at once, in the middle of a step
  }

  update({ data, setTriggerValue }) {
    this.report = setTriggerValue;
    const { head, body } = readPayload(data, this.rev);
    this.head = head;
    tables.set(head.name, this);
    showWords(this.whole, head);
    if (body) {
      this.rev = head.rev;
      this.data = body;
      this.build();
    }
    this.scroller.style.maxHeight = head.height ? head.height + "px" : "";
    this.scroller.classList.toggle("pickable", head.pickable);
    this.setCurrent(head.moving ? currents.get(head.name) ?? null : head.current, body !== null);
  }

  build() {
    const { columns, rows } = this.data;
    this.scroller = make("div", "scroll");
    this.scroller.tabIndex = 0;
    this.scroller.setAttribute("role", "grid");
    this.scroller.setAttribute("aria-label", this.head.label);
    this.scroller.setAttribute("aria-rowcount", rows + 1);
    const widths = columns.map(columnWidth);
    if (widths.length === 2 && !columns.some(column => column.kind === "number")) widths[1][1] = "1fr";   // a name and a fact
    this.scroller.style.setProperty("--columns", widths.map(([least, most]) => `minmax(${least}em, ${most})`).join(" "));
    this.scroller.style.setProperty("--least", widths.reduce((sum, [least]) => sum + least + 1, 1) + "em");
    this.top = make("div", "row head");
    this.top.setAttribute("role", "row");
    for (const column of columns) {
      const cell = make("div", "cell " + column.kind, column.title);
      cell.setAttribute("role", "columnheader");
      this.top.append(cell);
    }
    this.space = make("div", "space");
    this.space.setAttribute("role", "rowgroup");
    this.space.style.height = Math.max(1, rows) * ROW + "px";
    if (!rows) this.space.append(make("div", "none", "None."));
    this.scroller.append(...(this.head.header ? [this.top] : []), this.space);
    this.drawn = new Map();
    this.root.replaceChildren(this.scroller);
    this.largest = columns.map(column => column.kind === "bar" ? Math.max(1, ...column.cells.map(Number)) : 0);
    this.active = Math.min(this.active, Math.max(0, rows - 1));
    if (this.scrolled) this.scroller.scrollTop = this.scrolled;
    this.listen();
    this.draw();
  }

  /** Draws the rows in sight and drops the others. */
  draw() {
    const height = this.head.height || this.scroller.clientHeight || 400;
    const first = Math.max(0, Math.floor(this.scrolled / ROW) - AROUND);
    const last = Math.min(this.data.rows, Math.ceil((this.scrolled + height) / ROW) + AROUND);
    for (const [row, el] of this.drawn) if (row < first || row >= last) { el.remove(); this.drawn.delete(row); }
    for (let row = first; row < last; row++) {
      if (this.drawn.has(row)) continue;
      const el = this.makeRow(row);
      this.drawn.set(row, el);
      this.space.append(el);
    }
  }

  makeRow(row) {
    const el = make("div", "row");
    el.row = row;
    el.style.top = row * ROW + "px";
    el.setAttribute("role", "row");
    el.setAttribute("aria-rowindex", row + 2);
    if (row === this.current) { el.classList.add("current"); el.setAttribute("aria-current", "true"); }
    this.data.columns.forEach((column, at) => el.append(this.makeCell(column, row, this.largest[at])));
    return el;
  }

  makeCell(column, row, largest) {
    const value = column.cells[row];
    const cell = make("div", `cell ${column.kind} ${column.tones[row] ?? ""}`);
    if (column.kind !== "number" && cellLength(value ?? null, column.digits) > SHORT) cell.classList.add("long");
    cell.setAttribute("role", "gridcell");
    if (value === null || value === undefined) return cell;
    if (column.kind === "chip") cell.append(...chipCell(value));
    else if (column.kind === "bar") {
      const fill = make("span", "fill");
      fill.style.width = (value ? Math.max(1, 100 * value / largest) : 0) + "%";
      const track = make("span", "track");
      track.append(fill);
      cell.append(track, make("span", "value", shownNumber(value, column.digits)));
    } else if (typeof value === "number") {
      if (column.kind === "share") cell.style.setProperty("--share", value.toFixed(3));
      cell.append(shownNumber(value, column.digits));
    } else {
      cell.textContent = value;
      if (String(value).length > 20) cell.title = value;   // it may be cut off
    }
    return cell;
  }

  listen() {
    const { scroller } = this;
    scroller.onscroll = () => { this.scrolled = scroller.scrollTop; this.draw(); };
    scroller.onclick = event => {
      const row = event.target.closest?.(".row");
      if (row && row.row !== undefined) this.pick(row.row);
    };
    scroller.onkeydown = event => this.key(event);
    scroller.onfocus = () => { if (scroller.matches(":focus-visible")) this.moveTo(this.current ?? this.active); };
    scroller.onblur = () => this.showActive(null);
    this.observer?.disconnect();
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(scroller);
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / ROW) - 2);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -1e9, End: 1e9 }[event.key];
    if (step !== undefined) this.moveTo(this.active + step);
    else if (event.key === "Enter" || event.key === " ") this.pick(this.active);
    else return;
    event.preventDefault();
  }

  moveTo(row) {
    this.active = Math.max(0, Math.min(this.data.rows - 1, row));
    this.scrollTo(this.active);
    this.draw();
    this.showActive(this.drawn.get(this.active));
  }

  showActive(el) {
    const old = this.space.querySelector("#active");
    if (old) { old.removeAttribute("id"); old.classList.remove("active"); }
    if (!el) { this.scroller.removeAttribute("aria-activedescendant"); return; }
    el.id = "active";
    el.classList.add("active");
    this.scroller.setAttribute("aria-activedescendant", "active");
  }

  /** Moves only the table's own scroll area, never the page. */
  scrollTo(row) {
    const head = this.head.header ? ROW : 0;
    const top = row * ROW, view = (this.head.height || this.scroller.clientHeight) - head;
    if (top < this.scrolled) this.scrolled = top;
    else if (top + ROW > this.scrolled + view) this.scrolled = top + ROW - view;
    else return;
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => { this.scroller.scrollTop = this.scrolled; });
  }

  pick(row) {
    if (!this.head.pickable) return;
    this.active = row;
    this.report("picked", [this.rev, row]);
  }

  setCurrent(row, rebuilt = false) {
    if (!this.data || (row === this.current && !rebuilt)) return;   // do not undo the viewer's scrolling
    const old = this.drawn.get(this.current);
    if (old) { old.classList.remove("current"); old.removeAttribute("aria-current"); }
    this.current = row;
    if (row === null) return;
    this.active = row;
    this.scrollTo(row);
    this.draw();
    const el = this.drawn.get(row);
    if (el) { el.classList.add("current"); el.setAttribute("aria-current", "true"); }
  }
}

/** [least em, most] of a column: bars and shares take what the others leave. Rows are separate grids, so widths must not
    depend on one row. */
function columnWidth({ kind, title, digits, cells }) {
  if (kind === "bar") return [8, "1fr"];
  const longest = cells.reduce((most, cell) => Math.max(most, cellLength(cell, digits)), title.length);
  if (kind === "share") return [Math.max(4.5, 0.62 * longest + 1), "1fr"];
  const number = Math.max(2.4, 0.6 * longest + 0.2);
  if (kind === "number") return [number, number + "em"];
  const pairs = cells.some(cell => cell?.pair);   // two chips and a sign: room for a few letters in each
  const least = kind === "chip" ? 0.7 * Math.min(longest, pairs ? 11 : 5) + 1 : 0.66 * Math.min(longest, 8);
  const base = Math.max(least, 0.62 * title.length, 3);
  const full = kind === "chip" ? 0.7 * Math.min(longest, 40) + 1 : 0.6 * Math.min(longest, 48);
  return [base, Math.max(base, full) + "em"];
}

function cellLength(cell, digits) {
  if (cell === null) return 0;
  if (typeof cell === "number") return shownNumber(cell, digits).length;
  if (typeof cell === "string") return cell.length;
  if (cell.pair) return cell.pair.reduce((sum, chip) => sum + cellLength(chip, digits) + 2, 0);
  const [, pieces] = cell;
  return typeof pieces === "string" ? pieces.length : pieces.reduce((sum, [shown]) => sum + shown.length, 0);
}

function chipCell(value) {
  if (!value.pair) return [makeChip(value)];
  return value.pair.flatMap((chip, at) => at ? [make("span", "plus", "+"), makeChip(chip)] : [makeChip(chip)]);
}

const formats = new Map();   // making one is slow, using it is not

function shownNumber(value, digits) {
  if (!formats.has(digits)) {
    const options = digits === null ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
    formats.set(digits, new Intl.NumberFormat("en", options));
  }
  return formats.get(digits).format(value);
}

export default function (component) {
  const { data, parentElement: root } = component;
  const head = readHead(data);
  if (head.kind === "cursor") {
    currents.set(head.name, head.current);
    tables.get(head.name)?.setCurrent(head.current);
    return;
  }
  if (!mounted.has(root)) mounted.set(root, new TableView(root));
  mounted.get(root).update(component);
  return () => { if (tables.get(head.name) === mounted.get(root)) tables.delete(head.name); mounted.delete(root); };
}
