// Routes keys, for all pages. A key belongs to a field or list with focus, and to any element that the keyboard has
// focused; every other key belongs to the page, in particular after a click on a row, a token or a button. Page keys go
// to the page's player or pager. Keys pressed before it is drawn are queued, from the click on the page's link.

import { navigatingTo, watchLinks } from "../bridge/navigation.ts";
import { wasReloaded } from "./elements.ts";
import { keep, keptValue } from "./storage.ts";

/** Returns whether it handles the key. */
type TakesKey = (key: string, repeat: boolean) => boolean;
/** Returns whether it handles the key, before the page does. */
type TakesFirst = (event: KeyboardEvent) => boolean;

interface Early {
  key: string;
  path: string;
}

interface Keys {
  takers: TakesKey[];
  first: TakesFirst | null;
  forFirst: KeyboardEvent | null;
  early: Early[];
  pressed: EventTarget[] | null;
  isDown: boolean;
  timer: number;
}

const MOST_EARLY = 100;
const SAVED_KEYS = "bpe-lab-early-keys";
const DRAWN = "[data-testid=stApp][data-test-script-state=notRunning]";
const LOOK_AGAIN = 250; // milliseconds
const KEPT = 20; // idle polls before queued keys are dropped
const PAGE_KEYS = ["ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown", " ", "n", "p"];
const WRITTEN_IN =
  "input:not([type=checkbox], [type=radio], [type=range], [type=button], [type=submit], [type=file]), textarea, select," +
  " [contenteditable=true], [role=dialog], [role=menu], [data-baseweb=popover], [aria-expanded=true]";
const MOVED_IN =
  "input:not([type=checkbox]), [role=slider], [role=listbox], [role=textbox], [role=grid], [role=tablist]," +
  " [role=radiogroup], [role=toolbar]";
const FIRST_KEY = "s"; // of the first handler; queued until it is registered
const PRESSED_BY_SPACE = "button, a[href], summary, input, [role=button], [role=switch]";

/**
 * Register a handler of page keys; it also gets the keys queued before.
 * @returns unregisters
 */
export function handlePageKeys(taker: TakesKey): () => void {
  const keys = keysOfTab();
  keys.takers.push(taker);
  return () => {
    keys.takers = keys.takers.filter((each) => each !== taker);
  };
}

/** Register the handler that precedes all others, for every key that neither types nor moves the focused control. */
export function handleKeysFirst(taker: TakesFirst) {
  keysOfTab().first = taker;
}

/** Take the key queued for the first handler, once it is ready. */
export function takeEarlyFirst(): KeyboardEvent | null {
  const keys = keysOfTab();
  const event = keys.forFirst;
  keys.forFirst = null;
  return event;
}

/** Deliver the keys pressed while the page was loading, in order. */
export function takeEarlyKeys(taker: TakesKey) {
  const keys = keysOfTab();
  clearTimeout(keys.timer);
  const early = keys.early.filter(({ path }) => path === location.pathname);
  keys.early = keys.early.filter(({ path }) => path !== location.pathname); // a page that was left may be opened again at once
  for (const { key } of early) taker(key, false);
  saveKeys(keys);
  if (keys.early.length) forgetLater(keys, KEPT);
}

let keysInTab: Keys | null = null;

/** Start listening, once per tab. */
export function keysOfTab() {
  if (keysInTab) return keysInTab;
  const keys: Keys = { takers: [], first: null, forFirst: null, early: savedKeys(), pressed: null, isDown: false, timer: 0 };
  keysInTab = keys;
  const options = { capture: true };
  document.addEventListener("pointerdown", (event) => onPress(keys, event), options);
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, () => (keys.isDown = false), options);
  document.addEventListener("focusin", (event) => onFocus(keys, event), options);
  document.addEventListener("keydown", (event) => onPageKey(keys, event), options);
  watchLinks();
  return keys;
}

function onPress(keys: Keys, event: PointerEvent) {
  keys.pressed = event.composedPath();
  keys.isDown = true;
}

/**
 * When the focus moves elsewhere after a press, for example by a screen reader, keys belong to that element again. A
 * move during the press belongs to the press: a pressed option of Streamlit's groups passes the focus to the one that
 * had it last.
 */
function onFocus(keys: Keys, event: FocusEvent) {
  if (keys.isDown) return;
  const [target] = event.composedPath();
  if (!keys.pressed?.some((el) => el === target || isLabelOf(el, target))) keys.pressed = null;
}

/** Whether an element is the label of the focused control: clicking a label focuses its control. */
function isLabelOf(el: unknown, focused: unknown) {
  return typeof el === "object" && el !== null && "control" in el && el.control === focused;
}

function onPageKey(keys: Keys, event: KeyboardEvent) {
  if (event.key === "Tab") keys.pressed = null; // from here on, the keyboard moves the focus
  if (event.defaultPrevented || event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
  const path = event.composedPath().filter((each) => each instanceof Element);
  if (keys.first && !isForField(path, keys.pressed, event.key) && keys.first(event)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  if (!keys.first && event.key === FIRST_KEY && !event.repeat && !isForField(path, keys.pressed, event.key))
    keys.forFirst = event;
  if (event.shiftKey || !PAGE_KEYS.includes(event.key)) return;
  if (isForFocused(path, keys.pressed, event.key)) return;
  const to = navigatingTo();
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

/** Save queued keys, so that they survive a reload of a page that was still loading. */
function saveKeys({ early }: Keys) {
  keep("sessionStorage", SAVED_KEYS, early.length ? JSON.stringify(early) : null);
}

function savedKeys(): Early[] {
  if (wasReloaded()) return keptValue<Early[]>("sessionStorage", SAVED_KEYS) ?? [];
  keep("sessionStorage", SAVED_KEYS, null);
  return [];
}

/**
 * Whether a key belongs to the focused element rather than the page.
 * @param path from the focused element outwards
 * @param pressed path of the last pointer press; null if the keyboard has moved the focus since
 */
export function isForFocused(path: Pick<Element, "matches">[], pressed: unknown[] | null, key: string) {
  if (path.some((el) => el.matches(WRITTEN_IN))) return true;
  if (pressed) return false; // pressing a chart does not move the focus
  return path.some((el) => el.matches(key === " " ? `${PRESSED_BY_SPACE}, ${MOVED_IN}` : MOVED_IN));
}

/**
 * Whether a key belongs to the focused element rather than the first handler: lists and sliders use no letters or
 * digits.
 * @param path from the focused element outwards
 * @param pressed path of the last pointer press
 */
export function isForField(path: Pick<Element, "matches">[], pressed: unknown[] | null, key: string) {
  const isNamed = key === " " || (key.length > 1 && key !== "Escape");
  return isNamed ? isForFocused(path, pressed, key) : path.some((el) => el.matches(WRITTEN_IN));
}

/** Drop queued keys on a page without a key handler, after a delay: scripts may load after the page looks drawn. */
function forgetLater(keys: Keys, looks: number) {
  clearTimeout(keys.timer);
  keys.timer = setTimeout(() => {
    if (!looks) {
      keys.early = [];
      saveKeys(keys);
    } else forgetLater(keys, document.querySelector(DRAWN) ? looks - 1 : KEPT);
  }, LOOK_AGAIN);
}
