// @ts-check
// Verbatim text with a copy button.

import { copyText, sayBriefly } from "../clipboard.js";
import { find } from "../page.js";
import { t } from "../words.js";

/** @param {Mount<{ text: string, label: string, height: number | null, wraps: boolean }>} component */
export default function ({ data, parentElement }) {
  const shown = find(parentElement, "pre", HTMLElement);
  const button = find(parentElement, "button", HTMLButtonElement);
  const answer = find(button, ".label", HTMLElement);
  if (shown.textContent !== data.text) shown.textContent = data.text;
  shown.setAttribute("aria-label", data.label);
  shown.classList.toggle("wraps", data.wraps);
  shown.style.maxHeight = data.height === null ? "" : data.height + "px";
  button.onclick = async () => {
    const done = await copyText(data.text);
    if (!done) getSelection()?.selectAllChildren(shown);
    sayBriefly(answer, done ? t("Copied") : t("Selected: press Ctrl+C"), "");
  };
}
