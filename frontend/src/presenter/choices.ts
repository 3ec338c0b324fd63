// Choices of the next merge that a class votes on, in predict mode: chosen by a letter or digit, with the votes typed
// behind it, then revealed. The choices themselves are ../views/ask/ask.ts.

import { inside } from "../page/elements.ts";
import { clickIn, elementOf } from "./page.ts";

const CARD = "candidates";
const REVEAL = "reveal merge"; // button that reveals without an answer

export class Choices {
  private chosen = { of: "", at: -1 };

  /** Number of choices of an open question among the shown containers; 0 without one. */
  open(shown: string[]) {
    return shown.includes(CARD) ? this.buttons().length : 0;
  }

  /** Choose one; digits typed next are its votes. */
  choose(at: number) {
    const buttons = this.buttons();
    this.chosen = { of: textOf(buttons), at };
    inside(elementOf(CARD), ".choices.open .hands")[at]?.focus();
  }

  /** Answer with the choice that has most votes, or else with the one chosen last; without either only reveal. */
  reveal() {
    const buttons = this.buttons();
    const votes = inside(elementOf(CARD), ".choices.open .hands").map((el) => (el instanceof HTMLInputElement ? Number(el.value) || 0 : 0));
    const most = Math.max(0, ...votes);
    const first = most > 0 && votes.filter((count) => count === most).length === 1 ? votes.indexOf(most) : -1;
    const chosen = this.chosen.of === textOf(buttons) ? this.chosen.at : -1;
    const at = first >= 0 ? first : most > 0 ? -1 : chosen;
    if (buttons[at]) buttons[at].click();
    else clickIn(elementOf(REVEAL), "button");
  }

  private buttons() {
    return inside(elementOf(CARD), ".choices.open button");
  }
}

function textOf(buttons: HTMLElement[]) {
  return buttons.map((each) => each.textContent).join("\n");
}
