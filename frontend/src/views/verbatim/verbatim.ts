// Verbatim text with a copy button.

import { View } from "../../bridge/view.ts";
import { copyText, sayBriefly } from "../../page/clipboard.ts";
import { build, find, icon, setText } from "../../page/elements.ts";
import { t } from "../../i18n/words.ts";

interface VerbatimData {
  text: string;
  label: string;
  height: number | null;
  wraps: boolean;
}

export class Verbatim extends View<VerbatimData> {
  static markup() {
    return [
      build(
        "div",
        { class: "verbatim" },
        build("pre", { role: "textbox", "aria-readonly": "true", "aria-multiline": "true", tabindex: "0" }),
        build(
          "button",
          { type: "button", title: t("Copy this") },
          build("span", { class: "label", "aria-live": "polite" }),
          icon(24, "M8 8h11v12H8zM5 16V4h11"),
        ),
      ),
    ];
  }

  update({ data }: Mount<VerbatimData>) {
    const shown = find(this.root, "pre", HTMLElement);
    const button = find(this.root, "button", HTMLButtonElement);
    setText(shown, data.text);
    shown.setAttribute("aria-label", data.label);
    shown.classList.toggle("wraps", data.wraps);
    shown.style.maxHeight = data.height === null ? "" : data.height + "px";
    button.onclick = async () => {
      const done = await copyText(data.text);
      if (!done) getSelection()?.selectAllChildren(shown);
      sayBriefly(find(button, ".label", HTMLElement), done ? t("Copied") : t("Selected: press Ctrl+C"), "");
    };
  }
}
