// Light or dark: as the notebook or the system says, until the button says otherwise.

import { onLanguage, t } from "../i18n/words.ts";
import { build, icon } from "../page/elements.ts";
import { whenTold } from "./wire.ts";

export function themeButton() {
  const { dataset } = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => (dataset.theme = system.matches ? "dark" : "light");
  follow();
  system.addEventListener("change", follow);
  const shape = "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18";
  const button = build("button", { type: "button", class: "theme" }, icon(24, shape));
  const name = () => (button.title = button.ariaLabel = t("Light or dark"));
  onLanguage(name);
  name();
  const set = (theme: string) => {
    system.removeEventListener("change", follow);
    dataset.theme = theme;
  };
  button.onclick = () => set(dataset.theme === "dark" ? "light" : "dark");
  whenTold(({ dark }) => {
    if (typeof dark !== "boolean") return;
    set(dark ? "dark" : "light");
    button.hidden = true;
  });
  return button;
}
