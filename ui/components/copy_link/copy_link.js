// @ts-check
// Copies the URL. The click is sent to the server as an action; once it is acknowledged, the URL contains all earlier
// actions, also the input that the click itself committed by blurring a field.

import { doneUntilNow, mountedOutbox } from "../outbox.js";
import { copyText, sayBriefly } from "../clipboard.js";
import { find } from "../page.js";
import { t } from "../words.js";

const OFTEN = 30; // milliseconds between two checks for acknowledgements
const MOST = 4_500; // milliseconds; browsers refuse clipboard writes five seconds after a click
const NAME = t("Copy link");

/** @param {Mount<{ name: string }>} component */
export default function (component) {
  const { data, parentElement } = component;
  const outbox = mountedOutbox(data.name, component);
  const button = find(parentElement, "button", HTMLButtonElement);
  const label = find(button, ".label", HTMLElement);
  if (!label.textContent) label.textContent = NAME;
  button.onclick = async () => {
    outbox.act("copy", null, { replaces: true });
    await answered();
    dispatchEvent(new Event("bpe-lab-write-address"));
    const whole = document.documentElement.dataset.link !== "too long";
    const done = whole && (await copyText(location.href));
    sayBriefly(label, done ? t("Copied") : whole ? t("Copy it from the address bar") : t("Too long: save a lesson file"), NAME);
  };
  return () => outbox.left(parentElement);
}

/** Wait until the server has acknowledged this click and all earlier actions. */
async function answered() {
  const end = performance.now() + MOST;
  const isTaken = doneUntilNow();
  while (!isTaken() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, OFTEN));
}
