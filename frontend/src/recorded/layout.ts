// Cards of a recorded page, and rows of them.

import { build } from "../page/elements.ts";

export function card(name: string, ...content: HTMLElement[]) {
  return build("section", { class: `card ${name}` }, ...content);
}

export function row(...cards: HTMLElement[]) {
  return build("div", { class: "row" }, ...cards);
}
