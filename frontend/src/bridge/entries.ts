// Entries of the tab's history. An entry cannot be changed after leaving it, so its URL may lack actions. A return by
// Back or Forward opens that URL, and the actions that this undoes are repeated. Entries from before a reload belong to
// another document: Back loads the page again, in a new session, and all of them are repeated.

import { loadedBy } from "../page/elements.ts";
import { keep, keptValue } from "../page/storage.ts";
import { OPENS, actionsOfTab, addActions, moveToEntry, moveToVisit, nameEntry, notInAddress, outboxOf, saveOutboxes, watch } from "./outbox.ts";
import type { Answers, Done, Left } from "./outbox.ts";

const LATE = "bpe-lab-left-entries";
const MOST_LATE = 20;

let current = { entry: "", path: "" }; // entry of the history that the tab shows
let returned: Done = {}; // actions that the URL of this entry lacked at the return to it

/** Start listening. Call this before the app's own scripts run. */
export function watchHistory() {
  addEventListener("popstate", onPop);
  const { left } = actionsOfTab();
  keepLate(left ? [left] : []);
  current = currentEntry();
  if (loadedBy() === "back_forward") {
    addActions(takeLate(), current.path);
    saveOutboxes();
  }
}

function onPop() {
  const left = current;
  current = currentEntry();
  if (left.path !== current.path) keepLate([{ ...left, done: notInAddress(left.entry) }]);
  returned = takeLate();
  addTo(returned, notInAddress(current.entry));
  for (const actions of actionsOfTab().of.values()) actions.returned();
}

/**
 * Note the entry that the tab shows. If it is a new one of the same page, pending actions count as done there; so do
 * those of an earlier visit to its page, which this visit sends: the earlier URLs lack them.
 */
export function showEntry() {
  const left = current;
  current = currentEntry();
  if (left.path === current.path) moveToEntry(left.entry, current.entry);
  else keepLate(moveToVisit(current.entry, current.path));
}

/**
 * Repeat what the server undid when it opened the URL of this entry.
 * @param undone last numbers it had accepted by then
 */
export function repeatUndone(undone: Answers) {
  if (undone?.[0] !== actionsOfTab().tab) return;
  for (const [key, actions] of Object.entries(returned)) {
    const again = actions.filter(([number]) => number <= (undone[1][key] ?? 0));
    if (!again.length) continue;
    outboxOf(key).repeat(again);
    delete returned[key];
    watch();
  }
  saveOutboxes();
}

/** Remember actions that the URLs of left entries lack. */
export function keepLate(left: Left[]) {
  const late = left.filter(({ done }) => Object.keys(done).length);
  if (late.length) saveLate([...readLate(), ...late]);
}

/**
 * Forget remembered actions that this entry's URL now contains: they may be remembered only after the return to it.
 * @param written last numbers in the URL
 */
export function forgetWritten(written: Answers) {
  if (written?.[0] !== actionsOfTab().tab) return;
  const late = readLate();
  for (const { done } of late.filter((each) => each.entry === current.entry)) {
    for (const key of Object.keys(done)) done[key] = done[key].filter(([number]) => number > (written[1][key] ?? 0));
  }
  saveLate(late.filter(({ done }) => Object.values(done).flat().length));
}

function currentEntry() {
  return { entry: nameEntry(), path: location.pathname };
}

/** Remembered actions of this entry, by component; they are forgotten. */
function takeLate(): Done {
  const { entry, path } = current;
  const late = readLate();
  const here = late.filter((each) => each.entry === entry && each.path === path);
  if (here.length) saveLate(late.filter((each) => !here.includes(each)));
  const taken: Done = {};
  for (const { done } of here) addTo(taken, done);
  return taken;
}

function addTo(all: Done, more: Done) {
  for (const [key, actions] of Object.entries(more)) {
    const known = new Set(all[key]?.map(([number]) => number));
    (all[key] ??= []).push(...actions.filter(([number, name]) => name !== OPENS && !known.has(number)));
  }
}

function readLate(): Left[] {
  return keptValue<Left[]>("sessionStorage", LATE) ?? [];
}

function saveLate(late: Left[]) {
  keep("sessionStorage", LATE, late.length ? JSON.stringify(late.slice(-MOST_LATE)) : null);
}
