// A word while it is encoded: one row a step. Between neighbours stands the rank of their merge; the lowest is next.

const FIRST_ROWS = 12;   // rows built at once; the others follow in the next frames
const lists = new WeakMap();

class StepsView {
  constructor(root) {
    this.rows = root.querySelector(".rows");
    this.one = root.querySelector(".one");
    this.all = root.querySelector(".all");
    this.rev = null;
    this.listen();
  }

  update({ data }) {
    const { head, body } = readPayload(data, this.rev);
    this.rows.setAttribute("aria-label", head.label);
    this.rows.style.maxHeight = head.height ? head.height + "px" : "";
    if (!body && head.first === this.first) return;
    this.first = head.first;
    if (body) { this.rev = head.rev; this.steps = body; }
    this.cursor = 0;
    this.shown = this.steps.rows.length;
    this.build();
    this.showBar();
  }

  build() {
    cancelAnimationFrame(this.frame);
    this.rows.replaceChildren();
    this.elements = [];
    const slice = count => {
      const stop = Math.min(this.steps.rows.length, this.elements.length + count);
      while (this.elements.length < stop) this.addRow(this.elements.length);
      if (stop < this.steps.rows.length) this.frame = requestAnimationFrame(() => slice(2 * count));
    };
    slice(FIRST_ROWS);
  }

  addRow(at) {
    const [chips, joints, next, fresh] = this.steps.rows[at];
    const row = make("li", "row");
    row.at = at;
    row.hidden = at >= this.shown;
    const word = make("div", "word");
    chips.forEach((number, i) => {
      const chip = makeChip(this.steps.chips[number]);
      if (fresh.includes(i)) chip.classList.add("fresh");
      word.append(chip);
      if (i < joints.length) word.append(this.joint(joints[i], next.includes(i)));
    });
    if (!next.length) word.append(make("span", "done", at ? "Nothing left to merge: these are the tokens." : "Nothing to merge."));
    row.append(make("span", "number", at.toLocaleString("en")), word);
    row.setAttribute("aria-label", this.spoken(at));
    this.elements.push(row);
    this.rows.append(row);
  }

  joint(rank, isNext) {
    const el = make("span", "joint" + (isNext ? " next" : ""));
    if (rank === null) return el;
    const number = (rank + this.first).toLocaleString("en");
    el.append(make("span", "", number));
    el.title = isNext ? `${number} is the lowest: merges now` : `${number}: possible, but not the lowest`;
    return el;
  }

  spoken(at) {
    const [chips, joints, next] = this.steps.rows[at];
    const read = number => {
      const pieces = this.steps.chips[number][1];
      return typeof pieces === "string" ? quoted(pieces) : pieces.map(([text]) => text).join(" ");
    };
    const pair = i => `${read(chips[i])} and ${read(chips[i + 1])}, rank ${joints[i] + this.first}`;
    const waiting = joints.map((_, i) => i).filter(i => joints[i] !== null && !next.includes(i));
    return `Step ${at}: ${chips.map(read).join(", ")}. ` + (next.length ? `Merges now: ${pair(next[0])}. ` : "Done. ")
      + (waiting.length ? `Possible but later: ${waiting.map(pair).join("; ")}.` : "");
  }

  showBar() {
    const total = this.steps.rows.length;
    const hiding = this.shown < total;
    this.one.hidden = total < 3;
    this.one.textContent = hiding ? "Next merge" : "One at a time";
    this.all.hidden = !hiding;
    this.all.textContent = "Show all";
  }

  show(count) {
    this.shown = Math.max(1, Math.min(count, this.steps.rows.length));
    this.elements.forEach((row, at) => { row.hidden = at >= this.shown; });
    this.showBar();
    const last = this.elements[Math.min(this.shown, this.elements.length) - 1];
    if (last) this.rows.scrollTop = last.offsetTop + last.offsetHeight - this.rows.clientHeight;
  }

  listen() {
    this.one.onclick = () => this.show(this.shown < this.steps.rows.length ? this.shown + 1 : 1);
    this.all.onclick = () => { this.show(this.steps.rows.length); this.rows.scrollTop = 0; };
    this.rows.onfocus = () => { if (this.rows.matches(":focus-visible")) this.moveTo(this.cursor); };
    this.rows.onblur = () => pointAt(this.rows, null);
    this.rows.onkeydown = event => {
      const to = { ArrowDown: this.cursor + 1, ArrowUp: this.cursor - 1, Home: 0, End: this.shown - 1 }[event.key];
      if (to === undefined) return;
      if (to >= this.shown && this.shown < this.steps.rows.length) this.show(this.shown + 1);
      this.moveTo(to);
      event.preventDefault();
    };
  }

  moveTo(at) {
    this.cursor = Math.max(0, Math.min(at, this.shown - 1));
    const row = this.elements[this.cursor];
    if (!row) return;
    pointAt(this.rows, row, this.spoken(this.cursor));
    row.scrollIntoView({ block: "nearest" });
  }
}

export default function (component) {
  const root = component.parentElement;
  if (!lists.has(root)) lists.set(root, new StepsView(root));
  lists.get(root).update(component);
  return () => { cancelAnimationFrame(lists.get(root)?.frame); lists.delete(root); };
}
