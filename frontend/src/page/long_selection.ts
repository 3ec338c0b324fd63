// Keeps selecting in a long text area fast. As long as anything on a page is left out by content-visibility, Chromium
// takes quadratic time for a selection over many lines of an area: 17 s to select 20,000 lines, and 15 s to type over
// them. So nothing is left out while there may be such a selection. What a closed <details> hides: ui/widgets/shell.css.

const LONG = 20_000; // UTF-16 units
const AFTERWARDS = 1_000; // milliseconds; Chromium crashes if a press of the mouse leaves out what it hits
const page = document.documentElement.style;

let timer = 0;

function drawAll(event: Event) {
  const area = event.composedPath()[0];
  if (!(area instanceof HTMLTextAreaElement) || area.value.length < LONG) return;
  clearTimeout(timer);
  page.setProperty("--out-of-sight", "visible");
}

function onKey(event: KeyboardEvent) {
  const movesCaret = event.key.length > 1; // no letter
  if (event.ctrlKey || event.metaKey || (event.shiftKey && movesCaret)) drawAll(event);
}

function onPress(event: PointerEvent) {
  if (event.shiftKey || event.button) drawAll(event); // the menu of the second button selects all
}

function onLeave(event: Event) {
  const area = event.composedPath()[0];
  if (area instanceof HTMLTextAreaElement && area.selectionStart !== area.selectionEnd) return; // the focus selects it again
  clearTimeout(timer);
  timer = setTimeout(() => page.removeProperty("--out-of-sight"), AFTERWARDS);
}

/** Start listening; after the listeners of the area itself, which may just have inserted its text. */
export function watchLongSelections() {
  document.addEventListener("keydown", onKey);
  document.addEventListener("pointerdown", onPress);
  document.addEventListener("focusout", onLeave);
}
