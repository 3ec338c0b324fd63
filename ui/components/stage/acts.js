// @ts-check
// What the stage computes: what a key does on it, how large things are, and which rules put a card on it.

/**
 * `cards`: the key of each container and the name of its tab; `beside`: the key of what stays in sight with each card;
 * `fits`: keys of cards that are drawn larger where they are short.
 * @typedef {{ page: string, cards: [key: string, title: string][], beside: string | null, fits: string[] }} StageData
 */
/**
 * @typedef {{ act: "leave" | "black" | "answer" | "keys" | "full screen" } | { act: "card", at: number }
 *   | { act: "lesson", way: number } | { act: "scroll", pages: number } | { act: "open" } | null} StageAct
 */

const CARD_TYPE = 32.4; // pixels of a rem in a card, in a window of 1920 × 1080
const FOOT_TYPE = 23; // the same of what is below it
const BROAD = 1920;
const HIGH = 1080;

/**
 * What a key does on the stage; null where it is the page's, as it is without a stage. A presenter's remote has four
 * keys: forward and back, which step the player where there is one and the lessons elsewhere; black; and start, F5.
 * @param {{ key: string, shiftKey: boolean }} event
 * @param {{ steps: boolean, lesson: boolean }} has whether the page has what is stepped, and a lesson
 * @returns {StageAct}
 */
export function actOf({ key, shiftKey }, { steps, lesson }) {
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
  return lesson ? { act: "lesson", way } : { act: "scroll", pages: 0.9 * way };
}

/**
 * How much larger than elsewhere a card is drawn, and what is below it: in proportion to the window.
 * @param {number} width of the window, in pixels
 * @param {number} height
 * @param {number} rem pixels of a rem in this window
 */
export function zoomsOf(width, height, rem) {
  const share = Math.min(width / BROAD, height / HIGH);
  const zoom = (/** @type {number} */ type) => Math.max(1, Math.round((100 * type * share) / rem) / 100);
  return { card: zoom(CARD_TYPE), foot: zoom(FOOT_TYPE) };
}

/**
 * The class that Streamlit gives to what has this key.
 * @param {string} key
 */
export function classOf(key) {
  return "st-key-" + key.trim().replace(/[^a-zA-Z0-9_-]/g, "-");
}

/**
 * The card to show: the one that was chosen, or the first; where it has left the page, that which has come in its place.
 * @param {string[]} cards keys of those that are on the page
 * @param {string | undefined} chosen
 * @param {string[]} all keys of those that can be on the page
 */
export function cardToShow(cards, chosen, all) {
  if (chosen === undefined || !cards.length) return cards[0];
  if (cards.includes(chosen)) return chosen;
  const place = all.indexOf(chosen);
  const distance = (/** @type {string} */ key) => Math.abs(all.indexOf(key) - place);
  return cards.reduce((best, key) => (distance(key) <= distance(best) ? key : best));
}

/**
 * A rule that draws an element of Streamlit at a place of the window.
 * @param {string} key
 * @param {Record<string, number>} place its sides and sizes, in pixels of the window
 * @param {number} zoom
 * @param {string} more declarations
 */
export function ruleOf(key, place, zoom, more = "") {
  const sizes = Object.entries(place).map(([name, size]) => `${name}: ${(size / zoom).toFixed(2)}px !important;`);
  const name = classOf(key);
  return (
    `.stApp .${name}.${name} { visibility: visible; position: fixed !important; inset: auto; z-index: 2; max-width: none;` +
    ` margin: 0 !important; box-sizing: border-box; zoom: ${zoom}; ${sizes.join(" ")} ${more} }`
  );
}

/**
 * A rule that hides all else of the page: some elements of Streamlit say for themselves that they are to be seen.
 * @param {(string | null | undefined)[]} keys of what is shown
 */
export function hidingRule(keys) {
  const shown = keys.flatMap((key) => (key ? [`.${classOf(key)}`] : []));
  return `.stApp *:not(.page-name, ${shown.flatMap((name) => [name, `${name} *`]).join(", ")}) { visibility: hidden !important; }`;
}
