// Story of a step: left + right → new in large chips, and sentences that may contain chips.

import { mergeOf, currentStep, subscribeStep } from "../../bridge/current_step.ts";
import { View } from "../../bridge/view.ts";
import { build, find, make, zoomOf } from "../../page/elements.ts";
import { chipsRunRtl, makeChip } from "../../tokens/drawing.ts";
import { t, type Strong } from "../../i18n/words.ts";
import { firstSentence, spoken } from "./sentence.ts";
import type { ChipWire } from "../../tokens/spans.ts";

/** Chips of one token or of a pair. */
export type StoryPart = string | Strong | { chips: ChipWire[] };

export interface StoryBody {
  chips: ChipWire[];
  sentences: StoryPart[][];
  /** Short forms of sentences by index, for the headline of the stage. */
  brief?: Record<number, StoryPart[]>;
  label: string;
}

interface StoryHead {
  rev: string;
  of: string | null; // name of the training, null without one
  step: number | null;
  forced: number[]; // steps at which the training was forked
  symbols: number; // tokens of the text before any merge
}

const SETTLED = 800; // milliseconds before an announcement: of quick successive steps only the last is announced

/** Character with a name for screen readers. */
function separator(text: string, name: string) {
  const el = make("span", "op", text);
  el.setAttribute("role", "img");
  el.setAttribute("aria-label", name);
  return el;
}

function partOf(part: StoryPart) {
  if (typeof part === "string") return part;
  if ("strong" in part) return make("strong", "", part.strong);
  const group = make("span", "inline");
  group.tabIndex = 0; // the focus lights it on the page: ../../lights
  if (chipsRunRtl(part.chips)) group.dir = "rtl";
  part.chips.forEach((chip, at) => {
    if (at) group.append(separator("+", t("and")));
    group.append(makeChip(chip));
  });
  return group;
}

function lineOf(sentence: StoryPart[], name = "") {
  const line = make("p", name);
  line.append(...sentence.map(partOf));
  return line;
}

/** Shrink the type of many sentences in a narrow window, rather than hide the last line. */
function fit(story: HTMLElement) {
  story.classList.remove("tight", "tighter");
  for (const size of ["tight", "tighter"]) {
    if (story.scrollHeight <= story.clientHeight) return;
    story.classList.add(size);
  }
}

/** Height in CSS pixels before zoom. */
function heightOf(el: Element | null) {
  return el && el.getBoundingClientRect().height / zoomOf(el);
}

/** Story of a step before the server replies; null if the merge is unknown. */
function earlyStory({ of, forced, symbols }: StoryHead, step: number, label: string): StoryBody | null {
  if (step === 0) return { chips: [], sentences: [[{ strong: t("Step {step}.", { step }) }]], label };
  const merge = mergeOf(of ?? "", step);
  return (
    merge && {
      chips: [merge.left, merge.right, merge.made],
      sentences: [firstSentence(step, merge, forced, symbols)],
      label,
    }
  );
}

export class Story extends View {
  private readonly story: HTMLElement;
  private readonly said: HTMLElement;
  private head: StoryHead | null = null; // of the server's last story
  private body: StoryBody = { chips: [], sentences: [], label: "" };
  private shown = ""; // rev of the drawn story
  private height: number | null = null; // in pixels, of the server's last sentences; null while they are drawn
  private announcing = 0;
  private readonly watcher: ResizeObserver; // also called at once, before the story is painted

  static markup() {
    return [make("div", "story"), build("p", { class: "said", role: "status" })];
  }

  constructor(root: HTMLElement) {
    super(root);
    this.story = find(root, ".story", HTMLElement);
    this.said = find(root, ".said", HTMLElement);
    this.story.tabIndex = -1; // keeps the focus when a step has no pair to take it
    this.watcher = new ResizeObserver(() => fit(this.story));
    this.onEnd(
      subscribeStep(() => this.tell()),
      () => clearTimeout(this.announcing),
      () => this.watcher.disconnect(),
    );
  }

  update(component: Mount) {
    const { head, body } = this.open<StoryHead, StoryBody>(component);
    this.head = head;
    this.body = body ?? this.body;
    this.tell();
  }

  /** Draw the step that the player shows: until the server replies, the merge and its count. */
  private tell() {
    const { head, body } = this;
    if (!head) return;
    const step = currentStep(head.of);
    const early = step === null || step === head.step ? null : earlyStory(head, step, body.label);
    const rev = early ? `${head.of} ${step}` : head.rev;
    if (rev === this.shown) return;
    this.shown = rev;
    this.height = early ? (this.height ?? heightOf(this.story.querySelector(".words"))) : null;
    this.draw(early ?? body);
  }

  private draw(body: StoryBody) {
    const { story } = this;
    story.setAttribute("role", "group");
    story.setAttribute("aria-label", body.label);
    const words = make("div", "words");
    if (this.height !== null) words.style.minHeight = `${this.height}px`; // so that the first sentence does not move
    body.sentences.forEach((sentence, at) => {
      const brief = body.brief?.[at];
      words.append(lineOf(sentence, brief && "full"), ...(brief ? [lineOf(brief, "brief")] : []));
    });
    const hadFocus = story.matches(":focus-within");
    story.replaceChildren(...chipsOf(body), words);
    if (hadFocus) (story.querySelector<HTMLElement>(".inline") ?? story).focus({ preventScroll: true });
    if (this.height === null) {
      this.watcher.disconnect(); // while a step is only begun, the type size stays: fitting it forces a layout or two
      this.watcher.observe(story);
    }
    clearTimeout(this.announcing);
    this.announcing = setTimeout(() => (this.said.textContent = spoken(body)), SETTLED);
  }
}

/** The merge in chips: left + right and the new token; nothing at step 0. */
function chipsOf(body: StoryBody) {
  if (!body.chips.length) return [];
  const [left, right, made] = body.chips.map(makeChip);
  made.classList.add("fresh");
  const chips = make("div", "chips");
  const isRtl = chipsRunRtl(body.chips);
  if (isRtl) chips.dir = "rtl";
  chips.append(left, separator("+", t("and")), right, separator(isRtl ? "\u2190" : "\u2192", t("become")), made);
  return [chips];
}
