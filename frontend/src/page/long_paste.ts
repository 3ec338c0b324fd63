// Inserts a long paste into a text area in one step. By default, Chromium lays the page out again after every line of
// it, which takes half a minute for a megabyte. The browser can neither undo nor redo the insertion, so Ctrl+Z,
// Ctrl+Shift+Z and Ctrl+Y are handled here too. An area that cancels the event "bpe-lab-long-paste" inserts the text
// itself.

interface Content {
  value: string;
  start: number;
  end: number;
}

interface LongPaste {
  before: Content;
  after: Content;
  isUndone: boolean;
}

const LONG = 20_000; // UTF-16 units; the browser handles shorter pastes
const pastes = new WeakMap<EventTarget, LongPaste>(); // by area: its long paste, until the next change

function areaOf(event: Event) {
  const target = event.composedPath()[0];
  return target instanceof HTMLTextAreaElement && !target.readOnly && !target.disabled ? target : null;
}

function put(area: HTMLTextAreaElement, { value, start, end }: Content, inputType: string) {
  area.setRangeText(value, 0, area.value.length);
  area.setSelectionRange(start, end);
  area.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true, inputType }));
}

function insert(area: HTMLTextAreaElement, after: Content, inputType: string) {
  const detail = { whole: after.value, caret: after.start };
  if (area.dispatchEvent(new CustomEvent("bpe-lab-long-paste", { detail, cancelable: true }))) {
    put(area, after, inputType);
  }
}

function onPaste(event: ClipboardEvent) {
  const area = areaOf(event);
  const text = event.clipboardData?.getData("text/plain").replace(/\r\n?/g, "\n") ?? "";
  if (!area || text.length < LONG || area.maxLength >= 0) return;
  event.preventDefault();
  const { value, selectionStart: start, selectionEnd: end } = area;
  const caret = start + text.length;
  const after = { value: value.slice(0, start) + text + value.slice(end), start: caret, end: caret };
  insert(area, after, "insertFromPaste");
  pastes.set(area, { before: { value, start, end }, after, isUndone: false });
}

/** Whether a key undoes or redoes; null for other keys. */
function actOf({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent) {
  if (altKey || !(ctrlKey || metaKey)) return null;
  if (key.toLowerCase() === "z") return shiftKey ? "redo" : "undo";
  return key.toLowerCase() === "y" && !shiftKey && !metaKey ? "redo" : null;
}

function onKey(event: KeyboardEvent) {
  const area = areaOf(event);
  const paste = area && pastes.get(area);
  if (!paste || actOf(event) !== (paste.isUndone ? "redo" : "undo")) return;
  event.preventDefault();
  event.stopPropagation(); // a key shows the whole text at once
  if (paste.isUndone) insert(area, paste.after, "historyRedo");
  else put(area, paste.before, "historyUndo");
  pastes.set(area, { ...paste, isUndone: !paste.isUndone });
}

function forget(event: Event) {
  pastes.delete(event.composedPath()[0]);
}

/** Start listening. */
export function watchLongPastes() {
  document.addEventListener("paste", onPaste, { capture: true });
  document.addEventListener("keydown", onKey, { capture: true });
  document.addEventListener("input", forget, { capture: true });
}
