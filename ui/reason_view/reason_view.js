// Why two tokenizers differ at one place: each one's tokens under each other, then the sentence with the evidence.

const shownRev = new WeakMap();

/** A token (a list, see makeChip), or text that is no token. */
function makePiece(piece) {
  if (Array.isArray(piece)) return makeChip(piece);
  const el = make("span", "piece");
  for (const [shown, isHex] of piece.text) {
    if (isHex) el.append(make("span", "hex", shown));
    else appendText(el, shown);
  }
  return el;
}

function makeSide({ name, tokens, cuts, rest }) {
  const pieces = make("div", "pieces");
  tokens.forEach((token, at) => {
    if (cuts.includes(at)) {
      const cut = make("span", "cut", "\u2702");
      cut.title = "the split cuts here";
      cut.setAttribute("role", "img");
      cut.setAttribute("aria-label", "cut by the split");
      pieces.append(cut);
    }
    const el = makePiece(token);
    if (!Array.isArray(token)) el.title = "dropped by the split";
    pieces.append(el);
  });
  if (rest) pieces.append(make("span", "dim", `\u2026 ${rest.toLocaleString("en")} more`));
  const ids = tokens.filter(Array.isArray).map(([id]) => id);
  const shown = ids.length ? `${ids.length === 1 ? "id" : "ids"} ${ids.join(", ")}${rest ? ", \u2026" : ""}` : "no token";
  return [make("div", "side-name", name), pieces, make("div", "ids", shown)];
}

export default function ({ data, parentElement: root }) {
  const { head, body } = readPayload(data, shownRev.get(root));
  if (!body) return;
  shownRev.set(root, head.rev);
  const title = make("p", "title");
  title.append(make("strong", "", body.title), make("span", "dim", body.gloss));
  const sides = make("div", "sides");
  sides.append(...body.sides.flatMap(makeSide));
  const sentence = make("p", "sentence");
  sentence.append(...body.sentence.map(part => typeof part === "string" ? part : makePiece(part)));
  root.querySelector(".reason").replaceChildren(title, sides, sentence);
}
