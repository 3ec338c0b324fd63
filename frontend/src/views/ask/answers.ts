// Whether an answer is right, and what this tab keeps: answers over a reload, and the score of first answers.

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
const ANSWERS = "bpe-lab-answers";
const LARGEST = 1e12; // as in ui/views/ask.py

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

/** Whether a value from storage is an answer to this question. */
function isAnswer(question: Question, value: unknown): value is Given {
  const isIndex = (each: unknown, from: number, end: number) => Number.isInteger(each) && Number(each) >= from && Number(each) < end;
  if (question.kind === "number") return typeof value === "number" && Math.abs(value) <= LARGEST;
  if (question.kind === "choice") return isIndex(value, 0, question.choices.length);
  if (!Array.isArray(value)) return false;
  return value.every((cut, at) => isIndex(cut, at ? value[at - 1] + 1 : 1, question.cells.length));
}

/** Keep the answer to a lesson's question for a reload; null forgets it. */
export function keepAnswer(lesson: string, given: Given | null) {
  keep("sessionStorage", ANSWERS, JSON.stringify({ ...kept(ANSWERS), [lesson]: given ?? undefined }));
}

/** The kept answer to a lesson's question; null without a valid one. */
export function keptAnswer(lesson: string, question: Question): Given | null {
  const answers = kept(ANSWERS);
  const given = Object.hasOwn(answers, lesson) ? answers[lesson] : null;
  return isAnswer(question, given) ? given : null;
}

/** Number in digits, with or without separators of thousands; null for anything else. */
export function numberOf(text: string): number | null {
  const plain = text.normalize("NFKC").trim().replace(/(?<=\d)[,\s](?=\d{3}(\D|$))/g, "");
  return /^-?\d{1,12}(\.\d+)?$/.test(plain) ? Number(plain) : null;
}

/** Count the first answer to a lesson's question. */
export function noteFirst(lesson: string, right: boolean) {
  const score = kept<boolean>(SCORE);
  if (!Object.hasOwn(score, lesson)) keep("sessionStorage", SCORE, JSON.stringify({ ...score, [lesson]: right }));
}

/** Number of questions answered in this tab, and of those right at the first try. */
export function scoreOf() {
  const answers = Object.values(kept(SCORE));
  return { tried: answers.length, hit: answers.filter((right) => right === true).length };
}

/** Values by lesson that this tab keeps under a key. */
function kept<Value>(key: string): Record<string, Value | undefined> {
  const values = keptValue<Record<string, Value>>("sessionStorage", key);
  return values && typeof values === "object" ? values : {};
}
