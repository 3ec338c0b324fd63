// @ts-check
// Lays a lesson out for paper before printing, by the button or the browser's menu: in print colours, and as large as
// one page allows. The stylesheet is ui/lessons/handout.css. Views that measure themselves are notified (../print.js)
// and redraw for that width synchronously, since nothing else runs before the browser has printed.

import { View } from "../../bridge/view.js";
import { printStyles, screenStyles } from "../../page/print.js";
import { build, find, icon } from "../../page/elements.js";
import PRINT from "../../export/print.json" with { type: "json" };
import { scaleOf } from "./fit.js";
import { t } from "../../i18n/words.js";

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

export class Handout extends View {
  static markup() {
    return [
      build("button", { type: "button", title: t("Print this lesson on one page") },
        icon(24, "M7 9V3h10v6M7 17H4V9h16v8h-3M7 14h10v7H7z"),
        t("Print"),
      ),
    ];
  }

  /**
   * @param {HTMLElement} root
   * @param {HandoutData} data the first payload
   */
  constructor(root, data) {
    super(root);
    this.data = data;
    const sheet = printColours(data.of);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    const before = () => layOut(this.data);
    addEventListener("beforeprint", before);
    addEventListener("afterprint", screenStyles);
    find(root, "button", HTMLButtonElement).onclick = () => print();
    this.onEnd(() => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
      removeEventListener("beforeprint", before);
      removeEventListener("afterprint", screenStyles);
      screenStyles();
    });
  }

  /** @param {Mount<HandoutData>} component */
  update({ data }) {
    this.data = data;
  }
}
