// Whether an answer is right, and the score of this tab: first answers only, for the reader alone.

import { keep, keptValue } from "../../page/storage.ts";
import type { SentenceWire } from "../../tokens/evidence.ts";
import type { ChipWire } from "../../tokens/spans.ts";

/** A number, the index of a choice, or positions of cuts. */
export type Given = number | number[];

export interface CutsQuestion {
  kind: "cuts";
  cells: string[];
  by: string;
  tokens: [start: number, end: number, id: number][];
  why: SentenceWire[];
}

export type Question =
  | { kind: "number"; right: number; near: number }
  | { kind: "choice"; choices: (string | ChipWire[])[]; right: number; notes: string[] }
  | CutsQuestion;

const SCORE = "bpe-lab-score";

export function isRight(question: Question, given: Given): boolean {
  if (question.kind === "number") return Math.abs(Number(given) - question.right) <= question.near;
  if (question.kind === "choice") return given === question.right;
  const { missed, extra } = cutsOf(question, given);
  return !missed.length && !extra.length;
}

/** The reader's cuts against the tokenizer's: those of both, of the tokenizer alone, of the reader alone. */
export function cutsOf({ tokens }: CutsQuestion, given: Given) {
  const real = tokens.slice(1).map(([start]) => start);
  const own = Array.isArray(given) ? given : [];
  return {
    common: real.filter((cut) => own.includes(cut)),
    missed: real.filter((cut) => !own.includes(cut)),
    extra: own.filter((cut) => !real.includes(cut)),
  };
}

/** Number in digits, with or without separators of thousands; null for anything else. */
export function numberOf(text: string): number | null {
  const plain = text.normalize("NFKC").trim().replace(/(?<=\d)[,\s](?=\d{3}(\D|$))/g, "");
  return /^-?\d{1,12}(\.\d+)?$/.test(plain) ? Number(plain) : null;
}

/** Count the first answer to a lesson's question. */
export function noteFirst(lesson: string, right: boolean) {
  const score = kept();
  if (!Object.hasOwn(score, lesson)) keep("sessionStorage", SCORE, JSON.stringify({ ...score, [lesson]: right }));
}

/** Number of questions answered in this tab, and of those right at the first try. */
export function scoreOf() {
  const answers = Object.values(kept());
  return { tried: answers.length, hit: answers.filter((right) => right === true).length };
}

function kept(): Record<string, boolean> {
  const score = keptValue<Record<string, boolean>>("sessionStorage", SCORE);
  return score && typeof score === "object" ? score : {};
}
