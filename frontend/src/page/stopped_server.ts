// The dialog that Streamlit shows when the server does not answer: it names a command of Streamlit's own.

import { t } from "../i18n/words.ts";

const THEIRS = "streamlit run yourscript.py";
const OURS = "scripts/run";

/** Replace the command in the dialog by the one that starts this app. Dialogs are added to the end of the page. */
export function nameTheCommand() {
  const dialogs = new MutationObserver(() => {
    for (const dialog of document.querySelectorAll("body > .stDialog")) rename(dialog);
  });
  const watch = () => dialogs.observe(document.body, { childList: true });
  if (document.body as HTMLElement | null) watch();
  else addEventListener("DOMContentLoaded", watch, { once: true });
}

function rename(dialog: Element) {
  const command = dialog.querySelector("code");
  if (command?.textContent !== THEIRS) return;
  command.textContent = OURS;
  const title = dialog.querySelector("h2");
  const advice = title?.nextElementSibling?.firstElementChild;
  if (title) title.textContent = t("The server does not answer");
  if (advice)
    advice.textContent = t("This page stays as it is, and continues by itself once the server runs again. Start it with:");
}
