// Computations of the stage: the effect of a key, sizes, and the CSS rules that put a card on the stage.

import { classOf } from "../page/elements.ts";

/** Several containers that share the screen. */
export interface Scene {
  /** Key of its tab. */
  key: string;
  /** Keys of its containers: over the whole width, large below it, and beside that the first that is on the page. */
  over: string;
  main: string;
  beside: string[];
}

/** What the speaker's window shows of a lesson. */
export interface Speaker {
  question: string;
  notes: string;
  /** Question of the next lesson, "" without one. */
  next: string;
  /** Step of the player that it opens at. */
  begins: number;
}

export interface StageData {
  page: string;
  /** Key of each container and title of its tab. */
  cards: [key: string, title: string][];
  /** Key of the container that stays visible with every card. */
  beside: string | null;
  /** Keys of cards that are enlarged if they are short. */
  fits: string[];
  scene: Scene | null;
  /** Keys of cards that a frame shows without what is beside them; null for all. */
  alone: string[] | null;
  /** Groups of containers that a frame can show; the first one of a group has to be on the page. */
  joined: [name: string, title: string, keys: string[]][];
  /** Of the lesson that is shown or that opened the page. */
  speaker: Speaker | null;
}

export type StageAct =
  | { act: "leave" | "black" | "answer" | "keys" | "full screen" | "open" | "notes" | "link" | "reveal" | "hands" }
  | { act: "card" | "choice"; at: number }
  | { act: "hand"; at: number; way: number }
  | { act: "lesson" | "walk"; way: number }
  | { act: "scroll"; pages: number }
  | null;

const CARD_TYPE = 32.4; // pixels per rem in a card, in a window of 1920 × 1080
const FOOT_TYPE = 23; // the same for the foot
const BROAD = 1920;
const HIGH = 1080;

const CHOICES = "abcdefgh";
const LETTER_ACTS: Record<string, "black" | "full screen" | "keys" | "leave" | "notes" | "link"> = {
  ".": "black",
  b: "black",
  f: "full screen",
  "?": "keys",
  Escape: "leave",
  s: "leave",
  n: "notes",
  q: "link",
};

/**
 * Effect of a key on the stage; null if the key keeps its default effect on the page. A presentation remote has four
 * keys: forward and back; black; and start, F5.
 * @param lesson whether the page has a lesson
 * @param choices number of choices that a class is asked for: their letters and digits precede all other keys
 * @param hands whether there are fields for hands: once in them, letters count hands
 */
export function actOf(
  { key, shiftKey }: { key: string; shiftKey: boolean },
  { lesson, choices, hands }: { lesson: boolean; choices: number; hands: boolean },
): StageAct {
  const name = key.length === 1 ? key.toLowerCase() : key;
  const digit = key.length === 1 ? "123456789".indexOf(key) : -1;
  const letter = name.length === 1 ? CHOICES.indexOf(name) : -1;
  if (letter >= 0 && letter < choices) return { act: "hand", at: letter, way: shiftKey ? -1 : 1 };
  if (digit >= 0 && digit < choices) return { act: "choice", at: digit };
  if (choices && name === "Enter") return { act: "reveal" };
  if (digit >= 0) return { act: "card", at: digit };
  if (shiftKey && lesson && key === "ArrowRight") return { act: "lesson", way: 1 };
  if (shiftKey && lesson && key === "ArrowLeft") return { act: "lesson", way: -1 };
  if (name === "a" && lesson) return { act: "answer" };
  if (name === "o" && lesson) return { act: "open" };
  if (name === "h" && hands) return { act: "hands" };
  if (name === "ArrowDown") return { act: "scroll", pages: 0.25 };
  if (name === "ArrowUp") return { act: "scroll", pages: -0.25 };
  const way = { PageDown: 1, PageUp: -1 }[name];
  if (way !== undefined) return { act: "walk", way };
  return Object.hasOwn(LETTER_ACTS, name) ? { act: LETTER_ACTS[name] } : null;
}

/**
 * Zoom factors of a card and of the foot, in proportion to the window.
 * @param width of the window, in pixels
 * @param rem pixels of a rem in this window
 */
export function zoomsOf(width: number, height: number, rem: number) {
  const share = Math.min(width / BROAD, height / HIGH);
  const zoom = (type: number) => Math.max(1, Math.round((100 * type * share) / rem) / 100);
  return { card: zoom(CARD_TYPE), foot: zoom(FOOT_TYPE) };
}

/** Pixels at the right of an area for the mark of hidden content. */
export function markRoom(width: number, height: number) {
  return Math.round(1.9 * Math.max(14, Math.min(0.0115 * width, 0.0205 * height, 44)));
}

/**
 * Key of the card to show: the chosen one, or the first; if the chosen card is not on the page any more, the nearest
 * one.
 * @param cards keys of cards on the page
 * @param all keys of all possible cards, in order
 */
export function cardToShow(cards: string[], chosen: string | undefined, all: string[]) {
  if (chosen === undefined || !cards.length) return cards[0];
  if (cards.includes(chosen)) return chosen;
  const place = all.indexOf(chosen);
  const distance = (key: string) => Math.abs(all.indexOf(key) - place);
  return cards.reduce((best, key) => (distance(key) <= distance(best) ? key : best));
}

/**
 * CSS rule that puts an element of Streamlit at a position in the window.
 * @param place its sides, sizes and paddings, in pixels of the window
 * @param more declarations
 */
export function ruleOf(key: string, place: Record<string, number>, zoom: number, more = "") {
  const sizes = Object.entries(place).map(([name, size]) => `${name}: ${(size / zoom).toFixed(2)}px !important;`);
  const name = classOf(key);
  return (
    `.stApp .${name}.${name} { visibility: visible; position: fixed !important; inset: auto; z-index: 2; max-width: none;` +
    ` margin: 0 !important; box-sizing: border-box; zoom: ${zoom}; ${more} ${sizes.join(" ")} }`
  );
}

/**
 * CSS rule that hides the rest of the page, including elements that Streamlit explicitly makes visible.
 * @param keys of the visible elements
 */
export function hidingRule(keys: (string | null | undefined)[]) {
  const shown = keys.flatMap((key) => (key ? [`.${classOf(key)}`] : []));
  return `.stApp *:not(.page-name, ${shown.flatMap((name) => [name, `${name} *`]).join(", ")}) { visibility: hidden !important; }`;
}
