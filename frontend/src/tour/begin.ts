// The tour of a tab, and the offer of it: begun by the button in the header, the first screen, a link or a reload.

import { loadPart } from "../bridge/parts.ts";
import { TOUR, pageNow } from "../bridge/restore.ts";
import { wasReloaded } from "../page/elements.ts";
import { kept } from "../page/storage.ts";
import { becomeKnown, isKnown, isWelcomeShown } from "../page/welcome.ts";
import type { Tour } from "./tour.ts";

const ASKED_FOR = "tour"; // in a URL: ?tour=1

let tour: Tour | null = null;
const offers = new Map<Element, (isOffered: boolean) => void>(); // of the mounted buttons, by their root
let isOpened = false; // whether the initial state is already decided

/**
 * Register a button that begins the tour: Streamlit makes others, for example in another language.
 * @param offer called with whether the button should say what it is
 * @returns unregisters
 */
export function onTourOffered(root: Element, offer: (isOffered: boolean) => void): () => void {
  offers.set(root, offer);
  return () => offers.delete(root);
}

/** Offer the tour on Train, unless it is known or the first screen offers it. */
export function offerTour() {
  for (const offer of offers.values()) offer(pageNow() === "train" && !isKnown() && !isWelcomeShown());
}

/** Update the offer and the shown tour; begin the tour of a link or from before a reload. */
export function resumeTour() {
  offerTour();
  tour?.write();
  if (isOpened) return;
  isOpened = true;
  const saved = wasReloaded() ? kept("sessionStorage", TOUR) : null;
  const [entry] = performance.getEntriesByType("navigation");
  if (saved !== null) beginTour(Number(saved));
  else if (new URL(entry?.name || location.href).searchParams.has(ASKED_FOR)) beginTour(0);
}

/** Begin the tour at one of its steps. */
export async function beginTour(step: number) {
  tour?.end();
  let part;
  try {
    part = await loadPart("tour");
  } catch {
    return; // the server is unreachable; the next click tries again
  }
  tour = new part.Tour(() => {
    tour = null;
    becomeKnown();
    offerTour();
  }, step);
  for (const root of offers.keys()) tour.dress(root);
}
