// Computations of embedding: the cards of a page, the rule that shows one of them alone, and the line that embeds it.

import { OF_EMBEDDING } from "../page/embedded.ts";
import { classOf, escapeMarkup } from "../page/elements.ts";
import type { StageData } from "../presenter/acts.ts";

export interface FramedCard {
  /** In a URL. */
  name: string;
  title: string;
  /** Keys of the containers that are shown: the first has to be on the page. */
  keys: string[];
}

/** What is shown along with a card: problems, and the progress of a training that the card waits for. */
const MESSAGES = ['[class*="st-key-"][class*="problem"]', ".st-key-not-now", '[data-testid="stProgress"]', '[data-testid="stException"]'];

const LINE = 900; // px: maximum height of the frame in the line to embed
const STEP = 20; // px

/** Cards that can be embedded, in order: several containers under one name first. */
export function framedCards({ cards, scene, joined, beside, alone }: StageData): FramedCard[] {
  const several = joined.map(([name, title, keys]) => ({ name, title, keys }));
  const single = cards
    .filter(([key]) => key !== scene?.key)
    .map(([key, title]) => ({
      name: nameOf(key),
      title,
      keys: beside !== null && alone !== null && !alone.includes(key) ? [key, beside] : [key],
    }));
  return [...several, ...single];
}

/** Name of a card in a URL: of its key, with hyphens. */
function nameOf(key: string) {
  return classOf(key).replace("st-key-", "");
}

/** CSS rule that hides everything of a page but these containers, and messages. */
export function onlyRule(keys: string[]) {
  const shown = `:is(${[...keys.map((key) => `.${classOf(key)}`), ...MESSAGES].join(", ")})`;
  const blocks = ':is([data-testid="stVerticalBlock"], [data-testid="stHorizontalBlock"])';
  return `[data-testid="stMainBlockContainer"] ${blocks} > :not(${shown}, ${shown} *, :has(${shown})) { display: none !important; }`;
}

/** The URL of a page with one of its cards for a frame. */
export function framedLink(link: string, name: string) {
  const url = new URL(link);
  url.searchParams.set("embed", "1");
  url.searchParams.set("card", name);
  return url.href;
}

/** The URL of the whole page. */
export function wholeLink(link: string) {
  const url = new URL(link);
  for (const name of OF_EMBEDDING) url.searchParams.delete(name);
  return url.href;
}

/**
 * The line of HTML that embeds a card.
 * @param height of its content, in pixels
 */
export function lineOf(link: string, title: string, height: number) {
  const tall = Math.min(LINE, Math.ceil(height / STEP) * STEP);
  return `<iframe src="${escapeMarkup(link)}" title="${escapeMarkup(title)}" width="100%" height="${tall}" style="border:0" loading="lazy"></iframe>`;
}
