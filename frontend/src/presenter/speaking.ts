// The stage's side of the speaker's window: opens it, sends it what is shown and what comes next, and handles its keys.
// Both sides find each other through a channel, so that either may be reloaded.

import { keep, kept } from "../page/storage.ts";
import { t, term } from "../i18n/words.ts";
import type { Asked, Told } from "./channel.ts";
import type { Speaker } from "./acts.ts";
import type { Walk } from "./remote.ts";

const ID = "bpe-lab-notes"; // of the tab
const SIZE = "popup,width=620,height=720";

export interface Shown {
  speaker: Speaker | null;
  card: string;
  /** Step of the player, and its last one; null without one. */
  step: [at: number, last: number] | null;
  next: Walk;
}

export class Speaking {
  private readonly name: string; // of the channel, and of the window
  private readonly channel: BroadcastChannel;
  private told: Told | null = null;
  isHeard = false; // whether a window was opened, here or before a reload

  /** @param press handles a key pressed in the window */
  constructor(press: (event: KeyboardEvent) => void) {
    this.name = kept("sessionStorage", ID) ?? `${ID}-${crypto.getRandomValues(new Uint32Array(1))[0].toString(36)}`;
    keep("sessionStorage", ID, this.name);
    this.channel = new BroadcastChannel(this.name);
    this.channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (!isAsked(data)) return;
      this.isHeard = true;
      if (data.key) press(new KeyboardEvent("keydown", { key: data.key, bubbles: true, cancelable: true }));
      else if (this.told) this.channel.postMessage(this.told);
    };
  }

  /** Open the window, or bring it to the front. @returns false if the browser blocks it */
  open() {
    const url = new URL("notes.html", import.meta.url);
    url.hash = this.name;
    const opened = window.open(url, this.name, SIZE);
    opened?.focus();
    this.isHeard = opened !== null;
    return this.isHeard;
  }

  tell(shown: Shown) {
    const told = wordsOf(shown);
    if (JSON.stringify(told) === JSON.stringify(this.told)) return;
    this.told = told;
    this.channel.postMessage(told);
  }

  end() {
    this.channel.close();
  }
}

function isAsked(data: unknown): data is Asked {
  return typeof data === "object" && data !== null && "asks" in data;
}

/** All that the window shows, in the language of the stage. */
function wordsOf({ speaker, card, step, next }: Shown): Told {
  const at = step ? t("Step {step} of {last}", { step: step[0], last: step[1] }) : "";
  return {
    title: t("Notes"),
    heading: speaker?.question || card,
    where: [speaker?.question ? card : "", at].filter(Boolean).join(" \u00b7 "),
    notes: speaker?.notes || (speaker ? t("This lesson has no notes.") : t("Notes belong to lessons: open one of them on the stage.")),
    nextTitle: term("notes", "Next"),
    next: nextOf(next, step ?? [0, 0], speaker?.next ?? ""),
    elapsed: t("Elapsed"),
    reset: t("Reset"),
  };
}

function nextOf(next: Walk, [step, last]: [number, number], lesson: string) {
  if (next === "step" || next === "far") return t("Step {step}", { step: next === "far" ? last : step + 1 });
  if (next === "text") return t("The text of this lesson");
  if (next === "reveal") return t("The merge is revealed.");
  if (next === "open" || next === "look") return t("The page of this lesson");
  if (next === "answer") return t("The answer");
  if (next === "lesson") return lesson ? t("The next lesson: {question}", { question: lesson }) : t("The next lesson");
  return next === "end" ? t("This is the end.") : t("The next card");
}
