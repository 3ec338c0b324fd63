// Light or dark: as the system says, until the button says otherwise.

import { t } from "../i18n/words.ts";
import { build, icon } from "../page/elements.ts";

export function themeButton() {
  const { dataset } = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => (dataset.theme = system.matches ? "dark" : "light");
  follow();
  system.addEventListener("change", follow);
  const says = t("Light or dark");
  const shape = "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18";
  const button = build("button", { type: "button", class: "theme", title: says, "aria-label": says }, icon(24, shape));
  button.onclick = () => {
    system.removeEventListener("change", follow);
    dataset.theme = dataset.theme === "dark" ? "light" : "dark";
  };
  return button;
}
