// @ts-check
// Strong or calm token colours, saved per browser like the theme: links do not change them. Defaults to the system's
// setting. The colours are in ../tokens/spans.css.

import { onNextCall } from "../../bridge/calls.js";
import { build, find, icon, makeSvg } from "../../page/elements.js";
import { t } from "../../i18n/words.js";

const KEPT = "bpe-lab: contrast"; // in the browser's storage
const STRONG = "high";
const CALM = "normal";
const asked = matchMedia("(prefers-contrast: more)");

/** @returns {string | null} null without a choice or storage */
function chosen() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

/** @param {string} value */
function keep(value) {
  try {
    localStorage.setItem(KEPT, value);
  } catch {
    // without storage, the choice lasts as long as the page
  }
}

/**
 * @param {HTMLElement} button
 * @param {boolean} strong
 */
function show(button, strong) {
  document.documentElement.dataset.contrast = strong ? STRONG : CALM;
  button.setAttribute("aria-pressed", String(strong));
}

/** Elements before the first data. */
export function markup() {
  return [
    build("button",
      {
        type: "button",
        "aria-pressed": "false",
        "aria-label": t("High contrast"),
        title: t("High contrast: stronger token colours, for a projector"),
      },
      icon(24, makeSvg("circle", { cx: 12, cy: 12, r: 9 }), makeSvg("path", { class: "half", d: "M12 3a9 9 0 0 1 0 18z" })),
    ),
  ];
}

/** @param {Mount<null>} component */
export function draw({ parentElement }) {
  const button = find(parentElement, "button", HTMLButtonElement);
  const ofSystem = () => (asked.matches ? STRONG : CALM);
  const follow = () => show(button, (chosen() ?? ofSystem()) === STRONG);
  show(button, (chosen() ?? document.documentElement.dataset.contrast ?? ofSystem()) === STRONG);
  button.onclick = () => {
    const strong = button.getAttribute("aria-pressed") !== "true";
    keep(strong ? STRONG : CALM);
    show(button, strong);
  };
  asked.addEventListener("change", follow);
  addEventListener("storage", follow); // another tab of the same browser
  onNextCall(parentElement, () => {
    asked.removeEventListener("change", follow);
    removeEventListener("storage", follow);
  });
}
