// The page of the four trainings of Algorithms: player, cards, a sentence in their pieces, and their vocabularies.

import { currentStep, subscribeStep } from "../bridge/current_step.ts";
import { t } from "../i18n/words.ts";
import { build, make } from "../page/elements.ts";
import { edgesOf, type PlacedTokens } from "../tokens/spans.ts";
import { Course } from "./course.ts";
import { Kept, whenRedrawn } from "./kept.ts";
import { card, row } from "./layout.ts";
import { Place } from "./place.ts";
import { bytesOf, type Algorithms, type AtSteps } from "./recording.ts";
import { SearchedTable } from "./searched_table.ts";
import { WhyCards } from "./why.ts";

// Keys of the views, as Python records them: ui/runs/page_views.py
const CARDS = "algorithms cards";
const PIECES = "pieces table";

interface Lane extends PlacedTokens {
  first: number;
}

export function algorithmsCards(recording: Algorithms): HTMLElement[] {
  const course = new Course(recording, "step");
  const plays = recording.steps.length > 1 ? [build("div", { class: "player-bar" }, course.host)] : [];
  const steps = new Place("algorithm_cards", CARDS).follow();
  const notes = recording.notes.map((note) => make("p", "dim", note));
  const pieces = new SearchedTable("pieces", PIECES, t("Find a piece"), "Piece", recording.pieces);
  return [...plays, steps.host, ...notes, ...new WordCards(recording).cards, pieces.card];
}

/** The sentence in the pieces of each algorithm, the followed word, and the words that differ. */
class WordCards {
  readonly cards: HTMLElement[] = [];
  private readonly recording: Algorithms;
  private readonly sentence = new Place("interlinear", "sentence rows", { picked: (value) => this.pick(value) });
  private readonly segmented = new Place("word_segmentations", "segmentations");
  private readonly why = new WhyCards();
  private readonly word = make("span");
  private readonly ways: HTMLButtonElement[];
  private readonly atEnd: Kept<boolean>;
  private readonly followed: Kept<number | null>; // word of the sentence
  private readonly listed = new Kept<number | null>("listed", null); // of the words that differ, in place of it

  constructor(recording: Algorithms) {
    this.recording = recording;
    this.atEnd = new Kept("at the end", recording.atEnd);
    this.followed = new Kept("followed", recording.sentence?.followed ?? null);
    this.ways = [t("at the end"), t("at this step")].map((says, at) => {
      const button = build("button", { type: "button" }, says);
      button.onclick = () => this.choose(!at);
      return button;
    });
    if (!recording.sentence) return;
    const label = t("Using the vocabularies");
    const head = build("div", { class: "head" }, make("span", "dim", label), ...this.ways);
    head.setAttribute("role", "group");
    head.setAttribute("aria-label", label);
    const hint = make("p", "dim", t("The number counts its pieces. Click one to follow its word below."));
    const title = build("h2", {}, t("The word"), " ", this.word);
    const both = [card("word", title, this.segmented.host)];
    if (recording.differing) {
      const list = new Place("token_table", "words table", { picked: (value) => this.pickListed(value) });
      list.draw(bytesOf(recording.differing.table));
      both.push(card("words", list.host));
    }
    this.cards = [card("sentence", head, this.sentence.host, hint), row(...both), this.why.host];
    whenRedrawn(subscribeStep(() => this.draw()));
    this.draw();
  }

  private choose(atEnd: boolean) {
    this.atEnd.value = atEnd;
    if (!atEnd) this.listed.value = null; // recorded for the end only
    this.draw();
  }

  /** Follow the word of a clicked token; for white space, the next word. */
  private pick(value: unknown) {
    const { sentence } = this.recording;
    if (!sentence || !Array.isArray(value)) return;
    const [, lane, token] = value as [string, number, number];
    const [, body] = this.at(sentence);
    const tokens = (body as { lanes: Lane[] }).lanes[lane];
    const end = edgesOf(tokens)[1][token - tokens.first];
    const found = sentence.words.findIndex(({ at }) => at[1] >= end);
    if (found < 0) return;
    this.followed.value = found;
    this.listed.value = null;
    this.draw();
  }

  private pickListed(value: unknown) {
    if (!Array.isArray(value)) return;
    this.listed.value = Number(value[1]);
    this.atEnd.value = true;
    this.draw();
  }

  /** Frame of the vocabularies that are shown. */
  private at({ steps, end }: AtSteps) {
    const { name, step } = this.recording;
    return this.atEnd.value ? end : steps[currentStep(name) ?? step];
  }

  private draw() {
    const { sentence, differing } = this.recording;
    if (!sentence) return;
    this.ways.forEach((button, at) => button.setAttribute("aria-pressed", String(this.atEnd.value === !at)));
    const [followed, isListed] = [this.followed.value, this.listed.value !== null];
    const word = followed === null ? null : sentence.words[followed];
    const [head, body] = this.at(sentence);
    const highlight = !isListed && sentence.words.length > 1 ? (word?.at ?? null) : null;
    this.sentence.draw(bytesOf([{ ...head, highlight }, body]));
    const listed = isListed ? differing?.words[Number(this.listed.value)] : null;
    this.word.textContent = listed?.word ?? word?.word ?? "";
    const segmented = listed?.end ?? (word && this.at(word));
    this.segmented.host.hidden = !segmented;
    if (segmented) this.segmented.draw(bytesOf(segmented));
    this.why.draw(this.atEnd.value ? ((listed ?? word)?.why ?? null) : null);
  }
}
