// Choices in Streamlit's own widgets as actions: recorded when the browser sends them, and resent until the server
// acknowledges them, even after a reload. The record travels in the message that carries the value, so it costs no run.
// Python's side: ui/serving/choices.py.

import { FIELDS } from "../page/drafts.ts";
import { language } from "../i18n/words.ts";
import { outboxOf, saveOutboxes, watch, type Outbox } from "./outbox.ts";
import { navigatingTo } from "./navigation.ts";
import { pageNow } from "./restore.ts";
import { base64, choicesIn, withActions, type Choice } from "./widget_messages.ts";

const CHOSE = "chose";
const KEY_CLASS = "st-key-";
const TOUCHES = ["pointerdown", "pointerup", "keydown", "input", "focusout"]; // one of them precedes every choice
const LONGEST_CHOICE = 20_000; // bytes; longer texts belong to forms, which are saved elsewhere

interface Choices {
  path: string; // of the page
  language: string; // of its texts
  touched: Set<string>; // classes of widgets
  last: string[]; // those of the last touch
  sent: Map<string, string>; // values in the last message, by id
  noted: Map<string, string>; // values recorded since the last touch, by id
}

export const choicesInTab: Choices = {
  path: "",
  language: "",
  touched: new Set(),
  last: [],
  sent: new Map(),
  noted: new Map(),
};

/** Start recording choices. */
export function watchChoices() {
  for (const event of TOUCHES) document.addEventListener(event, onTouch, { capture: true });
  addEventListener("popstate", forgetTouches);
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (data: Parameters<WebSocket["send"]>[0]) {
    send.call(this, data instanceof Uint8Array ? withNotes(data) : data);
  };
}

/**
 * Record touched widgets. Messages hold the values of all widgets, also those set by Python; only a touched one is a
 * choice. A list of options is outside its widget's element, and a thumb may be released anywhere: both continue the
 * previous touch.
 */
function onTouch(event: Event) {
  const tab = choicesOfPage();
  const path = event.composedPath().filter((each) => each instanceof Element);
  const leaves = event.type === "focusout";
  if (leaves && !path[0]?.matches(FIELDS)) return; // only these send a value now
  const continues = event.type === "pointerup" || path.some((el) => el.role === "listbox");
  const own = path.flatMap((el) => [...el.classList]).filter((name) => name.startsWith(KEY_CLASS));
  const touched = continues ? tab.last : own;
  if (!leaves) tab.last = touched;
  for (const name of touched) tab.touched.add(name);
  for (const id of tab.noted.keys()) if (touched.includes(classOf(id))) tab.noted.delete(id);
}

/** Forget touches: Back undoes what was chosen, and then the page's messages hold the older values. */
function forgetTouches() {
  choicesInTab.touched.clear();
  choicesInTab.last = [];
  choicesInTab.sent.clear();
  choicesInTab.noted.clear();
}

/**
 * State of this page; reset on another page, where the same keys may belong to untouched widgets, and in another
 * language, where the values of menus are different texts although nothing was chosen.
 */
function choicesOfPage() {
  const tab = choicesInTab;
  if (tab.path !== location.pathname || tab.language !== language()) {
    tab.path = location.pathname;
    tab.language = language();
    forgetTouches();
  }
  return tab;
}

/**
 * CSS class of a widget's element, which Streamlit derives from its key.
 * @param id $$ID-<hash>-<key>
 */
function classOf(id: string) {
  return (
    KEY_CLASS +
    id
      .replace(/^\$\$ID-[^-]*-/, "")
      .trim()
      .replace(/[^a-zA-Z0-9_-]/g, "-")
  );
}

function withNotes(message: Uint8Array) {
  const choices = choicesIn(message);
  choicesOfPage();
  const key = `address: page ${pageNow()}`; // of the component whose messages carry the records to Python
  const outbox = outboxOf(key);
  if (!choices?.filter((choice) => isNoted(outbox, choice)).length) return message;
  saveOutboxes();
  watch();
  if (navigatingTo() !== null) return message;
  return withActions(message, key, outbox.nextMessage());
}

/**
 * Record a value and return true, unless it is no choice or already recorded. A changed value ends the touch: what the
 * server sets after it, in answer to something older, must not become a choice.
 */
function isNoted(outbox: Outbox, { id, isTrigger, bytes }: Choice) {
  const { touched, sent, noted } = choicesOfPage();
  if (bytes.length > LONGEST_CHOICE) return false;
  const value = base64(bytes);
  if (!isTrigger) {
    const isChanged = sent.get(id) !== value;
    sent.set(id, value);
    if (!touched.has(classOf(id)) || noted.get(id) === value) return false;
    noted.set(id, value);
    if (isChanged) touched.delete(classOf(id));
  }
  outbox.add(CHOSE, [id, value], !isTrigger && (([of]: string[]) => of === id));
  return true;
}
