// The frame of a view of tokens: captions above and below, and a tooltip.

import { build, make } from "../page/elements.ts";

/** Elements before the first payload. */
export type Markup = (Element | string)[];

/** @param button makes the one at the end of the heading; `view`: what it belongs to */
export function framed(inside: Markup, button?: (view: HTMLElement) => HTMLElement): Element[] {
  const over = build(
    "div",
    { class: "over", hidden: "" },
    build("b", { role: "heading", "aria-level": "2" }),
    make("span"),
    make("span", "hint"),
  );
  const under = build("p", { class: "under", hidden: "" });
  const tip = build("div", { class: "tip", popover: "manual", role: "tooltip" });
  const view = build("div", { class: "tv" }, over, ...inside, under);
  if (button) view.append(button(view));
  return [view, tip];
}
