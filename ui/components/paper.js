// @ts-check
// Whether the page is laid out for paper, as the browser prints it, and who is drawn anew for it.

const CHANGED = "bpe-lab-paper";

export function isOnPaper() {
  return document.documentElement.hasAttribute("data-paper");
}

/** Has every view drawn for paper, at once. */
export function onPaper() {
  document.documentElement.dataset.paper = "";
  dispatchEvent(new Event(CHANGED));
}

/** Has every view drawn for the screen again. */
export function onScreen() {
  if (!isOnPaper()) return;
  delete document.documentElement.dataset.paper;
  dispatchEvent(new Event(CHANGED));
}

/**
 * Calls `draw` at each change between screen and paper, until what is returned is called.
 * @param {() => void} draw
 */
export function whenOnPaper(draw) {
  addEventListener(CHANGED, draw);
  return () => removeEventListener(CHANGED, draw);
}
