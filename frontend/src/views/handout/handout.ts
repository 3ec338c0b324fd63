// Lays a lesson out for paper before printing, by the button or the browser's menu: in print colours, and as large as
// one page allows. The stylesheet is ui/lessons/handout.css. Views that measure themselves are notified (page/print.ts)
// and redraw for that width synchronously, since nothing else runs before the browser has printed.

import { View } from "../../bridge/view.ts";
import { PRINT, printStyles, screenStyles } from "../../page/print.ts";
import { build, find, icon } from "../../page/elements.ts";
import { isForOthers, linkForOthers } from "../../page/link.ts";
import { scaleOf } from "./fit.ts";
import { t } from "../../i18n/words.ts";

interface HandoutData {
  of: string;
  title: string;
  query: string;
}

function printColours(selector: string) {
  const sheet = new CSSStyleSheet();
  const colours = PRINT.map(([name, value]) => `${name}: ${value} !important;`);
  sheet.replaceSync(`:root[data-paper] ${selector} * { ${colours.join(" ")} }`);
  return sheet;
}

function layOut({ of, title, query }: HandoutData) {
  const shown = document.querySelector(of);
  if (!(shown instanceof HTMLElement)) return;
  const path = `${location.pathname}?${query}`;
  const link = isForOthers() // for pupils
    ? linkForOthers(location.origin + path)
    : t("BPE Lab on your own machine: scripts/run, then {path}", { path });
  const { style } = document.documentElement;
  style.setProperty("--paper-title", JSON.stringify(title));
  style.setProperty("--paper-link", JSON.stringify(query && link));
  style.setProperty("--paper-scale", "1");
  const scale = scaleOf((width) => {
    style.setProperty("--paper-width", `${width}px`);
    printStyles();
    return shown.scrollHeight;
  });
  style.setProperty("--paper-scale", String(scale));
}

export class Handout extends View<HandoutData> {
  private data: HandoutData;

  static markup() {
    return [
      build(
        "button",
        { type: "button", title: t("Print this lesson on one page") },
        icon(24, "M7 9V3h10v6M7 17H4V9h16v8h-3M7 14h10v7H7z"),
        t("Print"),
      ),
    ];
  }

  /** @param data the first payload */
  constructor(root: HTMLElement, data: HandoutData) {
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

  update({ data }: Mount<HandoutData>) {
    this.data = data;
  }
}
