// Text area that reports its text during typing. Python replaces the text only with a new push. A long paste shows only
// its head until the page has been redrawn: laying out a megabyte of text takes half a second.

import { expectAnswer } from "../../bridge/incoming.ts";
import type { Action } from "../../bridge/outbox.ts";
import { View } from "../../bridge/view.ts";
import { build, find, isServerIdle, make } from "../../page/elements.ts";
import { whenIdle } from "../../bridge/idle.ts";
import { readHead, readPayload } from "../../bridge/payload.ts";
import { editOf } from "./edits.ts";
import { withWord } from "./inserting.ts";
import { LONG, hasCrlf, pauseFor, problemOf, withLineEnds } from "./limits.ts";

interface LiveTextHead {
  name: string;
  label: string;
  height: number;
  single: boolean;
  placeholder: string;
  longest: number;
  bytes: number;
  light: boolean;
  push: string;
  offers: string[];
  examples: Record<string, string>;
}

/** Content of an area, and the last text sent. */
interface Kept {
  push: string;
  text: string;
  sent: string;
}

/** Text after a long paste, and position of the caret. */
interface LongPaste {
  whole: string;
  caret: number;
}

/** Long text that was sent, by the number of its action. */
interface Package {
  number: number;
  push: string;
  text: string;
}

const HEAD = 2_000; // UTF-16 units of a long paste that are shown at first
const LOOK = 100; // milliseconds between two checks for the redrawn page
const QUIET = 250; // milliseconds without a run after which the page counts as redrawn
const LONGEST_HEAD = 15_000; // limit in milliseconds for showing only the head: the server may be busy
const MOST_RESTLESS = 1_500; // limit in milliseconds for the page to settle afterwards

const kept = new Map<string, Kept>(); // by name: the last text of each push, for when the page rebuilds the area

export class LiveText extends View {
  private readonly label: HTMLElement;
  private readonly area: HTMLTextAreaElement;
  private readonly limit: HTMLElement;
  private readonly offers: HTMLElement;
  private offered = "";
  private head: LiveTextHead;
  private push: string | null = null;
  private sent = "";
  private crlf = false;
  private timer = 0;
  private sentAt = 0;
  private packages: Package[] = []; // the newest that the server has accepted, and later ones
  private pasted: LongPaste | null = null; // while the area shows only its head
  private readonly listening = new AbortController(); // there is no oncompositionend property

  static markup() {
    return [
      build(
        "div",
        { class: "live" },
        build("label", { class: "name", for: "area" }),
        build("textarea", { id: "area" }),
        build("p", { class: "limit", role: "status" }),
        make("div", "offers"),
      ),
    ];
  }

  /** @param data the first payload */
  constructor(root: HTMLElement, data: Uint8Array) {
    super(root);
    this.label = find(root, "label", HTMLElement);
    this.area = find(root, "textarea", HTMLTextAreaElement);
    this.limit = find(root, ".limit", HTMLElement);
    this.offers = find(root, ".offers", HTMLElement);
    Object.assign(this.area, { spellcheck: false, autocapitalize: "off", autocomplete: "off" });
    this.head = readHead(data);
    this.area.oninput = (event) => {
      this.pasted = null;
      const { inputType, isComposing } = event instanceof InputEvent ? event : { inputType: "", isComposing: false };
      this.keep();
      if (inputType === "insertFromPaste") this.wait(0);
      else if (!isComposing) this.wait();
    };
    const composed = () => {
      this.keep();
      this.wait();
    };
    const { signal } = this.listening;
    this.area.addEventListener("compositionend", composed, { signal });
    this.area.addEventListener("bpe-lab-long-paste", (event) => this.takeLongPaste(event), { signal });
    for (const name of ["keydown", "pointerdown", "wheel", "beforeinput", "copy", "contextmenu"]) {
      this.area.addEventListener(name, () => this.showAll(), { signal, passive: true });
    }
    this.area.onblur = () => this.send();
    this.area.onkeydown = (event) => {
      if (event.key !== "Enter") return;
      if (event.ctrlKey || event.metaKey) this.send();
      if (this.head.single && !event.isComposing) event.preventDefault();
    };
  }

  update(component: Mount) {
    const { data } = component;
    const head = readHead<LiveTextHead>(data);
    const outbox = this.mountOutbox(head.name, component);
    outbox.onRepeat = () => this.typeAgain();
    outbox.pack = (action, isAgain) => this.packed(outbox.takenUpTo, action, isAgain);
    this.head = head;
    this.label.textContent = head.label;
    this.area.placeholder = head.placeholder;
    this.area.classList.toggle("single", head.single);
    this.offer(head);
    if (head.push === this.push) return;
    if (this.push === null) this.area.style.height = head.height + "px";
    this.push = head.push;
    const before = kept.get(head.name);
    const { body } = readPayload<{ rev: string }, { text: string }>(data, null);
    const text = before?.push === head.push ? before.text : (this.typedBefore() ?? body.text);
    this.crlf = hasCrlf(body.text);
    this.pasted = null;
    if (this.area.value !== body.text) this.area.value = body.text;
    this.sent = before?.push === head.push ? before.sent : this.area.value;
    if (this.area.value !== text) this.area.value = text;
    this.keep();
    this.check();
    if (this.area.value !== this.sent) this.wait();
  }

  /** Text typed before a reload, or before Back opened an older one, and pending. It belongs to an earlier push. */
  private typedBefore(): string | null {
    const isPending = this.outbox?.repeated || !kept.has(this.head.name);
    const typed = isPending ? this.outbox?.newest("typed") : null;
    return Array.isArray(typed) && typeof typed[1] === "string" ? typed[1] : null;
  }

  private typeAgain() {
    const text = this.typedBefore();
    if (text === null) return;
    this.pasted = null;
    this.area.value = text;
    this.keep();
    this.send();
  }

  /** Text of the area, also while only its head is shown. */
  private text() {
    return this.pasted?.whole ?? this.area.value;
  }

  private takeLongPaste(event: Event) {
    if (!(event instanceof CustomEvent)) return;
    event.preventDefault();
    this.pasted = event.detail as LongPaste;
    this.area.value = this.pasted.whole.slice(0, HEAD);
    this.keep();
    this.wait(0);
    const pastedAt = performance.now();
    this.showAllLater(pastedAt, pastedAt);
  }

  /**
   * Show the whole text once the page is redrawn; the acknowledgement comes earlier.
   * @param busyAt when the page was last seen to be redrawing
   */
  private showAllLater(pastedAt: number, busyAt: number) {
    if (!this.pasted) return;
    const now = performance.now();
    if (this.timer || this.outbox?.waits("typed") || !isServerIdle()) busyAt = now;
    if (now - busyAt >= QUIET || now - pastedAt >= LONGEST_HEAD) whenIdle(() => this.showAll(), MOST_RESTLESS);
    else setTimeout(() => this.showAllLater(pastedAt, busyAt), LOOK);
  }

  /** Show the whole text, at the latest before any interaction with the area. */
  private showAll() {
    if (!this.pasted) return;
    const { whole, caret } = this.pasted;
    this.pasted = null;
    this.area.value = whole;
    this.area.setSelectionRange(caret, caret);
  }

  /** Show the words and examples below the area. Unchanged ones are not redrawn, so that they keep the focus. */
  private offer({ offers, examples }: LiveTextHead) {
    const offered = JSON.stringify([offers, examples]);
    if (offered === this.offered) return;
    this.offered = offered;
    const button = (label: string, kind: string, take: () => void) => {
      const made = make("button", kind, label);
      made.type = "button";
      made.onclick = take;
      return made;
    };
    this.offers.replaceChildren(
      ...offers.map((word) => button(word, "offer", () => this.insert(word))),
      ...Object.entries(examples).map(([title, text]) => button(title, "offer example", () => this.write(text))),
    );
  }

  private insert(word: string) {
    this.showAll();
    const { value, selectionStart, selectionEnd } = this.area;
    const { text, caret } = withWord(value, selectionStart, selectionEnd, word);
    this.write(text, caret);
  }

  /** Replace the text, as if it had been typed. */
  private write(text: string, caret = text.length) {
    this.pasted = null;
    this.area.value = text;
    this.area.focus();
    this.area.setSelectionRange(caret, caret);
    this.keep();
    this.wait(0);
  }

  /** Content of the area, as sent to the server. */
  private typed() {
    return [this.push, withLineEnds(this.text(), this.crlf)];
  }

  private keep() {
    kept.set(this.head.name, { push: this.head.push, text: this.text(), sent: this.sent });
  }

  /** @param pause milliseconds */
  private wait(pause: number = pauseFor(this.text().length, performance.now() - this.sentAt, this.head.light)) {
    clearTimeout(this.timer);
    if (!pause) return this.send();
    this.timer = setTimeout(() => this.send(), pause);
    if (this.text() !== this.sent && !problemOf(this.text(), this.head)) this.outbox?.note("typed", this.typed());
  }

  private send() {
    clearTimeout(this.timer);
    this.timer = 0;
    const text = this.text();
    if (text === this.sent || !this.check()) return;
    this.sent = text;
    this.sentAt = performance.now();
    this.keep();
    if (this.head.light) expectAnswer();
    this.outbox?.act("typed", this.typed(), { replaces: true, urgent: this.head.light });
  }

  /** Typed text as it is sent; for a long one, the change since the newest that the server has accepted. */
  private packed(takenUpTo: number, [number, , value]: Action, isAgain: boolean) {
    const [push, text] = value as [push: string, text: string];
    if (text.length <= LONG) return value;
    const base = this.packages.findLast((each) => each.push === push && each.number <= takenUpTo);
    const isLater = (each: Package) => each.number >= (base?.number ?? 0) && each.number < number;
    this.packages = [...this.packages.filter(isLater), { number, push, text }];
    const edit = base && !isAgain ? editOf(base.text, text) : null;
    return [push, base && edit ? [base.number, ...edit] : text, number];
  }

  /** Whether the text is short enough to send; if not, a notice appears below the area. */
  private check() {
    const problem = problemOf(this.text(), this.head);
    this.limit.textContent = problem;
    return !problem;
  }

  override end() {
    super.end();
    clearTimeout(this.timer);
    this.listening.abort();
  }
}
