// The tour of a tab, or the steps of a lesson, and their offers: begun by a button, the first screen, a link or a reload.

import { loadPart } from "../bridge/parts.ts";
import { TOUR } from "../bridge/restore.ts";
import { wasReloaded } from "../page/elements.ts";
import { keptValue } from "../page/storage.ts";
import type { Plan } from "./steps.ts";
import type { Tour } from "./tour.ts";

/** A mounted button: Streamlit makes others, for example in another language. */
export interface TourOffer {
  plan: Plan | null;
  /** Element whose theme the tour takes. */
  root: Element;
  /** Show whether it is offered. */
  offer(): void;
  /** Remember that the tour or lesson of this name was taken. */
  ended(of: string): void;
}

export const OF_APP = "tour"; // name of the tour, and of the parameter that asks for it: ?tour=1

let tour: Tour | null = null;
let newest = 0; // number of the newest beginning
export const offers = new Set<TourOffer>();
let isOpened = false; // whether the URL is already followed

/** Show what is offered. */
export function offerTour() {
  for (const each of offers) each.offer();
}

/** Update the offers and the shown tour; begin the tour of a link or from before a reload. */
export function resumeTour(plan: Plan) {
  offerTour();
  const { of } = plan;
  const isTour = of === OF_APP;
  if (tour?.of === of) tour.write(plan);
  else if (!isTour && tour && tour.of !== OF_APP) tour.end(); // of another lesson
  const saved = tour || !wasReloaded() ? null : keptValue<{ of: string; at: number }>("sessionStorage", TOUR);
  if (saved?.of === of) beginTour(saved.at, of);
  if (!isTour || isOpened) return;
  isOpened = true;
  const [entry] = performance.getEntriesByType("navigation");
  if (!saved && new URL(entry?.name || location.href).searchParams.has(OF_APP)) beginTour(0);
}

/** Begin the tour, or the steps of a lesson, at one of their steps. */
export async function beginTour(step: number, of = OF_APP) {
  tour?.end();
  const number = (newest += 1);
  let part;
  try {
    part = await loadPart("tour");
  } catch {
    return; // the server is unreachable; the next click tries again
  }
  const offer = [...offers].find(({ plan }) => plan?.of === of);
  if (number !== newest || !offer?.plan) return;
  tour = new part.Tour(offer.plan, step, () => {
    tour = null;
    offer.ended(of);
    offerTour();
  });
  tour.dress(offer.root);
}
