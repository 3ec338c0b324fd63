// @ts-check
// A page that is loaded again before its address said anything: it opens with what the tab knows of it. Run this before
// the app's own scripts, which send the address to the server.

import { wasReloaded } from "./page.js";

/** The queries of a tab's pages, by the page's name, as address.js keeps them. */
export const PAGES = "bpe-lab-pages";
const HOME = "train"; // the page at the root of the site

/** The name of the page that the address leads to. */
export function pageNow() {
  return location.pathname.split("/").pop() || HOME;
}

/** Puts what the tab keeps of this page into an address that says nothing. */
export function reopenPage() {
  if (location.search || !wasReloaded()) return;
  try {
    const kept = JSON.parse(sessionStorage.getItem(PAGES) ?? "{}")[pageNow()];
    if (kept) history.replaceState(history.state, "", `${location.pathname}?${kept}`);
  } catch {
    // a browser that keeps nothing
  }
}
