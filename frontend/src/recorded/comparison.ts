// The page of a comparison: the lines under all tokenizers, and why the two chosen ones differ, one place at a time.

import { publish } from "../bridge/published.ts";
import { t } from "../i18n/words.ts";
import { build, make } from "../page/elements.ts";
import { shownNumber } from "../page/numbers.ts";
import { edgesOf, type PlacedTokens } from "../tokens/spans.ts";
import { Kept } from "./kept.ts";
import { card, row } from "./layout.ts";
import { Place } from "./place.ts";
import { bytesOf, type Comparison, type Difference } from "./recording.ts";

const NOTE = "reason below the line"; // as in bpe_core/comparison/page_views.py

interface Lane extends PlacedTokens {
  first: number;
}

export class ComparisonCards {
  readonly cards: HTMLElement[];
  private readonly recording: Comparison;
  private readonly lanes: Lane[];
  private readonly pair: Kept<[number, number]>;
  private readonly at = new Kept("difference", 0);
  private readonly says = make("p", "headline");
  private readonly place = make("span", "dim");
  private readonly agreed = make("p", "dim");
  private readonly choices: HTMLSelectElement[];
  private readonly lines = new Place("interlinear", "lines view", { picked: (value) => this.pick(value) });
  private readonly reason = new Place("reason", "reason");
  private readonly pager = new Place("pager", "pager", { go: (to) => this.go(Number(to)) });

  constructor(recording: Comparison) {
    this.recording = recording;
    this.pair = new Kept("pair", recording.pair);
    this.lanes = (recording.lines[1] as { lanes: Lane[] }).lanes;
    this.choices = [t("One tokenizer"), t("The other tokenizer")].map((label, side) => this.choice(label, side));
    const counts = new Place("token_table", "counts table");
    counts.draw(bytesOf(recording.counts));
    const heading = build("h2", {}, t("Why they differ"), " ", this.place);
    const head = build("div", { class: "head" }, ...this.choices, this.pager.host);
    const why = card("why", heading, head, this.agreed, this.reason.host);
    this.cards = [this.says, card("lines", this.lines.host), row(why, card("counts", counts.host))];
    why.hidden = this.says.hidden = recording.names.length < 2;
    this.pager.onDone = () => this.draw();
    this.draw();
  }

  private get differences(): Difference[] {
    return this.recorded()?.differences ?? [];
  }

  /** The recording of a pair of tokenizers, in either order. */
  private recorded() {
    const [a, b] = [...this.pair.value].sort((one, other) => one - other);
    return this.recording.pairs[`${a} ${b}`];
  }

  private choice(label: string, side: number) {
    const select = build("select", { "aria-label": label });
    this.recording.names.forEach((name, at) => select.append(new Option(name, String(at))));
    select.onchange = () => {
      const pair: [number, number] = [...this.pair.value];
      pair[side] = Number(select.value);
      if (pair[0] === pair[1]) pair[1 - side] = this.pair.value[side]; // the two are swapped
      this.choose(pair);
    };
    return select;
  }

  private choose(pair: [number, number]) {
    this.pair.value = pair;
    this.go(0);
    this.draw();
  }

  private go(at: number) {
    this.at.value = at;
    this.agreed.textContent = "";
  }

  /** Go to the difference at a clicked token: of the two, or of the first one and the clicked one. */
  private pick(value: unknown) {
    if (!Array.isArray(value)) return;
    const [, lane, token] = value as [string, number, number];
    const { pair } = this;
    if (!pair.value.includes(lane)) pair.value = [pair.value[0], lane];
    const tokens = this.lanes[lane];
    const [start, stop] = edgesOf(tokens).map((bytes) => bytes[token - tokens.first]);
    const found = this.differences.findIndex(({ at }) => at[0] < Math.max(stop, start + 1) && at[1] > start);
    if (found >= 0) this.go(found);
    else {
      const [tokenizer, other] = pair.value.map((each) => this.recording.names[each]);
      this.agreed.textContent = t("Where you clicked, {tokenizer} and {other} agree.", { tokenizer, other });
    }
    this.draw();
  }

  private draw() {
    const { recording, differences } = this;
    const [at, pair] = [this.at.value, this.pair.value];
    const recorded = this.recorded();
    const shown = differences.at(at);
    this.says.textContent = recorded?.says ?? "";
    this.choices.forEach((select, side) => (select.value = String(pair[side])));
    const [place, all] = [at + 1, differences.length].map((each) => shownNumber(each));
    this.place.textContent = shown ? t("{place} of {all}", { place, all }) : "";
    const count = differences.length;
    const keys = { back: ["p", "ArrowLeft", "PageUp"], forward: ["n", "ArrowRight", "PageDown"] };
    const pager = { at, count, what: t("Disagreements"), small: "", name: "pager", act: "go", done: this.pager.done };
    this.pager.draw({ ...pager, ...keys });
    this.reason.host.hidden = !shown;
    const [head, body] = recording.lines;
    this.lines.draw(bytesOf([{ ...head, highlight: shown?.at ?? null }, body]));
    if (!shown) return;
    this.reason.draw(bytesOf(shown.reason));
    publish(NOTE, bytesOf(shown.note));
  }
}
