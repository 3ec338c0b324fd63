// Shared by every view of tokens: reading the payload, invisible characters, colours, tooltips.
// Text reaches the page through text nodes and textContent only, so no input can become markup.

const PALETTE_SIZE = 8;

/** The colour of an id; the same hash as palette_index in spans.py. */
const colour = id => Math.imul(id, 2654435761) >>> 29;

/** A payload is one line of small things, then a body; the body is parsed only when `rev` is new. */
function readPayload(data, knownRev) {
  const head = readHead(data);
  const body = head.rev === knownRev ? null : JSON.parse(decoder.decode(data.subarray(data.indexOf(10) + 1)));
  return { head, body };
}

const decoder = new TextDecoder();
const readHead = data => JSON.parse(decoder.decode(data.subarray(0, data.indexOf(10))));

function make(tag, className, text) {
  const el = document.createElement(tag);
  if (className) el.className = className;
  if (text !== undefined) el.textContent = text;
  return el;
}

/** The words around a view: a title, a quiet line beside it, a line below. Without them the view stands alone. */
function showWords(root, { title, rest, caption }) {
  const over = root.querySelector(".over"), under = root.querySelector(".under");
  over.hidden = !title;
  under.hidden = !caption;
  over.firstElementChild.textContent = title;
  over.lastElementChild.textContent = rest;
  under.textContent = caption;
}

// ---- invisible characters -------------------------------------------------------------------------------

const NAMES = new Map([
  [0x00a0, "NBSP"], [0x00ad, "SHY"], [0x034f, "CGJ"], [0x061c, "ALM"], [0x200b, "ZWSP"], [0x200c, "ZWNJ"],
  [0x200d, "ZWJ"], [0x200e, "LRM"], [0x200f, "RLM"], [0x2028, "LSEP"], [0x2029, "PSEP"], [0x202f, "NNBSP"],
  [0x2060, "WJ"], [0xfeff, "BOM"], [0x0085, "NEL"], [0x0000, "NUL"], [0x001b, "ESC"], [0x007f, "DEL"],
  [0x000d, "CR"], [0x20e3, "KEYCAP"], [0xe007f, "TAG END"],
]);
const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\ud802\ud803\ud83a\ud83b][\udc00-\udfff]/;
const STRONG = /\p{L}/u;
const PLAIN = /^[\x21-\x7e]*$/;
const SPACE_THEN_PLAIN = /^ [\x21-\x7e]*$/;
const NEEDS_CARE = /[\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]|^\p{M}/u;
// Emoji sequences come first: inside one, joiners and selectors belong to the picture and stay as they are.
const CARE = new RegExp([
  "(?<emoji>\\u{1f3f4}[\\u{e0020}-\\u{e007e}]+\\u{e007f}|[#*0-9]\\ufe0f\\u20e3" +
    "|\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]*" +
    "(?:\\u200d\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]*)*)",
  "(?<space> )", "(?<newline>\\n)", "(?<tab>\\t)", "(?<wide>\\u3000)",
  "(?<hidden>[\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}\\u20e3])",
].join("|"), "gu");

/** The name a hidden character is shown by: NBSP, ZWJ, VS16, U+0007. */
function nameOf(char) {
  const code = char.codePointAt(0);
  if (NAMES.has(code)) return NAMES.get(code);
  if (code >= 0xfe00 && code <= 0xfe0f) return "VS" + (code - 0xfdff);
  if (code > 0xe0020 && code < 0xe007f) return "TAG " + String.fromCharCode(code - 0xe0000);
  if (code >= 0xe0100 && code <= 0xe01ef) return "VS" + (code - 0xe0100 + 17);
  return "U+" + code.toString(16).toUpperCase().padStart(4, "0");
}

/** Cuts text into what is shown: [{from, to, text, mark}], mark "" for text that shows itself. */
function shownPieces(text) {
  if (PLAIN.test(text) || !NEEDS_CARE.test(text)) return [{ from: 0, to: text.length, text, mark: "" }];
  const pieces = [];
  const add = (from, to, shown, mark) => {
    // a combining mark with nothing to stand on (first, or behind a drawn mark) gets a dotted circle
    const bare = !mark && (!pieces.length || pieces.at(-1).mark) && /^\p{M}/u.test(shown);
    if (bare) pieces.push({ from, to: from, text: "\u25cc", mark: "m circle" });
    if (to > from) pieces.push({ from, to, text: shown, mark: bare ? "" : mark });
  };
  let done = 0;
  for (const match of text.matchAll(CARE)) {
    const { emoji, space, newline, tab, wide } = match.groups;
    if (emoji) continue;
    const at = match.index, end = at + match[0].length;
    if (at > done) add(done, at, text.slice(done, at), "");
    if (space) add(at, end, "\u00b7", "m sp");
    else if (newline) add(at, end, "\u21b5", "m nl");
    else if (tab) add(at, end, "\u21e5", "m tab");
    else if (wide) add(at, end, "\u3000", "m wide");
    else add(at, end, nameOf(match[0]), "m name");
    done = end;
  }
  if (done < text.length) add(done, text.length, text.slice(done), "");
  return pieces;
}

/** Appends text with its marks to an element; with `breaks`, a newline within it also begins a line. */
function appendText(el, text, breaks = false) {
  if (PLAIN.test(text)) { el.append(text); return; }
  if (SPACE_THEN_PLAIN.test(text)) { el.append(make("u", "m sp lead", "\u00b7"), text.slice(1)); return; }
  for (const { from, to, text: shown, mark } of shownPieces(text)) {
    el.append(mark ? make("u", from === 0 && mark === "m sp" ? "m sp lead" : mark, shown) : shown);
    if (breaks && mark === "m nl" && to < text.length) el.append("\n");
  }
}

// ---- tokens of a payload --------------------------------------------------------------------------------

const encoder = new TextEncoder();
const hexOf = bytes => Array.from(bytes, b => b.toString(16).toUpperCase().padStart(2, "0")).join(" ");
const LONGEST_SHOWN = 200;

/** Reads the parallel lists of one payload; `at` counts from the first token sent. */
class Tokens {
  constructor(body) { Object.assign(this, body); this.length = this.ids.length; this.starts = null; }

  /** [char, first, last, of, hex] if the token begins within a character, else undefined. */
  head(at) { return this.parts[this.heads[at]]; }

  /** The same for a character that the token begins and leaves open. */
  tail(at) { return this.parts[this.tails[at]]; }

  /** The number of the character in which a token begins. */
  charStart(at) {
    if (!this.starts) {
      this.starts = new Array(this.length);
      let char = this.char;
      for (let i = 0; i < this.length; i++) { this.starts[i] = char; char += this.steps[i] ?? 0; }
    }
    return this.starts[at];
  }

  /** Whole text as people read it, split characters included. */
  reading(at) {
    return (this.head(at)?.[0] ?? "") + this.texts[at] + (this.tail(at)?.[0] ?? "");
  }

  hex(at) {
    const text = this.texts[at];
    const middle = text ? hexOf(encoder.encode(text.slice(0, LONGEST_SHOWN))) : "";
    return [this.head(at)?.[4], middle, this.tail(at)?.[4]].filter(Boolean).join(" ")
      + (text.length > LONGEST_SHOWN ? " \u2026" : "");
  }

  /** "bytes 1–2 of 3 of こ" for each part of a character that the token holds. */
  partNames(at) {
    return [this.head(at), this.tail(at)].filter(Boolean).map(([char, first, last, of]) =>
      `${first === last ? "byte " + first : `bytes ${first}\u2013${last}`} of ${of} of ${char}`);
  }

  range(at) {
    const first = this.charStart(at) + 1;
    const count = [...this.reading(at)].length;
    if (!count) return "no characters";
    return count === 1 ? `character ${first}` : `characters ${first}\u2013${first + count - 1}`;
  }

  /** What a screen reader says. */
  spoken(at) {
    const spoken = this.partNames(at).join(", ") || this.labels[at] || quoted(this.texts[at]);
    return `token ${this.first + at + 1}, id ${this.ids[at]}, ${spoken}` +
      (this.notes[at] ? `, ${this.notes[at]}` : "");
  }
}

/** The text as one would write it in code: "the", "\n", "\u200b". */
function quoted(text) {
  const cut = text.slice(0, LONGEST_SHOWN);
  const shown = JSON.stringify(cut).replace(/[^\x20-\x7e]/gu, c => /[\p{C}\p{Z}]/u.test(c)
    ? [...c].map(x => "\\u{" + x.codePointAt(0).toString(16) + "}").join("") : c);
  return text.length > LONGEST_SHOWN ? `${shown} \u2026 (${text.length.toLocaleString("en")} characters)` : shown;
}

/** Points a list's one tab stop at an option (or at none): the focus stays on the list, the option is named by id. */
function pointAt(list, el, spoken) {
  const old = list.querySelector(".cursor");
  if (old) { old.classList.remove("cursor"); old.removeAttribute("id"); }
  if (!el) { list.removeAttribute("aria-activedescendant"); return; }
  el.classList.add("cursor");
  el.id = "cursor";
  el.setAttribute("aria-label", spoken);
  list.setAttribute("aria-activedescendant", "cursor");
}

// ---- tooltip --------------------------------------------------------------------------------------------

class Tooltip {
  constructor(el) { this.el = el; }

  show(anchor, tokens, at, owner) {
    const line = (className, text) => make("div", className, text);
    const label = tokens.labels[at];
    const lines = [
      line("tip-title", `${owner ? owner + ": token" : "Token"} ${(tokens.first + at + 1).toLocaleString("en")} \u00b7 id ${tokens.ids[at]}`),
      line("tip-text", label ? `${label}${tokens.texts[at] ? " for " + quoted(tokens.texts[at]) : ""}`
        : tokens.texts[at] ? quoted(tokens.texts[at]) : ""),
      ...tokens.partNames(at).map(text => line("tip-part", text)),
      line("tip-hex", tokens.hex(at)),
      line("", tokens.range(at)),
      line("tip-note", tokens.notes[at] ?? ""),
    ];
    this.el.replaceChildren(...lines.filter(x => x.textContent));
    if (!this.el.matches(":popover-open")) this.el.showPopover();
    this.place(anchor.getClientRects()[0] ?? anchor.getBoundingClientRect());
  }

  /** Above the token if there is room, else below; never outside the window. */
  place(box) {
    const { offsetHeight: height, offsetWidth: width } = this.el;
    const top = box.top - height - 8 > 0 ? box.top - height - 8 : box.bottom + 8;
    this.el.style.left = Math.max(4, Math.min(box.left, innerWidth - width - 8)) + "px";
    this.el.style.top = top + "px";
  }

  get open() { return this.el.matches(":popover-open"); }

  hide() { if (this.open) this.el.hidePopover(); }
}

// ---- a token by itself ----------------------------------------------------------------------------------

/** [id, text] or [id, [[shown, is hex], …], above, special] → a chip. */
function makeChip([id, pieces, above, special]) {
  const chip = make("span", `t chip1 c${colour(id)}${special ? " special" : ""}`);
  chip.title = `id ${id}`;
  if (typeof pieces === "string") appendText(chip, pieces || "\u2205");
  else pieces.forEach(([shown, isHex]) => {
    const piece = make("span", isHex ? "hex" : "");
    if (isHex) piece.textContent = shown; else appendText(piece, shown);
    chip.append(piece);
  });
  if (!above) return chip;
  const group = make("span", "g");
  const over = make("span", "above");
  over.title = above.endsWith("\u2026") ? "these bytes are part of several characters of the text, of this one first"
    : "the character that these bytes are part of";
  appendText(over, above);
  group.append(over, chip);
  return group;
}
