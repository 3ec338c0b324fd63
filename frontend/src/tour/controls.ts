// State of the controls in an element as text: it differs after a choice.

import { inside } from "../page/elements.ts";

const CONTROLS = "input, textarea, select, button, [data-baseweb=select], [role=switch], [role=radio], [role=slider]";
const STATES = ["aria-checked", "aria-pressed", "aria-selected", "aria-valuenow", "kind"];

export function stateOf(el: Element): string {
  return JSON.stringify(inside(el, CONTROLS).map(valueOf));
}

function valueOf(el: Element) {
  if (el instanceof HTMLInputElement) return [el.value, el.checked];
  if (el instanceof HTMLTextAreaElement || el instanceof HTMLSelectElement) return el.value;
  if (el.matches("[data-baseweb=select]")) return el.textContent;
  return STATES.map((name) => el.getAttribute(name));
}
