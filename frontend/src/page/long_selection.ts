// Keeps selecting in a long text area fast. As long as anything on a page is left out by content-visibility, Chromium
// takes quadratic time for a selection over many lines of an area: 17 s to select 20,000 lines, and 15 s to type over
// them. So nothing is left out while there may be such a selection. What a closed <details> hides: ui/widgets/shell.css.

const LONG = 20_000; // UTF-16 units

function isLongArea(event: Event) {
  const target = event.composedPath()[0];
  return target instanceof HTMLTextAreaElement && target.value.length >= LONG;
}

function drawAll(event: Event) {
  if (isLongArea(event)) document.documentElement.style.setProperty("--out-of-sight", "visible");
}

/** Start listening; after the listeners of the area itself, which may just have inserted its text. */
export function watchLongSelections() {
  document.addEventListener("keydown", drawAll);
  document.addEventListener("pointerdown", drawAll);
  document.addEventListener("focusout", () => document.documentElement.style.removeProperty("--out-of-sight"));
}
