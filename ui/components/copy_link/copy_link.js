// @ts-check
// Copies the address, which follows what is shown, as soon as it does: a click here may be what ends the typing in a
// field. A page without https, as a class may open it, has no clipboard
// to write to: there the old way copies.

import { keysOfTab } from "../keys.js";
import { find } from "../page.js";
import { Settling } from "./settled.js";

const IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"]';
const OFTEN = 30; // milliseconds between two looks at the app
const SHOWN = 2500; // milliseconds that an answer is shown
const NAME = "Copy link";
/** @type {WeakMap<HTMLElement, number>} */
const timers = new WeakMap();

/** @param {Mount<unknown>} component */
export default function ({ parentElement }) {
  keysOfTab(); // this is the first script of every page that is not served by ui/shared/serve.py
  const button = find(parentElement, "button", HTMLButtonElement);
  const label = find(button, ".label", HTMLElement);
  if (!label.textContent) label.textContent = NAME;
  button.onclick = async () => {
    await settled();
    dispatchEvent(new Event("bpe-lab-write-address"));
    const whole = document.documentElement.dataset.link !== "too long";
    const done = whole && (await copy(location.href));
    say(label, done ? "Copied" : whole ? "Copy it from the address bar" : "Too long: save a lesson file");
  };
}

/** Waits until the app has answered what was done before. */
async function settled() {
  const settling = new Settling(performance.now());
  while (!settling.isDone(performance.now(), document.querySelector(IDLE) !== null))
    await new Promise((resolve) => setTimeout(resolve, OFTEN));
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
