// @ts-check
// Copies the address, which follows what is shown: a click is told to the server, and what was done before it is in the
// address once the server has answered; a click here may be what ends the typing in a field. A page without https, as a
// class may open it, has no clipboard to write to: there the old way copies.

import { doneUntilNow, mountedActions } from "../actions.js";
import { keysOfTab } from "../keys.js";
import { find } from "../page.js";
import { t } from "../words.js";

const OFTEN = 30; // milliseconds between two looks at the answers
const MOST = 4_500; // milliseconds: five seconds after a click, browsers let no page write to the clipboard
const SHOWN = 2500; // milliseconds that an answer is shown
const NAME = t("Copy link");
/** @type {WeakMap<HTMLElement, number>} */
const timers = new WeakMap();

/** @param {Mount<{ name: string }>} component */
export default function (component) {
  const { data, parentElement } = component;
  const actions = mountedActions(data.name, component);
  keysOfTab(); // this is the first script of every page that is not served by ui/shared/serve.py
  const button = find(parentElement, "button", HTMLButtonElement);
  const label = find(button, ".label", HTMLElement);
  if (!label.textContent) label.textContent = NAME;
  button.onclick = async () => {
    actions.act("copy", null, { replaces: true });
    await answered();
    dispatchEvent(new Event("bpe-lab-write-address"));
    const whole = document.documentElement.dataset.link !== "too long";
    const done = whole && (await copy(location.href));
    say(label, done ? t("Copied") : whole ? t("Copy it from the address bar") : t("Too long: save a lesson file"));
  };
  return () => actions.left(parentElement);
}

/** Waits until the server has answered what was done before, and this. */
async function answered() {
  const end = performance.now() + MOST;
  const isTaken = doneUntilNow();
  while (!isTaken() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, OFTEN));
}

/**
 * @param {HTMLElement} label
 * @param {string} text
 */
function say(label, text) {
  label.textContent = text;
  clearTimeout(timers.get(label));
  const timer = setTimeout(() => {
    label.textContent = NAME;
  }, SHOWN);
  timers.set(label, timer);
}

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.style.position = "fixed";
    field.style.opacity = "0";
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}
