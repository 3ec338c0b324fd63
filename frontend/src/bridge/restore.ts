// Restores a page that was reloaded before its URL had a query, from the tab's storage. Call this before the app's own
// scripts run, which send the URL to the server.

import { wasReloaded } from "../page/elements.ts";
import { keptValue } from "../page/storage.ts";

/** Storage key for the queries of the tab's pages, by page name: see address.ts. */
export const PAGES = "bpe-lab-pages";

/** Storage key for the name of the tour, or of the lesson whose steps are shown, and the number of the step. */
export const TOUR = "bpe-lab-tour";

const HOME = "train"; // page at the root of the site

/** Name of the URL's page. */
export function pageNow() {
  return location.pathname.split("/").pop() || HOME;
}

/** Restore the stored query of this page into a URL without one. */
export function reopenPage() {
  if (location.search || !wasReloaded()) return;
  const query = keptValue<Record<string, string>>("sessionStorage", PAGES)?.[pageNow()];
  if (query) history.replaceState(history.state, "", `${location.pathname}?${query}`);
}
