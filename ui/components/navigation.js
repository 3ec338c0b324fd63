// @ts-check
// Navigation to another page, from the click on its link until that page is there. Streamlit requests the page once,
// and any later request from the old page would request the old page again: actions are held back meanwhile. If the
// click has no effect, because the connection broke or another request came at the same moment, it is repeated.

import { isServerIdle } from "./page.js";

/**
 * @typedef {{ from: string, to: string, href: string, idleSince: number, tries: number }} Navigation two paths, the
 *   clicked link, milliseconds
 */

const LOOK_FOR_PAGE = 100; // milliseconds
const NOTHING_CAME = 1000; // milliseconds of an idle server after which the click is repeated
const MOST_TRIES = 5;

/** Start listening, once per tab. */
export function watchLinks() {
  if (window.bpeLabLeaving) return;
  window.bpeLabLeaving = { to: null };
  document.addEventListener("click", onClick, { capture: true });
  addEventListener("popstate", () => (window.bpeLabLeaving = { to: null }));
}

/** Path of the page that the tab navigates to, from the click until the page is there; null otherwise. */
export function navigatingTo() {
  const leaving = globalThis.window?.bpeLabLeaving?.to;
  return leaving && location.pathname === leaving.from ? leaving.to : null;
}

/** @param {MouseEvent} event */
function onClick(event) {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || !event.isTrusted || !isForThisTab(link, event)) return;
  if (link.pathname === location.pathname) window.bpeLabLeaving = { to: null }; // the link leads to the current page
  else {
    const { href, pathname: to } = link;
    const leaving = { from: location.pathname, to, href, idleSince: performance.now(), tries: 0 };
    window.bpeLabLeaving = { to: leaving };
    setTimeout(clickAgain, LOOK_FOR_PAGE, leaving);
  }
}

/**
 * @param {HTMLAnchorElement} link
 * @param {MouseEvent} event
 */
function isForThisTab(link, { button, altKey, ctrlKey, metaKey, shiftKey }) {
  const isPlain = button === 0 && !altKey && !ctrlKey && !metaKey && !shiftKey;
  return isPlain && link.origin === location.origin && !link.download && ["", "_self"].includes(link.target);
}

/** @param {Navigation} leaving */
function clickAgain(leaving) {
  if (window.bpeLabLeaving?.to !== leaving) return;
  const now = performance.now();
  if (!isServerIdle()) leaving.idleSince = now;
  if (location.pathname !== leaving.from || leaving.tries === MOST_TRIES) {
    window.bpeLabLeaving = { to: null };
    return;
  }
  if (now >= leaving.idleSince + NOTHING_CAME) {
    leaving.idleSince = now;
    leaving.tries += 1;
    Array.from(document.links).find(({ href }) => href === leaving.href)?.click();
  }
  setTimeout(clickAgain, LOOK_FOR_PAGE, leaving);
}
