// The player. It shows a step at once and asks the page for it; one move is on its way at a time, and of those that
// come meanwhile the newest is sent after it. While it plays its clock asks for the next step when the last is drawn.

const players = new WeakMap();
const PATIENCE = 1500;   // milliseconds after which a move that nobody answers is sent again
const IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"]';

class Player {
  constructor(root) {
    this.root = root.querySelector(".player");
    const find = selector => this.root.querySelector(selector);
    this.buttons = Object.fromEntries([...this.root.querySelectorAll("button")].map(button => [button.dataset.do, button]));
    this.slider = find(".slider");
    this.field = find(".field input");
    this.of = find(".of");
    this.speedChoice = find("select");
    this.predict = find(".predict input");
    this.unitName = find(".unit");
    this.sent = null;      // the move on its way
    this.wanted = null;
    this.timer = 0;
    this.again = 0;
    this.lastMove = 0;
    this.onKey = event => this.key(event);
    document.addEventListener("keydown", this.onKey);
    this.listen();
  }

  listen() {
    const { first, back, next, last, play } = this.buttons;
    first.onclick = () => this.go(0);
    back.onclick = () => this.go(this.shown - 1);
    next.onclick = () => this.go(this.shown + 1);
    last.onclick = () => this.go(this.last);
    play.onclick = () => this.report("play", !this.playing);
    this.slider.oninput = () => this.go(Number(this.slider.value));
    this.field.onchange = () => {
      const target = this.field.valueAsNumber;
      if (Number.isFinite(target)) this.go(Math.trunc(target));
      this.show(this.shown);
    };
    this.speedChoice.onchange = () => this.report("speed", Number(this.speedChoice.value));
    this.predict.onchange = () => this.report("predict", this.predict.checked);
  }

  update({ data, setTriggerValue }) {
    this.report = setTriggerValue;
    Object.assign(this, data);
    this.answered();
    const wanted = this.wanted;
    this.wanted = null;
    this.slider.max = this.field.max = this.last;
    this.of.textContent = "of " + this.last.toLocaleString("en");
    this.root.classList.toggle("playing", this.playing);
    this.buttons.play.querySelector("span").textContent = this.playing ? "Pause" : "Play";
    this.buttons.play.disabled = Boolean(this.predicting);
    this.predict.checked = Boolean(this.predicting);
    this.predict.parentElement.hidden = this.predicting === null;
    this.name(this.unit);
    this.showSpeeds();
    this.show(this.step);
    dispatchEvent(new CustomEvent("bpe-lab-step", { detail: this.step }));
    if (wanted !== null && wanted !== this.step) this.go(wanted);
    clearTimeout(this.timer);
    if (!this.playing || this.step >= this.last) return;
    const due = this.lastMove + 1000 / this.speed - performance.now();
    this.timer = setTimeout(() => this.go(this.step + 1, true), Math.max(0, due));
  }

  /** The words for a step: of one training a merge, of several a step. */
  name(unit) {
    const capital = unit[0].toUpperCase() + unit.slice(1);
    this.unitName.textContent = capital;
    this.buttons.back.title = `One ${unit} back (\u2190 key)`;
    this.buttons.next.title = `The next ${unit} (\u2192 key)`;
    this.speedChoice.title = `${capital}s a second while it plays`;
    this.slider.setAttribute("aria-label", unit === "merge" ? "Merges applied" : `${capital}s`);
    this.field.setAttribute("aria-label", `Go to ${unit}`);
  }

  showSpeeds() {
    if (this.speedChoice.options.length !== this.speeds.length) {
      this.speedChoice.replaceChildren(...this.speeds.map(speed => new Option(`${speed} / s`, speed)));
    }
    this.speedChoice.value = this.speed;
  }

  /** What the player itself says, ahead of the page. */
  show(step) {
    this.shown = step;
    this.slider.value = step;
    this.slider.style.setProperty("--at", 100 * step / Math.max(1, this.last) + "%");
    this.field.value = step;
    this.buttons.first.disabled = this.buttons.back.disabled = step <= 0;
    this.buttons.next.disabled = this.buttons.last.disabled = step >= this.last;
  }

  go(target, byClock = false) {
    target = Math.max(0, Math.min(this.last, target));
    if (this.sent) {
      if (!byClock) { this.wanted = target; this.show(target); }
      return;
    }
    this.show(target);
    if (target === this.step) return;
    this.lastMove = performance.now();
    this.sent = [target, byClock];
    document.documentElement.dataset.moving = "yes";
    this.send();
  }

  /** Of two requests that reach Streamlit together, it may drop one. */
  send() {
    this.report("move", this.sent);
    this.patience();
  }

  patience() {
    clearTimeout(this.again);
    this.again = setTimeout(() => { if (document.querySelector(IDLE)) this.send(); else this.patience(); }, PATIENCE);
  }

  answered() {
    this.sent = null;
    clearTimeout(this.again);
    delete document.documentElement.dataset.moving;
  }

  key(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const delta = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (delta === undefined || usesKeys(event.composedPath())) return;
    event.preventDefault();
    if (event.repeat && this.sent) return;   // a key held down goes as fast as the steps are drawn
    this.go(this.shown + delta);
  }

  stop() {
    clearTimeout(this.timer);
    this.answered();
    document.removeEventListener("keydown", this.onKey);
  }
}

/** Whether the focus is in something that moves by these keys itself. */
function usesKeys(path) {
  const own = "input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=slider], [role=listbox],"
    + " [role=grid], [role=tablist], [role=radiogroup], [role=menu], [role=dialog]";
  return path.some(el => el instanceof Element && el.matches(own));
}

export default function (component) {
  const root = component.parentElement;
  if (!players.has(root)) players.set(root, new Player(root));
  players.get(root).update(component);
  return () => { players.get(root)?.stop(); players.delete(root); };
}
