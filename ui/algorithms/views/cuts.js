// One word, cut by each algorithm: a row for each, with its pieces as chips and a line on why.

const shown = new WeakMap();

export default function ({ data, parentElement: root }) {
  const { head, body } = readPayload(data, shown.get(root));
  const list = root.querySelector(".cuts");
  list.setAttribute("aria-label", head.label);
  if (!body) return;
  shown.set(root, head.rev);
  list.replaceChildren(...body.rows.map(([title, chips, why]) => {
    const row = make("div", "row");
    const pieces = make("dd");
    const word = make("div", "word");
    word.append(...chips.map(makeChip));
    pieces.append(word, make("div", "why", why));
    row.append(make("dt", "", title), pieces);
    return row;
  }));
}
