// Navigation to another page, from the click on its link until that page appears. Streamlit requests the page once,
// and any later request from the old page would request the old page again, so actions are held back until then. If the
// click has no effect, because the connection broke or another request came at the same moment, it is repeated.

import { isServerIdle } from "../page/elements.ts";

/** From one path to another. */
interface Navigation {
  from: string;
  to: string;
  href: string; // of the clicked link
  idle: number; // milliseconds that the server has been idle, by checks: a busy page shows its answer late
  tries: number;
}

const LOOK_FOR_PAGE = 100; // milliseconds
const NOTHING_CAME = 1000; // milliseconds the server stays idle before the click is repeated
const MOST_TRIES = 5;

let leaving: Navigation | null = null;

/** Start listening. */
export function watchLinks() {
  document.addEventListener("click", onClick, { capture: true });
  addEventListener("popstate", () => (leaving = null));
}

/** Path of the page being navigated to, from the click until the page appears; null otherwise. */
export function navigatingTo() {
  return leaving && location.pathname === leaving.from ? leaving.to : null;
}

function onClick(event: MouseEvent) {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || !event.isTrusted || !isForThisTab(link, event)) return;
  if (link.pathname === location.pathname)
    leaving = null; // the link leads to the current page
  else {
    const { href, pathname: to } = link;
    leaving = { from: location.pathname, to, href, idle: 0, tries: 0 };
    setTimeout(clickAgain, LOOK_FOR_PAGE, leaving);
  }
}

function isForThisTab(link: HTMLAnchorElement, { button, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent) {
  const isPlain = button === 0 && !altKey && !ctrlKey && !metaKey && !shiftKey;
  return isPlain && link.origin === location.origin && !link.download && ["", "_self"].includes(link.target);
}

function clickAgain(clicked: Navigation) {
  if (leaving !== clicked) return;
  clicked.idle = isServerIdle() ? clicked.idle + LOOK_FOR_PAGE : 0;
  if (location.pathname !== clicked.from || clicked.tries === MOST_TRIES) {
    leaving = null;
    return;
  }
  if (clicked.idle >= NOTHING_CAME) {
    clicked.idle = 0;
    clicked.tries += 1;
    Array.from(document.links)
      .find(({ href }) => href === clicked.href)
      ?.click();
  }
  setTimeout(clickAgain, LOOK_FOR_PAGE, clicked);
}
