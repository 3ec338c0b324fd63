// Puts a long paste into a text area in one go. Left to itself, Chromium lays the page out again after every line of
// it, which takes half a minute for a megabyte. The price: the browser cannot undo it, so Ctrl+Z is done here too.

const LONG = 20_000;   // characters; shorter pastes are the browser's own
const undone = new WeakMap();   // by area: what a long paste replaced, until the next change

function areaOf(event) {
  const target = event.composedPath()[0];
  return target instanceof HTMLTextAreaElement && !target.readOnly && !target.disabled ? target : null;
}

function tell(area, inputType) {
  area.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true, inputType }));
}

function onPaste(event) {
  const area = areaOf(event);
  const text = event.clipboardData?.getData("text/plain").replace(/\r\n?/g, "\n") ?? "";
  if (!area || text.length < LONG || area.maxLength >= 0) return;
  event.preventDefault();
  const { selectionStart: start, selectionEnd: end } = area;
  const before = { value: area.value, start, end };
  area.setRangeText(text, start, end, "end");
  tell(area, "insertFromPaste");
  undone.set(area, before);
}

function onKey(event) {
  const area = areaOf(event);
  if (!area || !undone.has(area) || event.key.toLowerCase() !== "z" || event.shiftKey || event.altKey) return;
  if (!event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  const { value, start, end } = undone.get(area);
  area.setRangeText(value, 0, area.value.length);
  area.setSelectionRange(start, end);
  tell(area, "historyUndo");
}

const forget = event => undone.delete(event.composedPath()[0]);

export default function () {
  if (window.bpeLabLongPaste) return;
  window.bpeLabLongPaste = true;
  document.addEventListener("paste", onPaste, { capture: true });
  document.addEventListener("keydown", onKey, { capture: true });
  document.addEventListener("input", forget, { capture: true });
}
