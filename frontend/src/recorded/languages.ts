// Buttons of the languages that a page is recorded in.

import { onLanguage, t } from "../i18n/words.ts";
import { build } from "../page/elements.ts";

/**
 * A button for each language, with its own name.
 * @param names by code
 */
export function languageButtons(names: Record<string, string>, now: string, choose: (code: string) => void) {
  const group = build("div", { class: "languages", role: "group" });
  const name = () => group.setAttribute("aria-label", t("Language"));
  for (const [code, says] of Object.entries(names)) {
    const button = build("button", { type: "button", lang: code, "aria-pressed": String(code === now) }, says);
    button.onclick = () => {
      for (const each of group.children) each.setAttribute("aria-pressed", String(each === button));
      choose(code);
    };
    group.append(button);
  }
  onLanguage(name);
  name();
  return group;
}
