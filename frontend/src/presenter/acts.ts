// Computations of the stage: the effect of a key, sizes, and the CSS rules that put a card on the stage.

export interface StageData {
  page: string;
  /** Key of each container and title of its tab. */
  cards: [key: string, title: string][];
  /** Key of the container that stays visible with every card. */
  beside: string | null;
  /** Keys of cards that are enlarged if they are short. */
  fits: string[];
}

export type StageAct =
  | { act: "leave" | "black" | "answer" | "keys" | "full screen" }
  | { act: "card"; at: number }
  | { act: "lesson" | "turn"; way: number }
  | { act: "scroll"; pages: number }
  | { act: "open" }
  | null;

const CARD_TYPE = 32.4; // pixels per rem in a card, in a window of 1920 × 1080
const FOOT_TYPE = 23; // the same for the foot
const BROAD = 1920;
const HIGH = 1080;

/**
 * Effect of a key on the stage; null if the key keeps its default effect on the page. A presentation remote has four
 * keys: forward and back, which step the player or, without one, the lessons and their answers; black; and start, F5.
 * @param has whether the page has a player, and a lesson
 */
export function actOf(
  { key, shiftKey }: { key: string; shiftKey: boolean },
  { steps, lesson }: { steps: boolean; lesson: boolean },
): StageAct {
  const digit = "123456789".indexOf(key);
  if (key.length === 1 && digit >= 0) return { act: "card", at: digit };
  if (shiftKey && lesson && key === "ArrowRight") return { act: "lesson", way: 1 };
  if (shiftKey && lesson && key === "ArrowLeft") return { act: "lesson", way: -1 };
  const name = key.length === 1 ? key.toLowerCase() : key;
  if (name === "b" || name === ".") return { act: "black" };
  if (name === "a" && lesson) return { act: "answer" };
  if (name === "o" && lesson) return { act: "open" };
  if (name === "f") return { act: "full screen" };
  if (name === "?") return { act: "keys" };
  if (name === "Escape" || name === "s") return { act: "leave" };
  if (name === "ArrowDown") return { act: "scroll", pages: 0.25 };
  if (name === "ArrowUp") return { act: "scroll", pages: -0.25 };
  const way = { PageDown: 1, PageUp: -1 }[name];
  if (way === undefined || steps) return null;
  return lesson ? { act: "turn", way } : { act: "scroll", pages: 0.9 * way };
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

/** CSS class that Streamlit gives to the element with this key. */
export function classOf(key: string) {
  return "st-key-" + key.trim().replace(/[^a-zA-Z0-9_-]/g, "-");
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
 * @param place its sides and sizes, in pixels of the window
 * @param more declarations
 */
export function ruleOf(key: string, place: Record<string, number>, zoom: number, more = "") {
  const sizes = Object.entries(place).map(([name, size]) => `${name}: ${(size / zoom).toFixed(2)}px !important;`);
  const name = classOf(key);
  return (
    `.stApp .${name}.${name} { visibility: visible; position: fixed !important; inset: auto; z-index: 2; max-width: none;` +
    ` margin: 0 !important; box-sizing: border-box; zoom: ${zoom}; ${sizes.join(" ")} ${more} }`
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
