// A question of a lesson that the reader answers before the answer is shown: a number, one of several choices, or cuts
// in a text. Afterwards both answers are drawn with the reason. On the stage hands are counted beside the choices.

import { View } from "../../bridge/view.ts";
import { build, find, make } from "../../page/elements.ts";
import { shownNumber } from "../../page/numbers.ts";
import { joinedChips } from "../../tokens/drawing.ts";
import { t, tn } from "../../i18n/words.ts";
import { CutsRow, reasonsOf } from "./cuts.ts";
import { cutsOf, isRight, keepAnswer, keptAnswer, noteFirst, numberOf, scoreOf, type Given, type Question } from "./answers.ts";
import type { ChipWire } from "../../tokens/spans.ts";
import type { Answer } from "../../bridge/outbox.ts";

interface AskHead {
  rev: string;
  name: string;
  given: Given | null;
  shown: boolean; // whether the right answer is in sight
  compact: boolean; // whether it is a line above a page
  waits?: boolean; // whether content outside this view waits for an answer, as the page below that line does
  done: Answer;
}

type AskBody = Question & {
  of: string; // name of the lesson; "" for a prediction
  prompt: string;
};

const LETTERS = "ABCDEFGH";
const MOST_HANDS = 999;
const raised = new Map<string, string[]>(); // hands by lesson: its question and the strip above its page show the same

export class Ask extends View {
  private body: AskBody | null = null;
  private drawn = ""; // what depends on the header, as text
  private hands: HTMLInputElement[] = [];

  static markup() {
    const again = build("button", { type: "button", class: "again", hidden: "" }, t("Start over"));
    const verdict = build("div", { class: "said" }, build("p", { class: "verdict", role: "status" }), again);
    const label = t("Your answer first");
    return [build("div", { class: "ask", role: "group", "aria-label": label }, make("p", "prompt"), make("div", "asked"), verdict, make("div", "why"))];
  }

  constructor(root: HTMLElement) {
    super(root);
    find(root, ".again", HTMLElement).onclick = () => this.startOver();
  }

  update(component: Mount) {
    const { head, body } = this.open<AskHead, AskBody>(component);
    this.outbox?.answered(head.done);
    if (body) {
      this.body = body;
      this.drawn = "";
    }
    const box = find(this.root, ".ask", HTMLElement);
    box.classList.toggle("compact", head.compact);
    box.classList.toggle("prediction", !this.isLesson);
    const newest = this.outbox?.ahead("answered", head.done) as Given | null | undefined;
    const kept = newest === undefined && head.given === null ? this.kept() : null;
    const given = newest === undefined ? (head.given ?? kept) : newest;
    if (kept !== null && (head.compact || head.waits)) this.outbox?.act("answered", kept, { replaces: true }); // shows the page below
    this.draw(given, head.shown || (given !== null && this.isLesson));
  }

  /** Whether the right answer came with the question; for a prediction, the page sends it with the verdict. */
  private get isLesson() {
    return Boolean(this.body?.of);
  }

  /** The answer from before a reload. */
  private kept() {
    return this.body && this.isLesson ? keptAnswer(this.body.of, this.body) : null;
  }

  private startOver() {
    if (!this.body) return;
    keepAnswer(this.body.of, null);
    this.draw(null, false);
    this.outbox?.act("answered", null, { replaces: true });
  }

  private answer(given: Given) {
    if (!this.body) return;
    if (this.isLesson) {
      noteFirst(this.body.of, isRight(this.body, given));
      keepAnswer(this.body.of, given);
    }
    this.draw(given, this.isLesson);
    this.outbox?.act("answered", given, { replaces: true });
  }

  /**
   * @param given the reader's answer, or null
   * @param shown whether the right one is in sight
   */
  private draw(given: Given | null, shown: boolean) {
    const { body } = this;
    const now = JSON.stringify([given, shown]);
    if (!body || now === this.drawn) return;
    this.drawn = now;
    const focused = this.root.querySelector(":focus")?.getAttribute("data-focus");
    const box = find(this.root, ".ask", HTMLElement);
    const parts = { number: () => this.number(given), choice: () => this.choices(given, shown), cuts: () => this.cuts(given, shown) };
    find(box, ".prompt", HTMLElement).textContent = body.prompt;
    find(box, ".asked", HTMLElement).replaceChildren(...parts[body.kind]());
    find(box, ".verdict", HTMLElement).replaceChildren(...(given === null || !this.isLesson ? [] : verdictOf(body, given)));
    find(box, ".again", HTMLElement).hidden = given === null || !this.isLesson;
    find(box, ".why", HTMLElement).replaceChildren(...(shown ? this.reasons(given) : []));
    const again = focused && this.root.querySelector(`[data-focus="${focused}"]`);
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }

  private number(given: Given | null) {
    const field = build("input", { type: "text", inputmode: "decimal", autocomplete: "off", maxlength: "16", "data-focus": "field" });
    field.setAttribute("aria-label", this.body?.prompt ?? "");
    if (typeof given === "number") field.value = shownNumber(given);
    const form = build("form", { class: "number" }, field, build("button", { "data-focus": "check" }, t("Check")));
    form.onsubmit = (event) => {
      event.preventDefault();
      const number = numberOf(field.value);
      field.setAttribute("aria-invalid", String(number === null));
      field.title = number === null ? t("Enter a number in digits.") : "";
      if (number !== null) this.answer(number);
    };
    return [form];
  }

  private choices(given: Given | null, shown: boolean) {
    if (this.body?.kind !== "choice") return [];
    const { of, choices, right, notes } = this.body;
    const before = raised.get(of) ?? this.hands.map((field) => field.value);
    const rows = choices.map((choice, at) => {
      const button = build("button", { type: "button", "data-focus": String(at), "aria-pressed": String(given === at) });
      button.append(make("b", "", LETTERS[at]), contentOf(choice));
      button.disabled = shown && !this.isLesson; // a prediction is made once
      button.onclick = () => this.answer(at);
      const beside = make("div", "beside");
      const row = build("div", { class: shown && at === right ? "choice right" : "choice" }, button, beside);
      if (shown) {
        const mark = at === right ? t("\u2713 right") : given === at ? t("\u2717 your answer") : "";
        if (mark) button.append(make("span", "result", mark));
        if (notes[at]) beside.append(make("span", "note", notes[at]));
      }
      return row;
    });
    this.hands = rows.map((row, at) => this.handsOf(row, at, before[at] ?? ""));
    this.showHands();
    return [build("div", { class: shown ? "choices" : "choices open" }, ...rows)];
  }

  /** Field for the hands that were raised for a choice, and their bar. */
  private handsOf(row: HTMLElement, at: number, value: string) {
    const field = build("input", { class: "hands", inputmode: "numeric", autocomplete: "off", maxlength: String(MOST_HANDS).length.toString(), "data-focus": `hands ${at}` });
    field.setAttribute("aria-label", t("Hands for {letter}", { letter: LETTERS[at] }));
    field.placeholder = t("hands");
    field.value = value;
    field.oninput = () => this.showHands();
    field.onkeydown = (event) => this.keyInHands(event);
    const more = build("button", { type: "button", class: "more", title: t("One hand up; with Shift, one down"), "data-focus": `more ${at}` }, "+");
    more.setAttribute("aria-label", t("One more hand for {letter}", { letter: LETTERS[at] }));
    more.onclick = ({ shiftKey }) => this.raise(at, shiftKey ? -1 : 1);
    find(row, ".beside", HTMLElement).append(field, more, make("span", "bar"));
    return field;
  }

  /** Count a hand up or down; digits typed next replace the number. */
  private raise(at: number, way: number) {
    const field = this.hands[at];
    const hands = Math.min(MOST_HANDS, (Number(field.value) || 0) + way);
    field.value = hands > 0 ? String(hands) : "";
    field.focus();
    field.select();
    this.showHands();
  }

  /** Digits are hands; a letter counts one for its choice, with Shift one less; Enter and Page Down are the page's. */
  private keyInHands(event: KeyboardEvent) {
    const { key } = event;
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || /^\d$/.test(key)) return;
    const at = key.length === 1 ? LETTERS.indexOf(key.toUpperCase()) : -1;
    if (this.hands[at]) this.raise(at, event.shiftKey ? -1 : 1);
    else if (["Enter", "PageDown"].includes(key) && event.target instanceof HTMLElement) {
      event.target.blur();
      document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    } else if (key.length > 1) return;
    event.preventDefault();
  }

  private showHands() {
    const counts = this.hands.map(({ value }) => Math.min(MOST_HANDS, Math.max(0, Number(value) || 0)));
    const all = counts.reduce((sum, count) => sum + count, 0);
    if (this.body?.of) raised.set(this.body.of, this.hands.map(({ value }) => value));
    this.hands.forEach((field, at) => {
      const bar = field.parentElement?.querySelector(".bar");
      if (bar instanceof HTMLElement) bar.style.setProperty("--share", all ? String(counts[at] / all) : "0");
    });
  }

  private cuts(given: Given | null, shown: boolean) {
    if (this.body?.kind !== "cuts") return [];
    const row = new CutsRow(this.body, given, shown);
    const check = build("button", { type: "button", class: "check", "data-focus": "check" }, t("Check"));
    check.onclick = () => this.answer(row.cuts());
    return [row.el, check];
  }

  private reasons(given: Given | null) {
    return this.body?.kind === "cuts" ? reasonsOf(this.body, given) : [];
  }
}

function contentOf(choice: string | ChipWire[]) {
  if (typeof choice === "string") return make("span", "", choice);
  const pair = make("span", "pair");
  pair.append(...joinedChips(choice));
  return pair;
}

/** Verdict on an answer, and the score so far. */
function verdictOf(question: Question, given: Given) {
  const right = isRight(question, given);
  const said = make("strong", right ? "yes" : "no", right ? t("\u2713 Right.") : t("\u2717 Not quite."));
  const { tried, hit } = scoreOf();
  const score = tried > 1 ? tn("{hit} of {tried} question right at the first try", "{hit} of {tried} questions right at the first try", tried, { hit, tried }) : "";
  return [said, ` ${detailOf(question, given, right)} `, make("span", "score", score)];
}

function detailOf(question: Question, given: Given, right: boolean) {
  if (question.kind === "number") {
    const values = { given: shownNumber(Number(given)), right: shownNumber(question.right) };
    if (given === question.right) return "";
    return right ? t("Your answer: {given}. Exactly: {right}.", values) : t("Your answer: {given}. Correct: {right}.", values);
  }
  if (question.kind === "choice" || !Array.isArray(given)) return "";
  const { common, missed, extra } = cutsOf(question, given);
  const values = { common: common.length, all: common.length + missed.length };
  if (right) return tn("The same {all} cut.", "The same {all} cuts.", values.all, values);
  const found = tn("You found {common} of {all} cut.", "You found {common} of {all} cuts.", values.all, values);
  if (!extra.length) return found;
  const none = tn("{count} of yours is not a cut.", "{count} of yours are not cuts.", extra.length, { count: extra.length });
  return `${found} ${none}`;
}
