// Keeps selecting in a long text area fast. As long as anything on a page is left out by content-visibility, Chromium
// takes quadratic time for a selection over many lines of an area: 17 s to select 20,000 lines, and 15 s to type over
// them. So nothing is left out while there may be such a selection. What a closed <details> hides: ui/widgets/shell.css.

const LONG = 20_000; // UTF-16 units
const page = document.documentElement.style;

let isAllDrawn = false;

function drawAll(event: Event) {
  const area = event.composedPath()[0];
  if (isAllDrawn || !(area instanceof HTMLTextAreaElement) || area.value.length < LONG) return;
  isAllDrawn = true;
  page.setProperty("--out-of-sight", "visible");
}

function onKey(event: KeyboardEvent) {
  if (event.shiftKey || event.ctrlKey || event.metaKey) drawAll(event);
}

function onLeave() {
  if (isAllDrawn) page.removeProperty("--out-of-sight");
  isAllDrawn = false;
}

/** Start listening; after the listeners of the area itself, which may just have inserted its text. */
export function watchLongSelections() {
  document.addEventListener("keydown", onKey);
  document.addEventListener("pointerdown", drawAll);
  document.addEventListener("focusout", onLeave);
}
