// The first screen, on Train. The server always draws it; the browser shows it to new visitors, and with the tour's first
// step. This is decided before anything is drawn, so that nothing moves for it.

import { wasReloaded } from "./elements.ts";
import { keep, kept } from "./storage.ts";

const SEEN = "bpe-lab: tour"; // in the browser's storage
const OPEN = "bpe-lab-welcome"; // in the tab's storage
const NO_SETTINGS = ["lang", "tour"]; // in a URL

let showFirst: () => void;
const shown = new Promise<void>((resolve) => {
  showFirst = resolve;
});

/** Show the first screen, or hide it. */
export function showWelcome(isShown: boolean) {
  document.documentElement.removeAttribute("data-welcome");
  document.documentElement.toggleAttribute("data-welcome", isShown);
  keep("sessionStorage", OPEN, isShown ? "1" : null);
  if (isShown) showFirst();
}

/** Keep only the name in tokens from the first screen, until the page is left: the first merge is shown below it. */
export function showName() {
  showWelcome(false);
  document.documentElement.setAttribute("data-welcome", "name");
}

export function isWelcomeShown() {
  return document.documentElement.hasAttribute("data-welcome");
}

/** Resolves when the first screen is first shown. */
export function whenWelcomed() {
  return shown;
}

/** Whether the browser has shown the first screen or the tour before. */
export function isKnown() {
  return kept("localStorage", SEEN) !== null;
}

/** Never offer the first screen and the tour again. */
export function becomeKnown() {
  keep("localStorage", SEEN, "1");
}

/** Show new visitors the first screen, unless they follow a link with settings. Call this before the URL changes. */
export function greet() {
  const names = [...new URLSearchParams(location.search).keys()];
  const isNew = !isKnown() && names.every((name) => NO_SETTINGS.includes(name));
  if (wasReloaded() ? kept("sessionStorage", OPEN) : isNew) showWelcome(true);
}
