// Characters, bytes and tokens in three lanes. A byte is one column, so what a token holds of a character is seen.

const CELL = 44;        // pixels of a byte
const SIDE = 84;        // pixels of the lanes' names
const views = new WeakMap();

class Lanes {
  constructor(root) {
    this.lanes = root.querySelector(".lanes");
    this.more = root.querySelector(".more");
    this.tip = new Tooltip(root.querySelector(".tip"));
    this.rev = null;
    this.columns = 0;
    this.listen();
    this.observer = new ResizeObserver(() => {
      if (this.tokens && this.fitting() !== this.columns) this.build();
    });
    this.observer.observe(this.lanes);
  }

  update({ data, setTriggerValue }) {
    this.report = setTriggerValue;
    const { head, body } = readPayload(data, this.rev);
    this.head = head;
    this.lanes.setAttribute("aria-label", head.label);
    this.lanes.style.maxHeight = head.height ? head.height + "px" : "";
    if (body) {
      this.rev = head.rev;
      this.tokens = new Tokens(body);
      this.cursor = 0;
      this.read();
      this.build();
    }
    this.select(head.selected);
  }

  /** The window as characters, bytes and tokens: each with the columns that it takes. */
  read() {
    const { tokens } = this;
    this.bytes = [];      // [hex, token]
    this.chars = [];      // [text, first column, columns, bytes of the whole, hidden bytes before]
    this.places = [];     // of a token: [first column, columns]
    const push = (hexes, token) => { for (const hex of hexes) this.bytes.push([hex, token]); };
    const whole = (text, token) => {
      for (const char of text) {
        const hexes = hexOf(encoder.encode(char)).split(" ");
        this.chars.push([char, this.bytes.length, hexes.length, hexes.length, 0]);
        push(hexes, token);
      }
    };
    const part = ([char, first, last, of, hex], token) => {
      const before = this.chars.at(-1);
      const goesOn = first > 1 && before && before[0] === char && before[4] + before[2] === first - 1;
      if (goesOn) before[2] += last - first + 1;
      else this.chars.push([char, this.bytes.length, last - first + 1, of, first - 1]);
      push(hex.split(" "), token);
    };
    for (let at = 0; at <= tokens.length; at++) {
      if (tokens.gaps[at]) whole(tokens.gaps[at], -1);
      if (at === tokens.length) break;
      const first = this.bytes.length;
      if (tokens.head(at)) part(tokens.head(at), at);
      whole(tokens.texts[at], at);
      if (tokens.tail(at)) part(tokens.tail(at), at);
      if (this.bytes.length === first) this.bytes.push(["", at]);   // a token of no bytes still has a place
      this.places.push([first, this.bytes.length - first]);
    }
  }

  fitting() { return Math.max(4, Math.floor((this.lanes.clientWidth - SIDE - 8) / CELL)); }

  /** Blocks as wide as the page: cut behind a newline, else at a token's end if one is near, else at a character's. */
  build() {
    this.tip.hide();
    this.columns = this.fitting();
    this.elements = this.places.map(() => []);
    const blocks = document.createDocumentFragment();
    const ends = new Set(this.places.map(([first, count]) => first + count));
    let from = 0, nextChar = 0;
    while (from < this.bytes.length) {
      let to = from, tokenEnd = from;
      while (nextChar < this.chars.length || to < this.bytes.length) {
        const char = this.chars[nextChar];
        const upTo = char && char[1] <= to ? to + char[2] : to + 1;   // a token of no bytes has no character
        if (upTo - from > this.columns && to > from) break;
        if (char && char[1] <= to) nextChar++;
        to = upTo;
        if (ends.has(to)) tokenEnd = to;
        if (char && char[0] === "\n" && char[1] < to) { tokenEnd = to; break; }
        if (to >= this.bytes.length) break;
      }
      if (to < this.bytes.length && tokenEnd - from > this.columns * 0.6) to = tokenEnd;
      while (nextChar > 0 && this.chars[nextChar - 1][1] >= to) nextChar--;
      blocks.append(this.block(from, to));
      from = to;
    }
    this.lanes.replaceChildren(blocks);
    this.more.textContent = !this.tokens.total ? "No tokens." : "";
    this.select(this.selected ?? null);
  }

  block(from, to) {
    const block = make("div", "block");
    block.style.gridTemplateColumns = `${SIDE}px repeat(${to - from}, ${CELL}px)`;
    ["characters", "bytes", "tokens"].forEach((name, row) => {
      const side = make("div", "side", name);
      side.style.gridRow = row + 1;
      block.append(side);
    });
    const place = (el, first, count) => {
      const a = Math.max(first, from), b = Math.min(first + count, to);
      el.style.gridColumn = `${a - from + 2} / span ${b - a}`;
      block.append(el);
    };
    const within = (list, pick) => list.filter(item => { const [first, count] = pick(item); return first < to && first + count > from; });
    for (const char of within(this.chars, c => [c[1], c[2]])) {
      const [text, first, count, of, hidden] = char;
      const owners = new Set(this.bytes.slice(first, first + count).map(([, token]) => token));
      const el = make("div", "char" + (owners.size > 1 || count < of ? " split" : "") + (hidden ? " open-left" : ""));
      appendText(el, text);
      el.title = owners.size > 1 ? `split over ${owners.size} tokens` : "";
      place(el, first, count);
    }
    for (let i = from; i < to; i++) {
      const [hex, token] = this.bytes[i];
      const el = make("div", token < 0 ? "byte none" : `byte c${colour(this.tokens.ids[token])}`, hex);
      place(el, i, 1);
    }
    this.places.forEach(([first, count], at) => {
      if (first < to && first + count > from) place(this.token(at, first, count, from, to), first, count);
    });
    return block;
  }

  token(at, first, count, from, to) {
    const { ids, labels } = this.tokens;
    const el = make("div", `token c${colour(ids[at])}`);
    el.token = at;
    if (first < from) el.classList.add("open-left");
    if (first + count > to) el.classList.add("open-right");
    if (this.tokens.special.includes(at)) el.classList.add("special");
    if (count === 1 && ids[at] > 9_999) el.classList.add(ids[at] > 99_999 ? "tight" : "narrow");
    if (labels[at]) { el.append(make("span", "what")); appendText(el.firstChild, labels[at]); }
    el.append(make("span", "id", ids[at]));
    const room = Math.min(first + count, to) - Math.max(first, from);
    [this.tokens.head(at), this.tokens.tail(at)].filter(Boolean).forEach(([, low, high, of]) => {
      const range = low === high ? low : `${low}\u2013${high}`;
      el.append(make("span", "part", room > 2 ? `byte${low === high ? "" : "s"} ${range} of ${of}` : `${range} of ${of}`));
    });
    if (!this.elements[at].length) {
      el.setAttribute("role", "option");
      el.setAttribute("aria-selected", "false");
      el.setAttribute("aria-label", this.tokens.spoken(at));
    } else el.setAttribute("aria-hidden", "true");
    this.elements[at].push(el);
    return el;
  }

  select(at) {
    const mark = (index, on) => (this.elements?.[index] ?? []).forEach(el => {
      el.classList.toggle("selected", on);
      if (el.getAttribute("role")) el.setAttribute("aria-selected", String(on));
    });
    if (this.selected !== null && this.selected !== undefined) mark(this.selected, false);
    this.selected = at;
    if (at === null || at === undefined) return;
    this.cursor = at;
    mark(at, true);
  }

  listen() {
    const { lanes } = this;
    const tokenOf = event => event.target.closest?.(".token");
    lanes.onmouseover = event => {
      const el = tokenOf(event);
      if (el) this.tip.show(el, this.tokens, el.token); else this.tip.hide();
    };
    lanes.onmouseleave = () => this.tip.hide();
    lanes.onscroll = () => this.tip.hide();
    lanes.onfocus = () => { if (lanes.matches(":focus-visible")) this.moveTo(this.cursor); };
    lanes.onblur = () => { this.tip.hide(); pointAt(lanes, null); };
    lanes.onclick = event => { const el = tokenOf(event); if (el) this.pick(el.token); };
    lanes.onkeydown = event => {
      const to = { ArrowRight: this.cursor + 1, ArrowLeft: this.cursor - 1, Home: 0, End: this.places.length - 1 }[event.key];
      if (to !== undefined) this.moveTo(to);
      else if (event.key === "Enter" || event.key === " ") this.pick(this.cursor);
      else if (event.key === "Escape") this.tip.hide();
      else return;
      event.preventDefault();
    };
  }

  moveTo(at) {
    at = Math.max(0, Math.min(this.places.length - 1, at));
    const el = this.elements[at]?.[0];
    if (!el) return;
    this.cursor = at;
    pointAt(this.lanes, el, this.tokens.spoken(at));
    el.scrollIntoView({ block: "nearest" });
    this.tip.show(el, this.tokens, at);
  }

  /** Tells Python; a click on the selected token takes the selection back. */
  pick(at) {
    this.select(at === this.selected ? null : at);
    this.report("picked", [this.rev, this.selected === null ? null : this.tokens.first + at]);
  }
}

export default function (component) {
  const root = component.parentElement;
  if (!views.has(root)) views.set(root, new Lanes(root));
  views.get(root).update(component);
  return () => { views.get(root)?.observer.disconnect(); views.delete(root); };
}
