// A text in all stages of a tokenizer. What is pointed at marks the same characters in every other stage.

const views = new WeakMap();
const KINDS = ["chars", "pieces", "words", "tokens", "out", "decoded"];
const PLURAL = { chars: "characters", pieces: "pieces", words: "words", tokens: "tokens", out: "ids", decoded: "pieces" };
const LONGEST_RUN = 24;   // unchanged characters that stand together
const number = n => n.toLocaleString("en");

/** Characters as people count them, from 1: 4, 4–6, or – for none. */
const counted = (start, end) => end <= start ? "\u2013" : end === start + 1 ? number(end) : `${number(start + 1)}\u2013${number(end)}`;

/** Text with its marks; combining marks by themselves stand on a dotted circle. */
function appendPiece(el, text) {
  if (/^\p{M}+$/u.test(text)) {
    el.append("\u25cc" + text);
    el.classList.add("alone");
  } else appendText(el, text);
}

/** Characters side by side, each by itself: a base and its accent do not melt into one. */
function appendEach(el, chars) {
  if (chars.length === 1) { appendPiece(el, chars[0]); return; }
  for (const char of chars) {
    const single = make("span", "single");
    appendPiece(single, char);
    el.append(single);
  }
}

class Stages {
  constructor(root) {
    this.stages = root.querySelector(".stages");
    this.card = root.querySelector(".card");
    this.rev = null;
    this.picked = null;
    this.hovered = null;
    this.marked = [];
    this.listen();
  }

  update({ data }) {
    const { head, body } = readPayload(data, this.rev);
    if (!body) return;
    this.rev = head.rev;
    this.info = body.stages;
    this.passages = body.passages;
    this.out = body.out;
    this.passages.forEach(passage => { passage.chars = [...passage.text]; });
    this.several = this.passages.length > 1;
    this.specials = this.passages.map(({ tokens }) => new Set(tokens.special));
    this.build();
  }

  // ---- building -----------------------------------------------------------------------------------------

  build() {
    this.picked = this.hovered = null;
    this.marked = [];
    this.items = Object.fromEntries(KINDS.map(kind => [kind, []]));
    this.flows = KINDS.map((kind, at) => {
      const flow = make("div", "flow");
      flow.kind = kind;
      flow.tabIndex = 0;
      flow.setAttribute("role", "listbox");
      flow.setAttribute("aria-label", `${this.info[at].title}: ${PLURAL[kind]}`);
      if (kind === "out") this.fillOutput(flow); else this.passages.forEach((_, p) => this.fill(flow, kind, p));
      if (!this.items[kind].length) flow.append(make("span", "rest", "nothing"));
      return flow;
    });
    this.stages.replaceChildren(...this.flows.map((flow, at) => this.row(flow, at)));
    this.stages.dataset.rev = this.rev;   // tells a test that all is built
    this.show(null);
  }

  row(flow, at) {
    const { title, setting, count, lost, quiet } = this.info[at];
    const row = make("section", "stage");
    const side = make("div", "side");
    const name = make("div", "title");
    name.append(make("span", "step", at ? at : ""), title);
    if (!at) name.firstChild.remove();
    side.append(name, make("div", "setting", setting));
    for (const [className, text] of [["count", count], ["quiet", quiet], ["lost", lost]]) {
      if (text) side.append(make("div", className, text));
    }
    const main = make("div", "main");
    main.append(flow);
    if (KINDS[at] === "decoded") this.passages.forEach(passage => this.tellLoss(main, passage));
    row.append(side, main);
    return row;
  }

  fill(flow, kind, p) {
    const passage = this.passages[p];
    if (this.several) flow.append(make("span", "name", passage.name));
    const list = passage[kind];
    const count = kind === "chars" ? list.length : list.text.length;
    const line = make("span", "line");
    for (let i = 0; i < count; i++) {
      const end = kind === "pieces" ? this.runEnd(passage, i) : i + 1;
      if (end > i + 1) {
        line.append(this.run(p, i, end));
        i = end - 1;
      } else line.append(this.item(kind, p, i));
      if (this.breaks(kind, passage, i)) line.append(make("span", "break"));
    }
    flow.append(line);
    const rest = kind === "chars" ? passage.total - count : kind === "decoded" ? 0 : list.rest;
    if (rest) flow.append(make("span", "rest", `\u2026 ${number(rest)} more`));
  }

  /** Unchanged pieces stand together as far as the next white space or change; returns where they end. */
  runEnd(passage, i) {
    const { pieces } = passage;
    let end = i;
    while (end < pieces.text.length && end < i + LONGEST_RUN && !this.isChanged(passage, end) && (end === i || pieces.s[end] === pieces.e[end - 1])) {
      if (/\s/u.test(pieces.text[end++])) break;
    }
    return end;
  }

  run(p, from, to) {
    const { pieces } = this.passages[p];
    const run = make("span", "run");
    const inner = make("span", "text");
    for (let i = from; i < to; i++) inner.append(this.item("pieces", p, i, true));
    run.append(inner, make("span", "at", counted(pieces.s[from], pieces.e[to - 1])));
    return run;
  }

  /** A newline ends the line where characters, words or tokens stand. */
  breaks(kind, passage, i) {
    const text = kind === "chars" ? passage.chars[i] : passage[kind].text[i];
    return Boolean(text) && text.endsWith("\n");
  }

  fillOutput(flow) {
    const { out } = this;
    const line = make("span", "line");
    out.id.forEach((_, i) => line.append(this.item("out", out.passage[i], i)));
    flow.append(line);
    if (out.rest) flow.append(make("span", "rest", `\u2026 ${number(out.rest)} more`));
  }

  /** One piece of a stage: its text, and below it the characters of the original that it came from. */
  item(kind, p, i, bare = false) {
    const el = make("span", `p ${kind}${bare ? " bare" : ""}`);
    const text = make("span", "text");
    const below = [];
    const passage = this.passages[p];
    if (kind === "chars") {
      appendPiece(text, passage.chars[i]);
      if (passage.said && !this.isSaid(passage, i)) el.classList.add("frame");
      below.push(["at", number(i + 1)]);
    } else if (kind === "out") {
      this.fillId(el, text, below, i);
    } else {
      const list = passage[kind];
      const start = list.s[i], end = list.e[i];
      if (kind === "tokens") this.fillToken(el, text, p, i);
      else if (kind === "pieces") appendEach(text, [...list.text[i]]);
      else appendPiece(text, list.text[i] || "\u2205");
      if (kind === "pieces" && this.isChanged(passage, i)) {
        el.classList.add("changed");
        const source = make("span", "source");
        appendEach(source, passage.chars.slice(start, end));
        el.append(source);
      }
      if (!bare) below.push(["at", counted(start, end)]);
    }
    el.append(text, ...below.map(([className, shown]) => make("span", className, shown)));
    el.setAttribute("role", "option");
    el.setAttribute("aria-selected", "false");
    const item = { kind, p, i, el, at: this.items[kind].length };
    el.item = item;
    this.items[kind].push(item);
    return el;
  }

  fillToken(el, text, p, i) {
    const { tokens } = this.passages[p];
    el.classList.add(`c${colour(tokens.id[i])}`);
    if (this.specials[p].has(i)) el.classList.add("special");
    if (this.isForged(this.passages[p], i)) el.classList.add("forged");
    if (tokens.text[i] === null) {
      const source = make("span", "source");
      appendPiece(source, tokens.over[i]);
      el.append(source);
      text.classList.add("hex");
      text.textContent = tokens.hex[i];
    } else appendPiece(text, tokens.text[i] || "\u2205");
  }

  fillId(el, text, below, i) {
    const { out } = this;
    const p = out.passage[i];
    if (p < 0) {
      el.classList.add(`c${colour(out.id[i])}`, "special", "own");
      text.textContent = out.names[i];
    } else this.fillToken(el, text, p, out.token[i]);
    below.push([out.added.includes(out.id[i]) ? "id new" : "id", out.id[i] + (out.added.includes(out.id[i]) ? " new" : "")]);
    if (out.types) below.push(["type", `type ${out.type[i]}`]);
  }

  /** In a chat: whether a character is what a message says, and not the program's own. */
  isSaid(passage, i) { return passage.said?.some(([start, end]) => start <= i && i < end); }

  /** A special token that a message wrote. */
  isForged(passage, t) {
    return passage.tokens.word[t] < 0 && this.isSaid(passage, passage.tokens.s[t]);
  }

  isChanged(passage, i) { return (passage.changedSet ??= new Set(passage.pieces.changed)).has(i); }

  tellLoss(main, { loss, name }) {
    if (!loss.length) return;
    const [stage, what, became, where] = loss;
    const line = make("p", "loss");
    const quote = shown => { const el = make("b"); appendPiece(el, shown); return el; };
    line.append(this.several ? `${name}: first` : "First", ` difference at character ${where}, `);
    if (what) line.append(quote(what), became ? " became " : " is gone");
    if (became) line.append(what ? "" : "in addition ", quote(became));
    line.append(`; lost in the ${stage}.`);
    main.append(line);
  }

  // ---- what belongs together ------------------------------------------------------------------------------

  /** Every item that shares characters with this one; within a token's own stages only the token itself. */
  linked(item) {
    const { kind, p, i } = item;
    if (kind === "out") return p < 0 ? [item] : this.ofToken(p, this.out.token[i]);
    const passage = this.passages[p];
    const { pieces, words, tokens, decoded } = passage;
    if (kind === "tokens") return this.ofToken(p, i);
    if (kind === "decoded") {
      const found = new Set();
      for (let t = decoded.first[i]; t < decoded.end[i]; t++) this.ofToken(p, t).forEach(each => found.add(each));
      return [...found];
    }
    if (kind === "words") {
      return [
        ...this.within(p, words.s[i], words.e[i]), ...this.touching("pieces", p, words.ns[i], words.ne[i]), item,
        ...tokens.word.flatMap((word, t) => word === i ? this.tokenItems(p, t) : []),
      ];
    }
    let start, end, chars;
    if (kind === "pieces") {
      [start, end] = [pieces.ns[i], pieces.ne[i]];
      chars = this.within(p, pieces.s[i], pieces.e[i]);
    } else {
      const around = pieces.s.map((_, at) => at).filter(at => pieces.s[at] <= i && i < pieces.e[at]);
      chars = [item];
      if (!around.length) return chars;
      [start, end] = [pieces.ns[around[0]], pieces.ne[around.at(-1)]];
    }
    const touched = tokens.ns.map((_, t) => t).filter(t => tokens.ns[t] < end && tokens.ne[t] > start);
    return [
      ...chars, ...this.touching("pieces", p, start, end), ...this.touching("words", p, start, end),
      ...touched.flatMap(t => this.tokenItems(p, t)),
    ];
  }

  ofToken(p, t) {
    const { tokens } = this.passages[p];
    const word = tokens.word[t];
    return [
      ...this.within(p, tokens.s[t], tokens.e[t]), ...this.touching("pieces", p, tokens.ns[t], tokens.ne[t]),
      ...this.items.words.filter(item => item.p === p && item.i === word), ...this.tokenItems(p, t),
    ];
  }

  /** A token in the last three stages. */
  tokenItems(p, t) {
    const { decoded } = this.passages[p];
    return [
      ...this.items.tokens.filter(item => item.p === p && item.i === t),
      ...this.items.out.filter(item => item.p === p && this.out.token[item.i] === t),
      ...this.items.decoded.filter(item => item.p === p && decoded.first[item.i] <= t && t < decoded.end[item.i]),
    ];
  }

  within(p, start, end) { return this.items.chars.filter(item => item.p === p && start <= item.i && item.i < end); }

  touching(kind, p, start, end) {
    const list = this.passages[p][kind];
    return this.items[kind].filter(item => item.p === p && list.ns[item.i] < end && list.ne[item.i] > start);
  }

  /** Marks an item and what belongs to it, and tells about it in the card; null unmarks. */
  show(item) {
    this.marked.forEach(el => el.classList.remove("on", "chosen"));
    this.marked = [];
    if (item) {
      this.marked = [item.el, ...this.linked(item).map(each => each.el)];
      this.marked.forEach(el => el.classList.add("on"));
      item.el.classList.add("chosen");
    }
    this.describe(item);
  }

  pick(item) {
    this.picked?.el.setAttribute("aria-selected", "false");
    this.picked = item === this.picked ? null : item;
    this.picked?.el.setAttribute("aria-selected", "true");
    this.stages.classList.toggle("fixed", Boolean(this.picked));
    this.hovered = null;
    this.show(this.picked);
  }

  // ---- the card -----------------------------------------------------------------------------------------

  describe(item) {
    this.card.classList.toggle("idle", !item);
    if (!item) {
      this.card.replaceChildren(make("span", "hint",
        "Point at a piece to see where it comes from and what becomes of it; a click keeps it. Numbers count characters."));
      return;
    }
    const facts = this.facts(item).filter(([, content]) => content);
    const title = make("div", "what", this.title(item));
    const list = make("dl");
    for (const [name, content] of facts) {
      const fact = make("div", "fact");
      const value = make("dd");
      value.append(...[content].flat());
      fact.append(make("dt", "", name), value);
      list.append(fact);
    }
    this.card.replaceChildren(title, list);
  }

  title({ kind, p, i }) {
    if (kind === "out" && p < 0) return `Special token of the template, id ${number(i + 1)} of the whole`;
    const of = this.several ? ` of ${this.passages[p].name}` : "";
    const at = kind === "out" ? this.out.token[i] : i;
    const called = { chars: "Character", pieces: "Normalized piece", words: "Word", tokens: "Token", out: "Token", decoded: "Decoded piece" };
    return `${called[kind]} ${number(at + 1)}${of}`;
  }

  facts(item) {
    const { kind, p, i } = item;
    const { out } = this;
    if (kind === "out" && p < 0) {
      return [
        ["Name", this.shown(out.names[i])], ["Id", String(out.id[i])], ["Type", out.types && String(out.type[i])],
        ["In the vocabulary", out.added.includes(out.id[i]) ? "no: it got the next free id" : "yes"],
        ["In the text", "nothing: it is put there"],
      ];
    }
    const passage = this.passages[p];
    const { pieces, words, tokens } = passage;
    const t = kind === "out" ? out.token[i] : kind === "tokens" ? i : null;
    const links = this.linked(item);
    const of = name => links.filter(each => each.kind === name).map(each => each.i);
    const range = kind === "chars" ? [i, i + 1] : t !== null ? [tokens.s[t], tokens.e[t]] : [passage[kind].s[i], passage[kind].e[i]];
    const facts = [];
    if (t !== null) {
      const bytes = this.specials[p].has(t) ? "" : tokens.hex[t];
      facts.push(["Id", String(tokens.id[t])], ["Bytes", bytes], ["Holds", tokens.part[t]]);
      if (this.isForged(passage, t)) facts.push(["Written by", "the message itself"]);
      if (kind === "out" && out.types) facts.push(["Type", String(out.type[i])]);
    }
    if (kind === "words") facts.push(["Word", this.shown(words.text[i])]);
    facts.push(["In the text", this.origin(passage, range)]);
    facts.push(["Characters", this.points(passage, range)]);
    facts.push(["Offsets", `(${range[0]}, ${range[1]})`]);
    const changed = of("pieces").filter(at => this.isChanged(passage, at));
    facts.push([kind === "pieces" ? "Became" : "Normalized", changed.length ? this.changes(passage, changed) : ""]);
    if (kind === "chars" && !of("pieces").length) facts.push(["Normalized", "dropped"]);
    else if (kind !== "words") facts.push(["Word", this.listed(of("words"), at => [this.shown(words.text[at]), ` number ${number(at + 1)}`]) || this.noWord(t, passage)]);
    if (t === null) facts.push(["Tokens", this.listed(of("tokens"), at => [this.tokenName(tokens, at), ` id ${tokens.id[at]}`]) || "none"]);
    return facts;
  }

  noWord(t, passage) { return t !== null && passage.tokens.word[t] < 0 ? "none: a special token" : "none: dropped by the split"; }

  shown(text) {
    const el = make("span", "quote");
    appendPiece(el, text);
    return el;
  }

  origin(passage, [start, end]) {
    if (end <= start) return "nothing";
    const shown = passage.chars.slice(start, Math.min(end, start + 40)).join("");
    return [this.shown(shown + (end > start + 40 ? "\u2026" : "")), ` ${end === start + 1 ? "character" : "characters"} ${counted(start, end)}`];
  }

  /** The code points of a few characters: é = e U+0065 + ◌́ U+0301; with its name where there is one. */
  points(passage, [start, end]) {
    const chars = passage.chars.slice(start, end);
    if (!chars.length || chars.length > 3) return "";
    const point = char => "U+" + char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    const parts = chars.flatMap((char, at) => [...(at ? [" + "] : []), this.shown(char), ` ${point(char)}`]);
    const name = chars.length === 1 && passage.names[start];
    return name ? [...parts, ` ${name.toLowerCase()}`] : parts;
  }

  changes({ chars, pieces }, changed) {
    const parts = changed.slice(0, 4).flatMap((at, n) => [
      ...(n ? [", "] : []),
      ...this.sum(chars.slice(pieces.s[at], pieces.e[at])), " \u2192 ", ...this.sum([...pieces.text[at]]),
    ]);
    return changed.length > 4 ? [...parts, " \u2026"] : parts;
  }

  sum(chars) { return chars.slice(0, 6).flatMap((char, at) => [...(at ? [" + "] : []), this.shown(char)]); }

  tokenName(tokens, t) { return tokens.text[t] === null ? make("span", "quote", tokens.hex[t]) : this.shown(tokens.text[t] || "\u2205"); }

  listed(list, write) {
    if (!list.length) return "";
    const parts = list.slice(0, 6).flatMap((at, n) => [...(n ? [", "] : []), ...write(at)]);
    return list.length > 6 ? [...parts, `, \u2026 ${number(list.length - 6)} more`] : parts;
  }

  // ---- pointing and moving --------------------------------------------------------------------------------

  listen() {
    const { stages } = this;
    const itemOf = event => event.target.closest?.(".p")?.item ?? null;
    stages.onmouseover = event => {
      const item = itemOf(event);
      if (item === this.hovered || this.keys) { this.keys = false; return; }
      this.hovered = item;
      this.show(item ?? this.picked);
    };
    stages.onmouseleave = () => { this.hovered = null; this.show(this.picked); };
    stages.onclick = event => { const item = itemOf(event); if (item) { this.pick(item); this.cursor = item; } };
    stages.onkeydown = event => this.key(event);
    stages.addEventListener("focusin", event => {
      const flow = event.target.closest?.(".flow");
      if (flow?.matches(":focus-visible")) this.moveTo(this.cursor?.kind === flow.kind ? this.cursor : this.items[flow.kind][0]);
    });
    stages.addEventListener("focusout", () => { this.point(null); this.show(this.picked); });
  }

  key(event) {
    const flow = event.target.closest?.(".flow");
    const list = flow && this.items[flow.kind];
    if (!list?.length) return;
    const at = this.cursor?.kind === flow.kind ? this.cursor.at : 0;
    const sideways = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: list.length - 1 }[event.key];
    const up = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (sideways !== undefined) this.moveTo(list[Math.max(0, Math.min(list.length - 1, sideways))]);
    else if (up) this.moveAcross(list[at], up);
    else if (event.key === "Enter" || event.key === " ") this.pick(list[at]);
    else if (event.key === "Escape" && this.picked) this.pick(this.picked);
    else return;
    event.preventDefault();
  }

  /** To what became of an item in the stage below, or to what it came from in the one above. */
  moveAcross(item, step) {
    const links = this.linked(item);
    for (let at = KINDS.indexOf(item.kind) + step; KINDS[at]; at += step) {
      const next = links.find(each => each.kind === KINDS[at]);
      if (next) {
        this.cursor = next;
        this.flows[at].focus({ preventScroll: true });
        this.moveTo(next);
        return;
      }
    }
  }

  moveTo(item) {
    if (!item) return;
    this.cursor = item;
    this.keys = true;
    this.point(item);
    item.el.scrollIntoView({ block: "nearest" });
    this.show(item);
  }

  point(item) {
    this.flows?.forEach(flow => { if (flow.kind !== item?.kind) pointAt(flow, null); });
    if (item) pointAt(this.flows[KINDS.indexOf(item.kind)], item.el, this.spoken(item));
  }

  spoken(item) {
    const words = this.facts(item).filter(([, content]) => content)
      .map(([name, content]) => `${name} ${[content].flat().map(part => part.textContent ?? part).join("")}`);
    return `${this.title(item)}. ${words.join(". ")}`;
  }
}

export default function (component) {
  const root = component.parentElement;
  if (!views.has(root)) views.set(root, new Stages(root));
  views.get(root).update(component);
  return () => views.delete(root);
}
