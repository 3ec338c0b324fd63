// A histogram. A click chooses a bar, a drag or Shift several; a click on what is chosen takes it back.

const ROOM = 150;   // pixels for the longest bar
const MANY = 16;    // bars from which on only some are named
const views = new WeakMap();

class Bars {
  constructor(root) {
    this.root = root.querySelector(".bars");
    this.root.tabIndex = 0;
    this.root.setAttribute("role", "listbox");
    this.root.setAttribute("aria-multiselectable", "true");
    this.rev = null;
    this.active = 0;
    this.root.onpointerdown = event => this.press(event);
    this.root.onpointermove = event => { if (this.from !== null) this.light(this.from, this.at(event)); };
    this.root.onpointerup = event => { if (this.from !== null) this.pick(this.from, this.at(event)); };
    this.root.onpointercancel = () => { this.from = null; this.mark(); };
    this.root.onkeydown = event => this.key(event);
    this.root.onfocus = () => { if (this.root.matches(":focus-visible")) this.moveTo(this.active); };
    this.root.onblur = () => this.moveTo(null);
    this.from = null;
  }

  update({ data, setTriggerValue }) {
    this.report = setTriggerValue;
    const { head, body } = readPayload(data, this.rev);
    this.head = head;
    this.root.setAttribute("aria-label", head.label);
    if (body) {
      this.rev = head.rev;
      this.data = body;
      this.draw();
    }
    this.mark();
  }

  draw() {
    const { first, counts, more } = this.data;
    const most = Math.max(1, ...counts), last = counts.length - 1, every = counts.length > MANY ? 4 : 1;
    this.root.classList.toggle("many", counts.length > MANY);
    this.active = Math.min(this.active, last);
    this.bars = counts.map((count, at) => {
      const value = first + at, name = more && at === last ? `${value}+` : `${value}`;
      const bar = make("div", "bar");
      bar.setAttribute("role", "option");
      bar.setAttribute("aria-label", `${name}: ${count.toLocaleString("en")}`);
      const fill = make("div", "fill");
      fill.style.height = count ? Math.max(2, ROOM * count / most) + "px" : "0";
      bar.append(make("div", "count", count.toLocaleString("en")), fill, make("div", "value", name));
      const named = at === last || (value % every === 0 && at <= last - (more ? 2 : 1));
      bar.classList.toggle("named", named);
      return bar;
    });
    this.root.replaceChildren(...this.bars);
  }

  /** Shows what is chosen. */
  mark() {
    const { first, counts, more } = this.data, end = counts.length - 1;
    const [low, high] = this.head.chosen ?? [first, first + end];
    this.chosen = this.head.chosen ? [low, high].map(value => Math.max(0, Math.min(end, value - first))) : null;
    this.bars.forEach((bar, at) => {
      const inside = at + first <= high && (at + first >= low || (more && at === end));
      bar.classList.toggle("in", inside);
      bar.setAttribute("aria-selected", String(Boolean(this.head.chosen) && inside));
    });
  }

  light(from, to) {
    const [low, high] = from < to ? [from, to] : [to, from];
    this.bars.forEach((bar, at) => bar.classList.toggle("in", at >= low && at <= high));
  }

  /** The bar below the pointer, also when it has left the row of bars. */
  at(event) {
    const beyond = this.bars.findIndex(bar => event.clientX < bar.getBoundingClientRect().right);
    return beyond < 0 ? this.bars.length - 1 : beyond;
  }

  press(event) {
    if (event.button !== 0) return;
    const at = this.at(event);
    this.from = event.shiftKey && this.chosen ? this.chosen[0] : at;
    this.root.setPointerCapture(event.pointerId);
    this.light(this.from, at);
  }

  pick(from, to) {
    this.from = null;
    this.active = to;
    const [low, high] = from < to ? [from, to] : [to, from];
    const again = low === high && this.chosen && this.chosen[0] === low && this.chosen[1] === high;
    this.report("picked", again ? "none" : [low + this.data.first, high + this.data.first]);
  }

  key(event) {
    const last = this.bars.length - 1;
    const to = { ArrowLeft: this.active - 1, ArrowRight: this.active + 1, Home: 0, End: last }[event.key];
    if (to !== undefined) this.moveTo(Math.max(0, Math.min(last, to)));
    else if (event.key === "Enter" || event.key === " ") {
      this.pick(event.shiftKey && this.chosen ? this.chosen[0] : this.active, this.active);
    } else return;
    event.preventDefault();
  }

  moveTo(at) {
    this.root.querySelector("#active")?.removeAttribute("id");
    this.bars.forEach((bar, index) => bar.classList.toggle("active", index === at));
    if (at === null) { this.root.removeAttribute("aria-activedescendant"); return; }
    this.active = at;
    this.bars[at].id = "active";
    this.root.setAttribute("aria-activedescendant", "active");
  }
}

export default function (component) {
  const { parentElement: root } = component;
  if (!views.has(root)) views.set(root, new Bars(root));
  views.get(root).update(component);
  return () => views.delete(root);
}
