// Inserts a long paste into a text area in one step. By default, Chromium lays the page out again after every line of
// it, which takes half a minute for a megabyte. The browser cannot undo the insertion, so Ctrl+Z is handled here too.
// An area that cancels the event "bpe-lab-long-paste" inserts the text itself.

interface Replaced {
  value: string;
  start: number;
  end: number;
}

const LONG = 20_000; // UTF-16 units; the browser handles shorter pastes
const undone = new WeakMap<EventTarget, Replaced>(); // by area: what a long paste replaced, until the next change

function areaOf(event: Event) {
  const target = event.composedPath()[0];
  return target instanceof HTMLTextAreaElement && !target.readOnly && !target.disabled ? target : null;
}

function tell(area: HTMLTextAreaElement, inputType: string) {
  area.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true, inputType }));
}

function onPaste(event: ClipboardEvent) {
  const area = areaOf(event);
  const text = event.clipboardData?.getData("text/plain").replace(/\r\n?/g, "\n") ?? "";
  if (!area || text.length < LONG || area.maxLength >= 0) return;
  event.preventDefault();
  const { selectionStart: start, selectionEnd: end } = area;
  const before = { value: area.value, start, end };
  const whole = area.value.slice(0, start) + text + area.value.slice(end);
  const taken = new CustomEvent("bpe-lab-long-paste", {
    detail: { whole, caret: start + text.length },
    cancelable: true,
  });
  if (area.dispatchEvent(taken)) {
    area.setRangeText(text, start, end, "end");
    tell(area, "insertFromPaste");
  }
  undone.set(area, before);
}

function onKey(event: KeyboardEvent) {
  const area = areaOf(event);
  const before = area && undone.get(area);
  if (!before || event.key.toLowerCase() !== "z" || event.shiftKey || event.altKey) return;
  if (!event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  area.setRangeText(before.value, 0, area.value.length);
  area.setSelectionRange(before.start, before.end);
  tell(area, "historyUndo");
}

function forget(event: Event) {
  undone.delete(event.composedPath()[0]);
}

/** Start listening. */
export function watchLongPastes() {
  document.addEventListener("paste", onPaste, { capture: true });
  document.addEventListener("keydown", onKey, { capture: true });
  document.addEventListener("input", forget, { capture: true });
}
