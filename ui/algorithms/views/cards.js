// One card for each algorithm: what this step did, and a table of what the next one looks at.

const shown = new WeakMap();

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
    if (bars) head.append(make("th", "bars"));
    head.append(make("th", "says"));
    table.createTHead().append(head);
    table.createTBody().append(...rows.map(row => rowOf(row, bars, columns.length + 2)));
  }
  const box = make("div", "table");
  box.style.setProperty("--rows", least);
  box.append(table);
  return box;
}

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
  row.append(first, ...cells.map(cell => make("td", "number", cell)));
  if (bars) {
    const bar = make("td", "bars"), fill = make("span", "fill");
    fill.style.width = `${Math.max(1, 100 * (share ?? 0))}%`;
    bar.append(fill);
    row.append(bar);
  }
  row.append(make("td", "says", says));
  return row;
}

export default function ({ data, parentElement: root }) {
  const { head, body } = readPayload(data, shown.get(root));
  const cards = root.querySelector(".cards");
  cards.dataset.step = head.step;   // tells a test what is drawn
  if (!body) return;
  shown.set(root, head.rev);
  cards.replaceChildren(...body.cards.map(card => card.problem ? failed(card) : drawn(card, body.rows)));
}
