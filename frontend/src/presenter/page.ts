// What the stage finds on the page below it: containers by their keys, buttons in components, and what scrolls.

import { elementOf, inside } from "../page/elements.ts";

/** The first of these that is on the page. */
export function firstOf(keys: string[]): HTMLElement | null {
  return keys.map(elementOf).find((el) => el) ?? null;
}

/** Whether a player or a pager in an element can do this: its button takes clicks. */
export function canDo(el: HTMLElement | null, name: string) {
  return inside(el, `button[data-do=${name}]`).some((each) => !each.matches(":disabled"));
}

/** Click the first such element. @returns whether there is one that takes clicks */
export function clickIn(el: Element | null, selector: string) {
  const found = inside(el, selector).find((each) => !each.matches(":disabled"));
  found?.click();
  return found !== undefined;
}

/** What the player can do; null without one. */
export function playerState(keys: string[]) {
  const player = firstOf(keys);
  return player && { back: canDo(player, "back"), on: canDo(player, "next") };
}

/** Whether the player, if there is one, is drawn with its number of steps. */
export function isPlayerDrawn(keys: string[]) {
  const player = firstOf(keys);
  return !player || inside(player, ".slider[max]").length > 0;
}

/** Elements that scroll up and down: a container, or areas inside the components in it. */
export function scrollersOf(el: HTMLElement | null): HTMLElement[] {
  return [...(el ? [el] : []), ...inside(el, ".scroll, .flow, .story")].filter(
    (each) => each.scrollHeight > each.clientHeight + 2 && getComputedStyle(each).overflowY !== "visible",
  );
}

export function hasAbove(el: HTMLElement) {
  return el.scrollTop > 2;
}

export function hasBelow(el: HTMLElement) {
  return el.scrollTop + el.clientHeight < el.scrollHeight - 2;
}
