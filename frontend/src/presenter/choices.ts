// Choices that a class votes on: of the next merge, in predict mode, where a letter counts a hand, a digit chooses, and
// the one with most votes is the answer; and those of a lesson's question. They are drawn by ../views/ask/ask.ts.

import { elementOf, inside } from "../page/elements.ts";
import { clickIn } from "./page.ts";

const CARD = "candidates";
const ASKING = [CARD, "lesson strip", "question"]; // containers with choices
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

  /** Count a hand for a choice, or one less. */
  count(at: number, way: number) {
    const letter = String.fromCharCode(97 + at);
    this.choose(at);
    const field = inside(elementOf(CARD), ".choices.open .hands")[at];
    field?.dispatchEvent(new KeyboardEvent("keydown", { key: letter, shiftKey: way < 0, cancelable: true }));
  }

  /** Fields for hands among the shown containers. */
  hands(shown: string[]) {
    const asking = ASKING.filter((key) => shown.includes(key));
    return asking.flatMap((key) => inside(elementOf(key), ".choices .hands"));
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
    return inside(elementOf(CARD), ".choices.open .choice > button");
  }
}

/** Type a key into a field for hands, as if it had had the focus when the key was pressed. */
export function typeHands(field: HTMLInputElement, { key, shiftKey }: KeyboardEvent) {
  if (field.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, cancelable: true })) && /^\d$/.test(key)) {
    field.setRangeText(key, field.selectionStart ?? 0, field.selectionEnd ?? 0, "end");
    field.dispatchEvent(new Event("input"));
  }
}

function textOf(buttons: HTMLElement[]) {
  return buttons.map((each) => each.textContent).join("\n");
}
