// Print layout: whether the page is laid out for printing, and the views to redraw for it.

import COLOURS from "../export/print.json" with { type: "json" };

/** Styles of the theme on paper, as names and values. */
export const PRINT = Object.entries(COLOURS);

const CHANGED = "bpe-lab-paper";

export function isPrinting() {
  return document.documentElement.hasAttribute("data-paper");
}

/** Redraw every view for print, synchronously. */
export function printStyles() {
  document.documentElement.dataset.paper = "";
  dispatchEvent(new Event(CHANGED));
}

/** Redraw every view for the screen. */
export function screenStyles() {
  if (!isPrinting()) return;
  delete document.documentElement.dataset.paper;
  dispatchEvent(new Event(CHANGED));
}

/** Call `draw` at each change between screen and print; the returned function unsubscribes. */
export function whenPrinting(draw: () => void) {
  addEventListener(CHANGED, draw);
  return () => removeEventListener(CHANGED, draw);
}
