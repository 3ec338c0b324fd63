// @ts-check
// Lays a lesson out for paper before printing, by the button or the browser's menu: in print colours, and as large as
// one page allows. The stylesheet is ui/lessons/handout.css. Views that measure themselves are notified (../print.js)
// and redraw for that width synchronously, since nothing else runs before the browser has printed.

import { onNextCall } from "../calls.js";
import { printStyles, screenStyles } from "../print.js";
import { find } from "../page.js";
import PRINT from "../pictures/print.json" with { type: "json" };
import { scaleOf } from "./fit.js";

/** @typedef {{ of: string, title: string, query: string }} HandoutData */

/** @param {string} selector */
function printColours(selector) {
  const sheet = new CSSStyleSheet();
  const colours = Object.entries(PRINT).map(([name, value]) => `${name}: ${value} !important;`);
  sheet.replaceSync(`:root[data-paper] ${selector} * { ${colours.join(" ")} }`);
  return sheet;
}

/** @param {HandoutData} data */
function layOut({ of, title, query }) {
  const shown = document.querySelector(of);
  if (!(shown instanceof HTMLElement)) return;
  const link = query ? `${location.origin}${location.pathname}?${query}` : "";
  const { style } = document.documentElement;
  style.setProperty("--paper-title", JSON.stringify(title));
  style.setProperty("--paper-link", JSON.stringify(link));
  style.setProperty("--paper-scale", "1");
  const scale = scaleOf((width) => {
    style.setProperty("--paper-width", `${width}px`);
    printStyles();
    return shown.scrollHeight;
  });
  style.setProperty("--paper-scale", String(scale));
}

/** @param {Mount<HandoutData>} component */
export default function ({ data, parentElement }) {
  const sheet = printColours(data.of);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const before = () => layOut(data);
  addEventListener("beforeprint", before);
  addEventListener("afterprint", screenStyles);
  const button = find(parentElement, "button", HTMLButtonElement);
  button.onclick = () => print();
  button.disabled = false; // only now, so that no click is lost
  onNextCall(parentElement, () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    removeEventListener("beforeprint", before);
    removeEventListener("afterprint", screenStyles);
    screenStyles();
  });
}
