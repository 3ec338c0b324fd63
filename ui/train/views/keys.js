// Keys and clock of the player. One move is on its way at a time: what comes meanwhile is added up and sent after it.

const players = new WeakMap();
const PATIENCE = 4000;   // milliseconds after which a move that nobody answered counts as lost

class Player {
  constructor() {
    this.sentAt = null;
    this.wanted = null;
    this.timer = 0;
    this.lastMove = 0;
    this.onKey = event => this.key(event);
    document.addEventListener("keydown", this.onKey);
  }

  update({ data, setTriggerValue }) {
    this.report = setTriggerValue;
    Object.assign(this, data);
    this.sentAt = null;
    const wanted = this.wanted;
    this.wanted = null;
    if (wanted !== null && wanted !== this.step) this.go(wanted);
    clearTimeout(this.timer);
    if (this.pause === null || this.step >= this.last) return;
    const due = this.lastMove + 1000 * this.pause - performance.now();
    this.timer = setTimeout(() => this.go(this.step + 1, true), Math.max(0, due));
  }

  get busy() { return this.sentAt !== null && performance.now() - this.sentAt < PATIENCE; }

  go(target, byClock = false) {
    target = Math.max(0, Math.min(this.last, target));
    if (target === this.step) return;
    if (this.busy) { if (!byClock) this.wanted = target; return; }
    this.sent = target;
    this.sentAt = this.lastMove = performance.now();
    this.report("move", [target, byClock]);
  }

  key(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const delta = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (delta === undefined || usesKeys(event.composedPath())) return;
    event.preventDefault();
    if (event.repeat && this.busy) return;   // a key held down goes as fast as the steps are drawn
    const from = this.busy ? this.wanted ?? this.sent : this.step;
    this.go(from + delta);
  }

  stop() {
    clearTimeout(this.timer);
    document.removeEventListener("keydown", this.onKey);
  }
}

/** Whether the focus is in something that moves by these keys itself. */
function usesKeys(path) {
  const own = "input, textarea, select, [contenteditable=true], [role=slider], [role=listbox], [role=grid], [role=tablist],"
    + " [role=radiogroup], [role=menu], [role=dialog]";
  return path.some(el => el instanceof Element && el.matches(own));
}

export default function (component) {
  const root = component.parentElement;
  if (!players.has(root)) players.set(root, new Player());
  players.get(root).update(component);
  return () => { players.get(root)?.stop(); players.delete(root); };
}
