// One card for each algorithm: what this step did, and a table of what the next one looks at. Keys step all of them.

const views = new WeakMap();
const PATIENCE = 4000;   // milliseconds after which a move that nobody answered counts as lost

class CardsView {
  constructor(root) {
    this.cards = root.querySelector(".cards");
    this.rev = null;
    this.sentAt = null;
    this.wanted = null;
    this.onKey = event => this.key(event);
    document.addEventListener("keydown", this.onKey);
  }

  update({ data, setTriggerValue }) {
    this.report = setTriggerValue;
    const { head, body } = readPayload(data, this.rev);
    Object.assign(this, { step: head.step, last: head.last, rev: head.rev, sentAt: null });
    const wanted = this.wanted;
    this.wanted = null;
    if (wanted !== null && wanted !== this.step) this.go(wanted);
    if (body) this.cards.replaceChildren(...body.cards.map(card => card.problem ? failed(card) : drawn(card, body.rows)));
    this.cards.dataset.step = this.step;   // tells a test what is drawn
  }

  get busy() { return this.sentAt !== null && performance.now() - this.sentAt < PATIENCE; }

  go(target) {
    target = Math.max(0, Math.min(this.last, target));
    if (this.busy) { this.wanted = target; return; }
    if (target === this.step) return;
    this.sent = target;
    this.sentAt = performance.now();
    this.report("move", target);
  }

  key(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const delta = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (delta === undefined || usesKeys(event.composedPath())) return;
    event.preventDefault();
    if (event.repeat && this.busy) return;   // a key held down goes as fast as the steps are drawn
    this.go((this.busy ? this.wanted ?? this.sent : this.step) + delta);
  }
}

/** Whether the focus is in something that moves by these keys itself. */
function usesKeys(path) {
  const own = "input, textarea, select, [contenteditable=true], [role=slider], [role=listbox], [role=grid], [role=tablist],"
    + " [role=radiogroup], [role=menu], [role=dialog], [role=tree], .rows";
  return path.some(el => el instanceof Element && el.matches(own));
}

function frameOf(title, rule) {
  const card = make("section", "card");
  card.setAttribute("aria-label", title);
  const top = make("div", "top");
  const name = make("h3", "", title);
  top.append(name, make("span", "rule", rule));
  card.append(top);
  return card;
}

function failed({ title, problem }) {
  const card = frameOf(title, "cannot be trained here");
  card.append(...problem.map((line, at) => make("p", at ? "why" : "why first", line)));
  return card;
}

function drawn(data, least) {
  const card = frameOf(data.title, data.rule);
  const now = make("div", "now");
  now.append(make("span", "progress", data.progress), make("span", "size", data.size));
  if (data.finished) now.firstChild.classList.add("finished");
  const did = make("p", "did");
  did.append(...data.did.map(part => typeof part === "string" ? part : pairOf(part)));
  card.append(now, did, make("p", "asks", data.asks), tableOf(data, least));
  card.append(make("p", "foot", data.foot));
  return card;
}

function pairOf(chips) {
  const group = make("span", "pair");
  chips.forEach((chip, at) => {
    if (at) group.append(make("span", "plus", "+"));
    const el = makeChip(chip);
    el.title = el.textContent;   // it may be cut off
    group.append(el);
  });
  return group;
}

function tableOf({ columns, rows, title }, least) {
  const table = make("table");
  table.setAttribute("aria-label", `${title}: what the next step looks at`);
  if (rows.length) {
    const head = make("tr");
    const bars = rows.some(row => row[4] !== null);
    columns.forEach((column, at) => {
      const cell = make("th", at ? "number" : "", column);
      cell.scope = "col";
      head.append(cell);
    });
    head.append(make("th", bars ? "bars" : "none"), make("th", "says"));
    table.createTHead().append(head);
    table.createTBody().append(...rows.map(row => rowOf(row, columns.length + 2)));
  }
  table.style.minHeight = 0;
  const box = make("div", "table");
  box.style.setProperty("--rows", least);
  box.append(table);
  return box;
}

function rowOf([chips, cells, tone, says, share], width) {
  const row = make("tr", tone);
  if (tone === "gap") {
    const cell = make("td", "", `\u22ee ${says}`);
    cell.colSpan = width;
    row.append(cell);
    return row;
  }
  const first = make("td", "piece");
  first.append(pairOf(chips));
  row.append(first, ...cells.map(cell => make("td", "number", cell)));
  const bar = make("td", "bars");
  if (share !== null) {
    const fill = make("span", "fill");
    fill.style.width = `${Math.max(1, 100 * share)}%`;
    bar.append(fill);
  }
  row.append(bar, make("td", "says", says));
  return row;
}

export default function (component) {
  const root = component.parentElement;
  if (!views.has(root)) views.set(root, new CardsView(root));
  views.get(root).update(component);
  return () => { document.removeEventListener("keydown", views.get(root)?.onKey); views.delete(root); };
}
