// Strong or calm token colours, saved per browser like the theme: links do not change them. Defaults to the system's
// setting. The colours are in ../tokens/spans.css.

import { View } from "../../bridge/view.ts";
import { build, find, icon, makeSvg } from "../../page/elements.ts";
import { keep, kept } from "../../page/storage.ts";
import { t } from "../../i18n/words.ts";

const KEPT = "bpe-lab: contrast"; // in the browser's storage
const STRONG = "high";
const CALM = "normal";
const asked = matchMedia("(prefers-contrast: more)");

function ofSystem() {
  return asked.matches ? STRONG : CALM;
}

function show(button: HTMLElement, strong: boolean) {
  document.documentElement.dataset.contrast = strong ? STRONG : CALM;
  button.setAttribute("aria-pressed", String(strong));
}

export class Contrast extends View {
  private readonly button: HTMLButtonElement;

  static markup() {
    const halves = [
      makeSvg("circle", { cx: 12, cy: 12, r: 9 }),
      makeSvg("path", { class: "half", d: "M12 3a9 9 0 0 1 0 18z" }),
    ];
    const attributes = {
      type: "button",
      "aria-pressed": "false",
      "aria-label": t("High contrast"),
      title: t("High contrast: stronger token colours, for a projector"),
    };
    return [build("button", attributes, icon(24, ...halves))];
  }

  constructor(root: HTMLElement) {
    super(root);
    this.button = find(root, "button", HTMLButtonElement);
    this.button.onclick = () => {
      const strong = this.button.getAttribute("aria-pressed") !== "true";
      keep("localStorage", KEPT, strong ? STRONG : CALM);
      show(this.button, strong);
    };
    const follow = () => show(this.button, (kept("localStorage", KEPT) ?? ofSystem()) === STRONG);
    asked.addEventListener("change", follow);
    addEventListener("storage", follow); // another tab of the same browser
    this.onEnd(() => {
      asked.removeEventListener("change", follow);
      removeEventListener("storage", follow);
    });
  }

  update() {
    show(this.button, (kept("localStorage", KEPT) ?? document.documentElement.dataset.contrast ?? ofSystem()) === STRONG);
  }
}
