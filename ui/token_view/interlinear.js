// The same lines under each other, cut by each tokenizer.
//
// Every row of a line draws the whole text in one piece, so all characters stand at the same place in every row,
// whatever the script. A token is a coloured box behind it, from where its first byte is to where its last one ends;
// a boundary inside a character lies at that share of its width, which cuts the glyph in slices.
// A token that covers no text (a bare </w>) is a dot. Marks of disagreement are low ticks in rows that are full of them.

const NAME_WIDTH = 96;    // pixels; long names get more where there is room
const LONG_NAMES = 150, LONG_NAME = 11, ROOM_FOR_NAMES = 600;
const PADDING = 3;
const FIRST_CELLS = 1500;   // characters laid out before the first paint; later batches grow
const MOST_CELLS = 6000;    // … up to this, so that the page stays quick to answer meanwhile
const CROWDED = 0.35;       // share of a row's tokens with a mark, from which on the marks are drawn as low ticks
const JOINING = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}]/u;
const views = new WeakMap();

const isRtl = text => RTL.test(text);
const byteLength = text => {
  let bytes = 0;
  for (const char of text) {
    const code = char.codePointAt(0);
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
};
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const ASCII = /^[\x00-\x7f]*$/;
const graphemes = text => ASCII.test(text) ? text : Array.from(segmenter.segment(text), part => part.segment);

/** What is drawn of a line: cells {text, mark, start, end}, each a character as people see it, in bytes. */
function cellsOf(line, start) {
  const cells = [];
  const add = (text, mark, bytes) => {
    cells.push({ text, mark, start, end: start + bytes });
    start += bytes;
  };
  for (const { from, to, text, mark } of shownPieces(line)) {
    if (mark) add(text, mark, byteLength(line.slice(from, to)));
    else for (const cell of graphemes(text)) add(cell, "", byteLength(cell));
  }
  return cells;
}

/** How many boundaries lie inside the cell. It then gets room for its slices (not in scripts whose letters join). */
function splits({ text, mark, start, end }, cuts) {
  let count = 0;
  if (mark || JOINING.test(text)) return count;
  for (let byte = start + 1; byte < end; byte++) if (cuts.has(byte)) count++;
  return count;
}

/** Appends cells to a row of text; returns for each where it can be measured. */
function drawCells(el, cells) {
  const places = [];
  let run = null;
  for (const cell of cells) {
    if (cell.mark || cell.split) {
      const mark = make("u", cell.mark || "split", cell.text);
      if (cell.split > 2) mark.style.paddingInline = cell.split / 4 - 0.5 + "em";   // half an em a slice
      el.append(mark);
      places.push({ mark });
      run = null;
    } else {
      if (!run) el.append(run = document.createTextNode(""));
      places.push({ node: run, from: run.length, to: run.length + cell.text.length });
      run.appendData(cell.text);
    }
  }
  return places;
}

const ruler = document.createRange();
function rectOf({ mark, node, from, to }) {
  if (mark) return mark.getBoundingClientRect();
  ruler.setStart(node, from);
  ruler.setEnd(node, to);
  return ruler.getBoundingClientRect();
}

/** First index in a sorted list whose value is over `limit`. */
function firstOver(length, valueAt, limit) {
  let low = 0, high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (valueAt(middle) > limit) high = middle; else low = middle + 1;
  }
  return low;
}

/** A piece of a line that fits the width: its cells, and where they are drawn. */
class Chunk {
  constructor(cells, rtl) {
    this.cells = cells;
    this.rtl = rtl;
    this.start = cells[0].start;
    this.end = cells.at(-1).end;
    this.edges = new Map();
  }

  /** Places are counted from the left end of the row, which is at `origin` on the screen. */
  measure(origin) {
    this.origin = origin;
    this.edges.clear();
    for (const cell of this.cells) cell.rect = undefined;
  }

  sides(index) {
    const { left, right } = (this.cells[index].rect ??= rectOf(this.places[index]));
    return [left - this.origin, right - this.origin];
  }

  cellAt(byte) { return Math.max(0, firstOver(this.cells.length, i => this.cells[i].start, byte) - 1); }

  isInside(byte) {
    if (byte <= this.start || byte >= this.end) return false;
    return this.cells[this.cellAt(byte)].start !== byte;
  }

  /** Where a byte is, on a line that runs from left to right. */
  x(byte) {
    if (!this.edges.has(byte)) {
      const at = byte >= this.end ? this.cells.length - 1 : this.cellAt(byte);
      const { start, end } = this.cells[at];
      const [left, right] = this.sides(at);
      this.edges.set(byte, left + (right - left) * Math.min(1, (byte - start) / (end - start || 1)));
    }
    return this.edges.get(byte);
  }

  /** The boxes that cover the bytes start … end: one, or several where directions mix. */
  boxes(start, end) {
    start = Math.max(start, this.start);
    end = Math.min(end, this.end);
    if (!this.mixed) return [[this.x(start), this.x(end)]];
    const boxes = [];
    for (let at = this.cellAt(start); at < this.cells.length && this.cells[at].start < Math.max(end, start + 1); at++) {
      const cell = this.cells[at];
      let [left, right] = this.sides(at);
      const size = cell.end - cell.start || 1, width = right - left;
      const from = Math.max(0, start - cell.start) / size, to = Math.min(size, end - cell.start) / size;
      if (isRtl(cell.text)) [left, right] = [right - to * width, right - from * width];
      else [left, right] = [left + from * width, left + to * width];
      const near = boxes.find(box => Math.abs(box[1] - left) < 1 || Math.abs(box[0] - right) < 1);
      if (!near) boxes.push([left, right]);
      else if (Math.abs(near[1] - left) < 1) near[1] = right;
      else near[0] = left;
    }
    return boxes;
  }
}

/** Whether a token that covers no text stands before a word (a bare \u2581), not behind one (a bare </w>). */
const leads = (row, at) => row.begin[at] === 0 || (at > 0 && row.end[at - 1] < row.begin[at]);

class Interlinear {
  constructor(root) {
    this.lanes = root.querySelector(".lanes");
    this.before = root.querySelector(".before");
    this.after = root.querySelector(".after");
    this.legend = root.querySelector(".legend");
    this.foot = root.querySelector(".foot");
    [this.further, this.all] = this.foot.querySelectorAll("button");
    this.opened = false;
    this.tip = new Tooltip(root.querySelector(".tip"));
    this.rev = null;
    this.frame = 0;
    this.width = 0;
    this.listen();
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.lanes);
    document.fonts.ready.then(() => this.rev && this.build());
  }

  update({ data, setTriggerValue }) {
    this.report = setTriggerValue;
    const { head, body } = readPayload(data, this.rev);
    const moved = String(head.highlight) !== String(this.highlight);
    this.highlight = head.highlight;
    this.lanes.setAttribute("aria-label", head.label);
    this.height = head.height;
    this.bound();
    this.reveal = moved;
    if (body) {
      this.fresh = this.rev === null;
      this.rev = head.rev;
      this.read(body);
      this.build();
    } else if (moved) this.drawHighlight();
  }

  read(body) {
    const count = (number, where) =>
      number ? `\u2026 ${number.toLocaleString("en")} ${number === 1 ? "character" : "characters"} ${where}` : "";
    this.before.textContent = count(body.before, "before these lines");
    this.after.textContent = count(body.after, "after these lines");
    this.rows = body.lanes.map(lane => Object.assign(new Tokens(lane), { unsharedSet: new Set(lane.unshared),
      specialSet: new Set(lane.special) }));
    for (const row of this.rows) {
      row.crowded = row.unsharedSet.size > CROWDED * row.length;
      row.twins = [];   // every second of neighbours with one colour, drawn a shade deeper
      row.ids.forEach((id, at) => row.twins.push(at > 0 && colour(id) === colour(row.ids[at - 1]) && !row.twins[at - 1]));
    }
    if (!this.rows.length) body.text = "";
    const cuts = new Set(this.rows.flatMap(row => row.begin.concat(row.end)));
    this.lines = [];
    this.explain(body);
    let start = body.start;
    for (const text of body.text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
      const cells = cellsOf(text, start);
      for (const cell of cells) cell.split = splits(cell, cuts);
      this.lines.push({ cells, rtl: isRtl(text.match(STRONG)?.[0] ?? ""), mixed: isRtl(text) });
      start = cells.at(-1).end;
    }
  }

  /** The legend: only the marks that occur in these lines. */
  explain({ start, text }) {
    const entry = (signs, words) => {
      const item = make("span", "entry");
      item.append(...signs.map(sign => make("i", `sign ${sign}`)), words);
      return item;
    };
    const marked = this.rows.filter(row => row.unsharedSet.size);
    const edges = [marked.some(row => !row.crowded) && "edge", marked.some(row => row.crowded) && "tick"].filter(Boolean);
    const some = test => this.rows.some(row => row.ids.some((_, at) => test(row, at)));
    const bare = new Set(this.rows.flatMap(row => row.ids.flatMap((_, at) => row.begin[at] === row.end[at] ? [row.labels[at] ?? ""] : [])));
    const marks = [...bare].filter(Boolean).slice(0, 3).join(", ");
    const named = this.rows.some(row => row.ids.some((_, at) => this.isNamed(row, at) && row.begin[at] < row.end[at]));
    this.legend.replaceChildren(...[
      edges.length && entry(edges, "a boundary that not all share"),
      some((row, at) => row.heads[at] || row.tails[at]) && entry(["slit"], "a boundary within a character"),
      bare.size && entry(["dot"], `a token that covers no text${marks ? `: ${marks}` : ""}`),
      named && entry(["named"], "a special or unknown token"),
    ].filter(Boolean));
  }

  isNamed(row, at) { return row.specialSet.has(at) || row.labels[at] !== undefined; }

  // ---- how much is seen ---------------------------------------------------------------------------------

  bound() {
    this.inner = Boolean(this.height) && !this.opened;
    this.lanes.style.maxHeight = this.inner ? this.height + "px" : "";
  }

  /** Says below the lines how many more there are, as long as they scroll inside. */
  count() {
    const { lanes } = this;
    const hidden = lanes.scrollHeight - lanes.clientHeight;
    const below = hidden - lanes.scrollTop > 4;
    this.foot.hidden = !this.height || (!this.opened && hidden <= 4) || (this.opened && lanes.scrollHeight <= this.height);
    lanes.classList.toggle("goes-on", below);
    if (this.foot.hidden) return;
    const bottom = lanes.scrollTop + lanes.clientHeight;
    const unseen = this.chunks.filter(chunk => chunk.lineStart && chunk.el.offsetTop > bottom - 30).length;
    this.further.hidden = this.opened;
    this.further.disabled = !below;
    this.further.textContent = !below ? "The last line"
      : unseen ? `\u2193 ${unseen.toLocaleString("en")} more ${unseen === 1 ? "line" : "lines"}` : "\u2193 The line goes on";
    this.all.textContent = this.opened ? "Show fewer lines" : "Show all lines";
  }

  /** On by what is seen, so that the line at the lower edge becomes the first. */
  scrollOn() {
    const { scrollTop, clientHeight } = this.lanes;
    const tops = this.chunks.map(chunk => chunk.el.offsetTop);
    const last = tops.filter(top => top > scrollTop && top <= scrollTop + clientHeight - 30).at(-1);
    this.lanes.scrollTo({ top: last ?? scrollTop + clientHeight });
  }

  toggleAll() {
    this.opened = !this.opened;
    this.bound();
    this.resized();
    this.count();
    if (this.opened) return;
    this.reveal = true;
    this.drawHighlight();
    this.foot.scrollIntoView({ block: "nearest" });
  }

  // ---- layout -------------------------------------------------------------------------------------------

  build() {
    cancelAnimationFrame(this.frame);
    this.tip.hide();
    this.lanes.style.minHeight = this.lanes.offsetHeight + "px";   // no jump while lines come in
    this.width = this.lanes.clientWidth;
    const long = this.width > ROOM_FOR_NAMES && this.rows.some(row => row.name.length > LONG_NAME);
    const names = long ? LONG_NAMES : NAME_WIDTH;
    this.lanes.style.setProperty("--names", names + "px");
    this.cutWidth = Math.max(80, this.width - 2 * PADDING - names);
    this.chunks = [];
    this.laid = 0;
    this.cursor ??= { row: 0, at: 0 };
    this.lanes.replaceChildren();
    this.lanes.style.setProperty("--group", `${31.5 * this.rows.length + 10}px`);   // of lines not yet seen
    this.lanes.removeAttribute("aria-activedescendant");
    this.elements = this.rows.map(row => new Array(row.length));
    this.batch(FIRST_CELLS);
  }

  batch(count) {
    const lines = [];
    for (let cells = 0; cells < count && this.laid < this.lines.length; cells += lines.at(-1).cells.length)
      lines.push(this.lines[this.laid++]);
    const chunks = this.breakLines(lines);
    this.place(chunks);
    const boxes = chunks.map(chunk => this.readBoxes(chunk));   // all reading first, then all writing
    chunks.forEach((chunk, at) => this.drawBoxes(chunk, boxes[at]));
    this.chunks.push(...chunks);
    if (this.laid < this.lines.length) this.frame = requestAnimationFrame(() => this.batch(Math.min(2 * count, MOST_CELLS)));
    else this.finish();
  }

  finish() {
    this.lanes.style.minHeight = "";
    this.lanes.dataset.rev = this.rev;
    this.drawHighlight();
    this.count();
  }

  /** Lets the browser wrap each line at the width there is, and reads off where it did. */
  breakLines(lines) {
    const probe = make("div", "probe cut");
    probe.style.width = this.cutWidth + "px";
    const drawn = lines.map(line => {
      const el = make("div", "text");
      el.dir = line.rtl ? "rtl" : "ltr";
      line.places = drawCells(el, line.cells);
      probe.append(el);
      return el;
    });
    this.lanes.append(probe);
    const single = drawn.length ? 1.5 * parseFloat(getComputedStyle(drawn[0]).lineHeight) : 0;
    const chunks = [];
    lines.forEach((line, index) => {
      const whole = drawn[index].offsetHeight < single;
      for (let from = 0; from < line.cells.length;) {
        const to = whole ? line.cells.length : this.wrapAfter(line, from, single / 3);
        const chunk = new Chunk(line.cells.slice(from, to), line.rtl);
        chunk.mixed = line.mixed;
        chunk.lineStart = from === 0;
        chunks.push(chunk);
        from = to;
      }
    });
    probe.remove();
    return chunks;
  }

  /** The first cell after `from` that stands on the next visual line. */
  wrapAfter(line, from, slack) {
    const top = index => { const { top, bottom } = rectOf(line.places[index]); return (top + bottom) / 2; };
    const here = top(from) + slack;
    return from + Math.max(1, firstOver(line.cells.length - from, i => top(from + i), here));
  }

  /** Puts the rows of text in the page, the same text in each. */
  place(chunks) {
    const fragment = document.createDocumentFragment();
    for (const chunk of chunks) {
      chunk.el = make("div", chunk.lineStart ? "chunk line-start" : "chunk");
      chunk.layers = this.rows.map((row, index) => {
        const lane = make("div", "lane");
        const name = make("span", "name", row.name);
        name.title = row.name;
        const cut = make("div", row.crowded ? "cut crowded" : "cut");
        cut.setAttribute("role", "group");
        cut.setAttribute("aria-label", row.name);
        const text = index ? chunk.layers0.cloneNode(true) : make("div", "text");
        if (!index) {
          text.dir = chunk.rtl ? "rtl" : "ltr";
          text.setAttribute("aria-hidden", "true");
          chunk.places = drawCells(text, chunk.cells);
          chunk.layers0 = text;
        } else text.classList.add("copy");
        cut.append(text);
        lane.append(name, cut);
        chunk.el.append(lane);
        return cut;
      });
      fragment.append(chunk.el);
    }
    this.lanes.append(fragment);
  }

  /** For each row the chunk's tokens with their places. */
  readBoxes(chunk) {
    chunk.measure(chunk.layers[0].getBoundingClientRect().left);
    return this.rows.map(row => this.tokensIn(row, chunk).map(at =>
      [at, chunk.boxes(row.begin[at], row.end[at])]));
  }

  drawBoxes(chunk, boxes) {
    boxes.forEach((tokens, index) => chunk.layers[index].prepend(...tokens.flatMap(([at, places]) =>
      places.map((place, nth) => this.box(chunk, index, at, place, nth, places.length)))));
    chunk.el.classList.add("done");
  }

  /** Positions of the tokens that hold bytes of a chunk, and of the empty ones within it. */
  tokensIn(row, chunk) {
    const tokens = [];
    for (let at = firstOver(row.length, i => row.end[i], chunk.start - 1); at < row.length; at++) {
      const start = row.begin[at], end = row.end[at];
      if (start > chunk.end || (start === chunk.end && start < end)) break;
      const holds = start < end ? end > chunk.start
        : leads(row, at) ? start >= chunk.start && start < chunk.end : start > chunk.start;
      if (holds) tokens.push(at);
    }
    return tokens;
  }

  box(chunk, index, at, [left, right], nth, many) {
    const row = this.rows[index];
    const el = make("span", `t c${colour(row.ids[at])}`);
    const end = row.end[at];
    const opensLeft = row.begin[at] < chunk.start, opensRight = end > chunk.end;
    if (row.begin[at] === end) el.classList.add("empty");
    if (opensLeft) el.classList.add("open-left");
    if (opensRight) el.classList.add("open-right");
    if (this.isNamed(row, at)) el.classList.add("special");
    if (row.twins[at]) el.classList.add("twin");
    if (chunk.rtl || (chunk.mixed && isRtl(row.reading(at)))) el.classList.add("rtl");
    if (nth === many - 1 && !opensRight) {
      if (row.unsharedSet.has(at)) el.classList.add("unshared");
      if (chunk.isInside(end)) el.classList.add("inside");
    }
    el.style.left = left.toFixed(2) + "px";
    el.style.width = Math.max(0, right - left).toFixed(2) + "px";
    el.row = index;
    el.token = at;
    if (this.elements[index][at]) el.setAttribute("aria-hidden", "true");
    else { el.setAttribute("role", "option"); this.elements[index][at] = el; }
    return el;
  }

  resized() {
    if (!this.rev || this.lanes.clientWidth === this.width) return;
    cancelAnimationFrame(this.resizing);
    this.resizing = requestAnimationFrame(() => this.build());
  }

  // ---- the current disagreement -------------------------------------------------------------------------

  drawHighlight() {
    for (const el of this.lanes.querySelectorAll(".highlight")) el.remove();
    if (!this.highlight) return;
    const [start, end] = this.highlight;
    let first = null;
    for (const chunk of this.chunks) {
      if (chunk.end <= start || chunk.start >= Math.max(end, start + 1)) continue;
      const lane = chunk.el.getBoundingClientRect().left;
      const origin = chunk.layers[0].getBoundingClientRect().left;
      if (origin !== chunk.origin) chunk.measure(origin);
      for (const [left, right] of chunk.boxes(start, end)) {
        const el = make("div", "highlight");
        el.style.left = (origin - lane + left - 2).toFixed(2) + "px";
        el.style.width = (right - left + 4).toFixed(2) + "px";
        chunk.el.append(el);
        first ??= el;
      }
    }
    if (first && this.reveal && (this.inner || !this.fresh)) this.scrollTo(first);
    this.reveal = false;
    this.fresh = false;
  }

  scrollTo(el) {
    if (!this.inner) { el.scrollIntoView({ block: "nearest" }); return; }
    const box = el.getBoundingClientRect(), view = this.lanes.getBoundingClientRect();
    if (box.top < view.top || box.bottom > view.bottom)
      this.lanes.scrollTop += box.top - view.top - (view.height - box.height) / 2;
  }

  // ---- pointing and moving ------------------------------------------------------------------------------

  listen() {
    const { lanes } = this;
    const tokenOf = event => event.target.closest?.(".t");
    lanes.onmouseover = event => {
      const el = tokenOf(event);
      if (el) this.show(el); else this.tip.hide();
    };
    lanes.onmouseleave = () => this.tip.hide();
    lanes.onscroll = () => { this.tip.hide(); requestAnimationFrame(() => this.count()); };
    this.further.onclick = () => this.scrollOn();
    this.all.onclick = () => this.toggleAll();
    lanes.onclick = event => {
      const el = tokenOf(event);
      if (el) { this.cursor = { row: el.row, at: el.token }; this.pick(el); }
    };
    lanes.onfocus = () => { if (lanes.matches(":focus-visible")) this.moveTo(this.cursor.row, this.cursor.at); };
    lanes.onblur = () => { this.tip.hide(); pointAt(lanes, null); };
    lanes.onkeydown = event => this.key(event);
  }

  key(event) {
    const { row, at } = this.cursor;
    const go = {
      ArrowRight: () => this.moveTo(row, at + 1),
      ArrowLeft: () => this.moveTo(row, at - 1),
      ArrowDown: () => this.moveAcross(1),
      ArrowUp: () => this.moveAcross(-1),
      Home: () => this.moveTo(row, 0),
      End: () => this.moveTo(row, this.rows[row].length - 1),
      Enter: () => this.pick(this.elements[row]?.[at]),
      " ": () => this.pick(this.elements[row]?.[at]),
      Escape: () => this.tip.hide(),
    }[event.key];
    if (!go) return;
    go();
    event.preventDefault();
  }

  moveTo(row, at) {
    at = Math.max(0, Math.min((this.rows[row]?.length ?? 0) - 1, at));
    const el = this.elements[row]?.[at];
    if (!el) return;
    this.cursor = { row, at };
    pointAt(this.lanes, el, `${this.rows[row].name}, ${this.rows[row].spoken(at)}`);
    el.scrollIntoView({ block: "nearest" });
    this.show(el);
  }

  /** To the token of the next row that holds the same byte; past the last row, to the first row's next chunk. */
  moveAcross(step) {
    const { row, at } = this.cursor;
    const byte = this.rows[row].begin[at];
    const next = row + step;
    if (next >= 0 && next < this.rows.length) {
      this.moveTo(next, firstOver(this.rows[next].length, i => this.rows[next].end[i], byte));
      return;
    }
    const chunk = this.chunks[this.chunks.findIndex(c => c.end > byte) + step];
    if (!chunk) return;
    const target = step > 0 ? 0 : this.rows.length - 1;
    const x = this.elements[row][at].getBoundingClientRect().left;
    const distance = el => Math.abs(el.getBoundingClientRect().left - x);
    const boxes = [...chunk.layers[target].querySelectorAll(".t")];
    if (boxes.length) this.moveTo(target, boxes.reduce((a, b) => distance(b) < distance(a) ? b : a).token);
  }

  /** The tooltip stands above or below the whole group, so that the lanes can be compared meanwhile. */
  show(el) {
    const group = el.closest(".chunk").getBoundingClientRect(), { left, width } = el.getBoundingClientRect();
    this.tip.show(
      { getClientRects: () => [new DOMRect(left, group.top, width, group.height)] },
      this.rows[el.row], el.token, this.rows[el.row].name,
    );
  }

  pick(el) { if (el) this.report("picked", [this.rev, el.row, this.rows[el.row].first + el.token]); }

  stop() { cancelAnimationFrame(this.frame); this.observer.disconnect(); }
}

export default function (component) {
  const root = component.parentElement;
  if (!views.has(root)) views.set(root, new Interlinear(root));
  views.get(root).update(component);
  return () => { views.get(root)?.stop(); views.delete(root); };
}
