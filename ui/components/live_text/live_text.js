// @ts-check
// A text area that reports its text while a person types. Python replaces the text only with a new push.

import { mountedActions } from "../actions.js";
import { find } from "../page.js";
import { readHead, readPayload } from "../tokens/payload.js";
import { hasCrlf, pauseFor, problemOf, withLineEnds } from "./limits.js";

/** @typedef {import("../actions.js").Actions} Actions */

/**
 * @typedef {{ name: string, label: string, height: number, placeholder: string, longest: number, bytes: number,
 *   push: string }} LiveTextHead
 */
/** @typedef {{ push: string, text: string, sent: string }} Kept what was in an area, and the last text that was sent */

/** @type {WeakMap<HTMLElement, LiveText>} */
const areas = new WeakMap();
/** @type {Map<string, Kept>} */
const kept = new Map(); // by name: the last text of each push, for when the page builds the area anew

class LiveText {
  /**
   * @param {HTMLElement} root
   * @param {LiveTextHead} head
   */
  constructor(root, head) {
    this.label = find(root, "label", HTMLElement);
    this.area = find(root, "textarea", HTMLTextAreaElement);
    this.limit = find(root, ".limit", HTMLElement);
    Object.assign(this.area, { spellcheck: false, autocapitalize: "off", autocomplete: "off" });
    this.head = head;
    /** @type {Actions | null} */
    this.actions = null;
    /** @type {string | null} */
    this.push = null;
    this.sent = "";
    this.crlf = false;
    this.timer = 0;
    this.sentAt = 0;
    this.area.oninput = (event) => {
      const { inputType, isComposing } = event instanceof InputEvent ? event : { inputType: "", isComposing: false };
      this.keep();
      if (inputType === "insertFromPaste") this.wait(0);
      else if (!isComposing) this.wait();
    };
    this.listening = new AbortController(); // there is no oncompositionend to assign
    const composed = () => {
      this.keep();
      this.wait();
    };
    this.area.addEventListener("compositionend", composed, { signal: this.listening.signal });
    this.area.onblur = () => this.send();
    this.area.onkeydown = (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.send();
    };
  }

  /** @param {Mount} component */
  update(component) {
    const { data } = component;
    /** @type {LiveTextHead} */
    const head = readHead(data);
    this.actions = mountedActions(head.name, component);
    this.head = head;
    this.label.textContent = head.label;
    this.area.placeholder = head.placeholder;
    if (head.push === this.push) return;
    if (this.push === null) this.area.style.height = head.height + "px";
    this.push = head.push;
    const before = kept.get(head.name);
    /** @type {{ body: { text: string } }} */
    const { body } = readPayload(data, null);
    const text = before?.push === head.push ? before.text : (this.typedBeforeReload() ?? body.text);
    this.crlf = hasCrlf(body.text);
    if (this.area.value !== body.text) this.area.value = body.text;
    this.sent = before?.push === head.push ? before.sent : this.area.value;
    if (this.area.value !== text) this.area.value = text;
    this.keep();
    this.check();
    if (this.area.value !== this.sent) this.wait();
  }

  /**
   * What was typed before the page was loaded again, and the server had not taken. It belongs to a push of that page.
   * @returns {string | null}
   */
  typedBeforeReload() {
    const typed = kept.has(this.head.name) ? null : this.actions?.newest("typed");
    return Array.isArray(typed) && typeof typed[1] === "string" ? typed[1] : null;
  }

  /** What is in the area now, as the server is told it. */
  typed() {
    return [this.push, withLineEnds(this.area.value, this.crlf)];
  }

  keep() {
    kept.set(this.head.name, { push: this.head.push, text: this.area.value, sent: this.sent });
  }

  /** @param {number} [pause] milliseconds */
  wait(pause = pauseFor(this.area.value.length, performance.now() - this.sentAt)) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), pause);
    if (this.area.value !== this.sent && !problemOf(this.area.value, this.head)) this.actions?.note("typed", this.typed());
  }

  send() {
    clearTimeout(this.timer);
    const text = this.area.value;
    if (text === this.sent || !this.check()) return;
    this.sent = text;
    this.sentAt = performance.now();
    this.keep();
    this.actions?.act("typed", this.typed(), { replaces: true });
  }

  /** Whether the text is short enough to be sent; says so below the area when it is not. */
  check() {
    const problem = problemOf(this.area.value, this.head);
    this.limit.textContent = problem;
    return !problem;
  }
}

/** @param {Mount} component */
export default function (component) {
  const root = component.parentElement;
  const area = areas.get(root) ?? new LiveText(root, readHead(component.data));
  areas.set(root, area);
  area.update(component);
  return () => {
    area.actions?.left(root);
    clearTimeout(area.timer);
    area.listening.abort();
    areas.delete(root);
  };
}
