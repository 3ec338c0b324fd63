// @ts-check
// Which key goes where: one place for all pages. A key belongs to what is being written in or chosen from, and to what
// the keyboard itself has moved to; every other one is the page's, above all after a click on a row, a token or a
// button. The page's keys go to its player or pager; those that are pressed before it is drawn wait for it, from the
// click on the page's name on.

import { leavingFor, watchLinks } from "./leaving.js";
import { wasReloaded } from "./page.js";

/** @typedef {(key: string, repeat: boolean) => boolean} TakesKey whether it is one of its keys */
/** @typedef {{ key: string, path: string }} Early */
/** @typedef {(event: KeyboardEvent) => boolean} TakesFirst whether it is for it, before it is for the page */
/**
 * @typedef {{ takers: TakesKey[], first: TakesFirst | null, forFirst: KeyboardEvent | null, early: Early[], pressed: EventTarget[] | null, timer: number }} Keys
 */

const MOST_EARLY = 100;
const SAVED_KEYS = "bpe-lab-early-keys";
const DRAWN = "[data-testid=stApp][data-test-script-state=notRunning]";
const LOOK_AGAIN = 250; // milliseconds
const KEPT = 20; // looks at a page that is drawn, after which nobody is expected who takes keys
const PAGE_KEYS = ["ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown", " ", "n", "p"];
const WRITTEN_IN =
  "input:not([type=checkbox], [type=radio], [type=range], [type=button], [type=submit], [type=file]), textarea, select," +
  " [contenteditable=true], [role=dialog], [role=menu], [data-baseweb=popover], [aria-expanded=true]";
const MOVED_IN =
  "input:not([type=checkbox]), [role=slider], [role=listbox], [role=textbox], [role=grid], [role=tablist], [role=radiogroup]";
const FIRST_KEY = "s"; // of the one who is asked first: where nobody is yet, it waits
const PRESSED_BY_SPACE = "button, a[href], summary, input, [role=button], [role=switch]";

/**
 * From now on the page's keys go to this one; also those that were pressed before it came.
 * @param {TakesKey} taker
 * @returns {() => void} ends it
 */
export function takeKeys(taker) {
  const keys = keysOfTab();
  keys.takers.push(taker);
  return () => {
    keys.takers = keys.takers.filter((each) => each !== taker);
  };
}

/**
 * From now on this one is asked first, for every key that nothing is written with or moved by.
 * @param {TakesFirst} taker
 */
export function takeKeysFirst(taker) {
  keysOfTab().first = taker;
}

/**
 * The key that was pressed for the one who is asked first, before it came; for when it is ready to be asked.
 * @returns {KeyboardEvent | null}
 */
export function earlyFirst() {
  const keys = keysOfTab();
  const event = keys.forFirst;
  keys.forFirst = null;
  return event;
}

/**
 * Hands over the keys that were pressed while the page was loading, in their order.
 * @param {TakesKey} taker
 */
export function takeEarlyKeys(taker) {
  const keys = keysOfTab();
  clearTimeout(keys.timer);
  const early = keys.early.filter(({ path }) => path === location.pathname);
  keys.early = keys.early.filter(({ path }) => path === leavingFor());
  for (const { key } of early) taker(key, false);
  saveKeys(keys);
}

/** Begins to listen, once for a tab. */
export function keysOfTab() {
  if (window.bpeLabKeys) return window.bpeLabKeys;
  /** @type {Keys} */
  const keys = { takers: [], first: null, forFirst: null, early: savedKeys(), pressed: null, timer: 0 };
  window.bpeLabKeys = keys;
  const options = { capture: true };
  document.addEventListener("pointerdown", (event) => (keys.pressed = event.composedPath()), options);
  document.addEventListener("keydown", (event) => onPageKey(keys, event), options);
  watchLinks();
  return keys;
}

/**
 * @param {Keys} keys
 * @param {KeyboardEvent} event
 */
function onPageKey(keys, event) {
  if (event.key === "Tab") keys.pressed = null; // the focus goes where the keyboard leads it
  if (event.defaultPrevented || event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
  const path = event.composedPath().filter((each) => each instanceof Element);
  if (keys.first && !isMeant(path, keys.pressed, event.key) && keys.first(event)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  if (!keys.first && event.key === FIRST_KEY && !event.repeat && !isMeant(path, keys.pressed, event.key)) keys.forFirst = event;
  if (event.shiftKey || !PAGE_KEYS.includes(event.key)) return;
  if (belongsTo(path, keys.pressed, event.key)) return;
  const to = leavingFor();
  const taker = to === null ? keys.takers.at(-1) : undefined;
  if (taker) {
    if (!taker(event.key, event.repeat)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  } else if (!event.repeat) {
    keys.early.push({ key: event.key, path: to ?? location.pathname });
    keys.early.splice(0, keys.early.length - MOST_EARLY);
    saveKeys(keys);
    forgetLater(keys, KEPT);
  }
}

/**
 * A page that is loaded again before it was there gets the keys of the first time as well.
 * @param {Keys} keys
 */
function saveKeys({ early }) {
  try {
    if (early.length) sessionStorage.setItem(SAVED_KEYS, JSON.stringify(early));
    else sessionStorage.removeItem(SAVED_KEYS);
  } catch {
    // a browser that keeps nothing
  }
}

/** @returns {Early[]} */
function savedKeys() {
  try {
    if (wasReloaded()) return JSON.parse(sessionStorage.getItem(SAVED_KEYS) ?? "[]");
    sessionStorage.removeItem(SAVED_KEYS);
    return [];
  } catch {
    return [];
  }
}

/**
 * Whether a key is for what has the focus, and not for the page.
 * @param {Pick<Element, "matches">[]} path from the focused element outwards
 * @param {unknown[] | null} pressed where the pointer was pressed last; null where the keyboard has moved on since
 * @param {string} key
 */
export function belongsTo(path, pressed, key) {
  if (path.some((el) => el.matches(WRITTEN_IN))) return true;
  if (pressed?.some((el) => el === path[0] || isLabelOf(el, path[0]))) return false;
  return path.some((el) => el.matches(key === " " ? `${PRESSED_BY_SPACE}, ${MOVED_IN}` : MOVED_IN));
}

/**
 * Whether a key is for what has the focus, and not for who is asked first: lists and sliders take no letters or digits.
 * @param {Pick<Element, "matches">[]} path from the focused element outwards
 * @param {unknown[] | null} pressed where the pointer was pressed last
 * @param {string} key
 */
export function isMeant(path, pressed, key) {
  const isNamed = key === " " || (key.length > 1 && key !== "Escape");
  return isNamed ? belongsTo(path, pressed, key) : path.some((el) => el.matches(WRITTEN_IN));
}

/**
 * A click on a label gives the focus to what it is for.
 * @param {unknown} el
 * @param {unknown} focused
 */
function isLabelOf(el, focused) {
  return typeof el === "object" && el !== null && "control" in el && el.control === focused;
}

/**
 * A page without anyone who takes keys does not keep them; but its scripts may come a while after it looks drawn.
 * @param {Keys} keys
 * @param {number} looks
 */
function forgetLater(keys, looks) {
  clearTimeout(keys.timer);
  keys.timer = setTimeout(() => {
    if (!looks) {
      keys.early = [];
      saveKeys(keys);
    } else forgetLater(keys, document.querySelector(DRAWN) ? looks - 1 : KEPT);
  }, LOOK_AGAIN);
}
