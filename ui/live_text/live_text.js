// A text area that reports its text while a person types. Python replaces the text only with a new push.

const PAUSE = 60;            // milliseconds without a key before a short text is sent; the first key goes at once
const REST = 200;            // milliseconds without sending after which a key counts as the first
const LONG = 50_000;         // characters from which on a longer pause is waited for
const LONG_PAUSE = 350;
const areas = new WeakMap();
const kept = new Map();      // by name: the last text of each push, for when the page builds the area anew
const encoder = new TextEncoder();

class LiveText {
  constructor(root) {
    this.label = root.querySelector("label");
    this.area = root.querySelector("textarea");
    this.limit = root.querySelector(".limit");
    Object.assign(this.area, { spellcheck: false, autocapitalize: "off", autocomplete: "off" });
    this.push = null;
    this.timer = 0;
    this.sentAt = 0;
    this.area.oninput = event => {
      this.keep();
      if (event.inputType === "insertFromPaste") this.wait(0);
      else if (!event.isComposing) this.wait();
    };
    this.listening = new AbortController();   // there is no oncompositionend to assign
    this.area.addEventListener("compositionend", () => { this.keep(); this.wait(); }, { signal: this.listening.signal });
    this.area.onblur = () => this.send();
    this.area.onkeydown = event => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.send(); };
  }

  update({ data, setStateValue }) {
    this.report = setStateValue;
    const split = data.indexOf(10);
    const decoder = new TextDecoder();
    const head = JSON.parse(decoder.decode(data.subarray(0, split)));
    this.head = head;
    this.label.textContent = head.label;
    this.area.placeholder = head.placeholder;
    if (head.push === this.push) return;
    if (this.push === null) this.area.style.height = head.height + "px";
    this.push = head.push;
    const before = kept.get(head.name);
    const pushed = JSON.parse(decoder.decode(data.subarray(split + 1))).text;
    const text = before?.push === head.push ? before.text : pushed;
    this.crlf = /\r\n/.test(pushed) && !/(^|[^\r])\n/.test(pushed);   // a text area itself knows LF only
    if (this.area.value !== text) this.area.value = text;
    this.sent = before?.push === head.push ? before.sent : this.area.value;
    this.keep();
    this.check();
    if (this.area.value !== this.sent) this.wait();
  }

  keep() { kept.set(this.head.name, { push: this.push, text: this.area.value, sent: this.sent }); }

  wait(pause = this.pause()) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), pause);
  }

  pause() {
    const rested = performance.now() - this.sentAt > REST;
    return this.area.value.length > LONG ? LONG_PAUSE : rested ? 0 : PAUSE;
  }

  send() {
    clearTimeout(this.timer);
    const text = this.area.value;
    if (text === this.sent || !this.check()) return;
    this.sent = text;
    this.sentAt = performance.now();
    this.keep();
    this.report("typed", [this.push, this.crlf ? text.replace(/\n/g, "\r\n") : text]);
  }

  /** Whether the text is short enough to be sent; says so below the area when it is not. */
  check() {
    const { longest, bytes } = this.head;
    const text = this.area.value;
    const characters = text.length <= longest ? text.length : [...text].length;
    const size = text.length * 3 <= bytes / 2 ? 0 : encoder.encode(JSON.stringify(text)).length;
    const number = n => n.toLocaleString("en");
    this.limit.textContent = characters > longest
      ? `The text has ${number(characters)} characters; ${number(longest)} are taken. Shorten it: until then the page shows the text before.`
      : size > bytes
        ? `The text has ${number(size)} bytes; ${number(bytes)} are taken. Shorten it: until then the page shows the text before.`
        : "";
    return !this.limit.textContent;
  }
}

export default function (component) {
  const root = component.parentElement;
  if (!areas.has(root)) areas.set(root, new LiveText(root));
  areas.get(root).update(component);
  return () => {
    const area = areas.get(root);
    clearTimeout(area?.timer);
    area?.listening.abort();
    areas.delete(root);
  };
}
