// @ts-check
// Copies the address, which follows what is shown: a click is told to the server, and what was done before it is in the
// address once the server has answered; a click here may be what ends the typing in a field.

import { doneUntilNow, mountedActions } from "../actions.js";
import { copyText, sayBriefly } from "../clipboard.js";
import { find } from "../page.js";
import { t } from "../words.js";

const OFTEN = 30; // milliseconds between two looks at the answers
const MOST = 4_500; // milliseconds: five seconds after a click, browsers let no page write to the clipboard
const NAME = t("Copy link");

/** @param {Mount<{ name: string }>} component */
export default function (component) {
  const { data, parentElement } = component;
  const actions = mountedActions(data.name, component);
  const button = find(parentElement, "button", HTMLButtonElement);
  const label = find(button, ".label", HTMLElement);
  if (!label.textContent) label.textContent = NAME;
  button.onclick = async () => {
    actions.act("copy", null, { replaces: true });
    await answered();
    dispatchEvent(new Event("bpe-lab-write-address"));
    const whole = document.documentElement.dataset.link !== "too long";
    const done = whole && (await copyText(location.href));
    sayBriefly(label, done ? t("Copied") : whole ? t("Copy it from the address bar") : t("Too long: save a lesson file"), NAME);
  };
  return () => actions.left(parentElement);
}

/** Waits until the server has answered what was done before, and this. */
async function answered() {
  const end = performance.now() + MOST;
  const isTaken = doneUntilNow();
  while (!isTaken() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, OFTEN));
}
