// The page of a lesson: question, text and what the reader is asked, then the answer, then what the app opens for it.
// The text and what is opened wait for the reader's answer where they would give it away, as in the app.

import { t } from "../i18n/words.ts";
import { build, make } from "../page/elements.ts";
import { Kept } from "./kept.ts";
import { card, row } from "./layout.ts";
import { Place } from "./place.ts";
import { bytesOf, type LessonPage, type Prose, type Shown } from "./recording.ts";

export class LessonCards {
  readonly cards: HTMLElement[];
  private readonly recording: LessonPage;
  private readonly drawn: (inside: Shown) => HTMLElement[];
  private readonly ask = new Place("ask", "ask", { answered: (value) => this.answer(value) });
  private readonly text: HTMLElement;
  private readonly readFirst = this.button(t("Read the text first"), () => (this.looked.value = true));
  private readonly lookFirst = this.button(t("Show the page without an answer"), () => (this.looked.value = true));
  private readonly reveal = this.button("", () => this.show(!this.answered.value));
  private readonly shown: HTMLElement;
  private readonly inside: HTMLElement;
  private readonly given = new Kept<unknown>("given", null);
  private readonly looked = new Kept("looked", false); // without an answer
  private readonly answered = new Kept("answered", false); // whether the lesson's answer is in sight
  private isDrawn = false; // whether the content below is drawn

  /** @param drawn cards of a recording */
  constructor(recording: LessonPage, drawn: (inside: Shown) => HTMLElement[]) {
    this.recording = recording;
    this.drawn = drawn;
    this.text = proseOf(recording.text);
    this.shown = build("div", { class: "shown" }, proseOf(recording.answer), ...this.evidence());
    this.inside = build("section", { class: "inside", "aria-label": recording.page });
    const question = card("question", make("p", "asks", recording.question), this.text, this.ask.host, this.readFirst);
    const both = row(question, card("answer", this.reveal, this.shown));
    both.classList.add("lesson");
    this.cards = [both, this.lookFirst, this.inside];
    this.ask.host.hidden = !recording.ask;
    this.ask.onDone = () => this.draw();
    this.draw();
  }

  private button(says: string, act: () => void) {
    const button = build("button", { type: "button", class: "wide" }, says);
    button.onclick = () => {
      act();
      this.draw();
    };
    return button;
  }

  private answer(given: unknown) {
    this.given.value = given;
    if (given === null) this.looked.value = false;
    this.answered.value = given !== null;
  }

  private show(answered: boolean) {
    this.answered.value = answered;
    this.looked.value ||= answered;
  }

  private draw() {
    const { recording } = this;
    const [given, answered] = [this.given.value, this.answered.value];
    const waits = recording.ask !== null && given === null && !this.looked.value;
    this.text.hidden = waits && recording.textWaits;
    this.readFirst.hidden = !this.text.hidden;
    this.lookFirst.hidden = !waits || !recording.inside;
    this.inside.hidden = waits || !recording.inside;
    this.shown.hidden = !answered;
    this.reveal.textContent = answered ? t("Hide the answer") : t("Show the answer");
    this.reveal.setAttribute("aria-expanded", String(answered));
    if (recording.ask) {
      const [head, body] = recording.ask;
      const now = { given, shown: answered, compact: false, waits: true, done: this.ask.done };
      this.ask.draw(bytesOf([{ ...head, ...now }, body]));
    }
    if (!this.inside.hidden) this.drawInside();
  }

  /** Draw what is below, once: it keeps its step while it is hidden again. */
  private drawInside() {
    const { inside, page, facts, steps } = this.recording;
    if (this.isDrawn || !inside) return;
    this.isDrawn = true;
    const list = build("ol", {}, ...steps.map((says) => make("li", "", says)));
    this.inside.append(build("h2", {}, page, " ", make("span", "dim facts", facts)), ...(steps.length ? [list] : []), ...this.drawn(inside));
  }

  private evidence() {
    const { exhibit, printed } = this.recording;
    const results = printed.map(([what, by, both, because]) =>
      build("div", { class: "printed" }, make("p", "", what), make("p", "dim", by), make("pre", "", both), make("p", "", because)),
    );
    if (!exhibit) return results;
    const place = new Place(exhibit.view, "exhibit");
    place.draw(bytesOf(exhibit.frame));
    return [place.host, ...results];
  }
}

function proseOf(paragraphs: Prose[]) {
  return build("div", { class: "prose" }, ...paragraphs.map((parts) => build("p", {}, ...partsOf(parts))));
}

function partsOf(parts: Prose): (string | HTMLElement)[] {
  return parts.map((part) => {
    if (typeof part === "string") return part;
    if ("code" in part) return make("code", "", part.code);
    return "em" in part ? build("em", {}, ...partsOf(part.em)) : build("strong", {}, ...partsOf(part.strong));
  });
}
