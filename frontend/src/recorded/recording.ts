// A recording: the frames of every step of a training, packed into the page. Python's side is bpe_core/page.

import type { Unit } from "../page/step_words.ts";

/** Input of a view: a header of small values, and a body. */
export type Frame = [head: Record<string, unknown>, body: unknown];

/** Frames by the key of their view. */
export type Frames = Record<string, Frame>;

/** Facts about a token and, if merges made it, its tree. */
export interface OpenedToken {
  /** The merge that made it, counted from 1; null for a base symbol. */
  merge: number | null;
  /** Its story, or the table of its facts. */
  says: Frame;
  tree: Frame | null;
}

interface Words {
  /** Names of the languages of the file, by code; the page opens in the first. */
  languages: Record<string, string>;
  language: string;
  title: string;
  /** Line below the title. */
  about: string;
  foot: string;
  /** Translations of the page's texts by their English. */
  words: Record<string, string>;
  /** Whether the page is in the output of a notebook's cell. */
  cell?: boolean;
}

/** What a player plays. */
export interface Played {
  /** Name of the training. */
  name: string;
  /** The step that the page opens at. */
  step: number;
  speeds: number[];
  /** The same at every step. */
  fixed: Frames;
  /** For each step, from 0. */
  steps: Frames[];
}

/** Curves over the merges. */
export interface Curves {
  /** Of the tokens, and of the bytes or characters per token. */
  words: [title: string, caption: string, unit: Unit, digits: number, saves: number][];
  /** Bytes or characters of the text. */
  units: number;
  /** Ascending, with all that are recorded. */
  steps: number[];
  tokens: number[];
  /** Another training, drawn dashed, and the words that say so. */
  beside: { says: string; steps: number[]; tokens: number[] } | null;
}

export interface Training extends Played {
  kind: "training";
  curves: Curves | null;
  /** By id. */
  tokens: Record<string, OpenedToken>;
}

/** Frames of the vocabularies of each step, and of the finished ones. */
export interface AtSteps {
  steps: Frame[];
  end: Frame;
}

/** Why an algorithm segments a word as it does: views with their frames, notes and captions with their texts. */
export interface Why {
  title: string;
  rest: string;
  parts: [view: string, content: Frame | string][];
}

/** A word of the sentence: its place in bytes, its segmentations, and why it has the last one, by each algorithm. */
export interface FollowedWord extends AtSteps {
  word: string;
  why: Why[];
  at: [start: number, end: number];
}

export interface Algorithms extends Played {
  kind: "algorithms";
  /** How the trainings differ from the settings that were chosen. */
  notes: string[];
  sentence: (AtSteps & { words: FollowedWord[]; followed: number | null }) | null;
  /** Whether the sentence is shown at the end first. */
  atEnd: boolean;
  /** Words that are segmented differently: their table, and each one's segmentations at the end. */
  differing: { table: Frame; words: { word: string; end: Frame; why: Why[] }[] } | null;
  /** The table of all pieces. */
  pieces: Frame;
}

/** A place where two tokenizers differ, in bytes, with its reason and the note below its line. */
export interface Difference {
  at: [start: number, end: number];
  reason: Frame;
  note: Frame;
}

export interface Comparison {
  kind: "comparison";
  names: string[];
  /** The tokenizers that are chosen first, by their numbers. */
  pair: [number, number];
  lines: Frame;
  counts: Frame;
  /** For each pair of tokenizers, by their numbers, the smaller first: "0 1". */
  pairs: Record<string, { says: string; differences: Difference[] }>;
}

export interface Encoded {
  kind: "encoding";
  /** The text in tokens, and their ids in its order. */
  text: Frame;
  ids: number[];
  /** By id. */
  tokens: Record<string, OpenedToken>;
}

export type Shown = Training | Algorithms | Comparison | Encoded;

/** A paragraph of a lesson: plain text, and parts in another type. */
export type Prose = (string | { strong: Prose } | { em: Prose } | { code: string })[];

export interface LessonPage {
  kind: "lesson";
  question: string;
  text: Prose[];
  answer: Prose[];
  /** What the reader is asked. */
  ask: Frame | null;
  /** Whether the text is hidden until that is answered: it names the right choice. */
  textWaits: boolean;
  /** What is computed beside the answer. */
  exhibit: { view: "token_table" | "interlinear"; frame: Frame } | null;
  /** Results that others printed: what, by whom, both results in two lines, why. */
  printed: [what: string, by: string, both: string, because: string][];
  /** What to do on the page below, in order. */
  steps: string[];
  /** Where the app shows what is below. */
  page: string;
  /** Settings, and how much of it is recorded. */
  facts: string;
  inside: Shown | null;
}

export type Recording = Words & (Shown | LessonPage);

const encoder = new TextEncoder();

/** Unpack the page's recording: JSON, compressed, as base64. */
export async function readRecording(text: string): Promise<Recording> {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(unpacked).json();
}

/** A recording in one of its languages. Where they differ, it has { "": one value each }. */
export function inLanguage(recording: Recording, code: string): Recording {
  const at = Object.keys(recording.languages).indexOf(code);
  return chosen(recording, at) as Recording;
}

function chosen(value: unknown, at: number): unknown {
  if (Array.isArray(value)) return value.map((each) => chosen(each, at));
  if (typeof value !== "object" || value === null) return value;
  if ("" in value) return (value[""] as unknown[])[at];
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, chosen(each, at)]));
}

/** A frame as views take it. */
export function bytesOf([head, body]: Frame): Uint8Array {
  return encoder.encode(`${JSON.stringify(head)}\n${JSON.stringify(body)}`);
}
