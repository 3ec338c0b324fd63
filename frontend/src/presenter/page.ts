// What the stage finds on the page below it: containers by their keys, buttons in components, and what scrolls.

import { classOf } from "./acts.ts";

/** Element with this key on the page. */
export function elementOf(key: string): HTMLElement | null {
  return document.querySelector(`.stApp .${classOf(key)}`);
}

export function heightOf(el: HTMLElement | null) {
  return el ? Math.round(el.getBoundingClientRect().height) : 0;
}

/** Elements that match a selector in an element and in the components in it. */
export function inside(el: Element | null, selector: string): HTMLElement[] {
  if (!el) return [];
  const roots = [...el.querySelectorAll("*")].flatMap(({ shadowRoot }) => (shadowRoot ? [shadowRoot] : []));
  return [el, ...roots].flatMap((root) => [...root.querySelectorAll<HTMLElement>(selector)]);
}

/** Click the first such element. @returns whether there is one that takes clicks */
export function clickIn(el: Element | null, selector: string) {
  const found = inside(el, selector).find((each) => !each.matches(":disabled"));
  found?.click();
  return found !== undefined;
}

/** What the player can do; null without one. */
export function playerState(keys: string[]) {
  const player = keys.map(elementOf).find((el) => el);
  const can = (name: string) => inside(player ?? null, `button[data-do=${name}]`).some((el) => !el.matches(":disabled"));
  return player ? { back: can("back"), on: can("next") } : null;
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
