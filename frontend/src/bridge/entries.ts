// Entries of the tab's history. An entry cannot be changed after leaving it, so actions missing from its URL are
// repeated on return by Back or Forward. As after a reload, the URL is applied first. Entries from before a reload
// belong to another document: Back loads the page again.

import { loadedBy } from "../page/elements.ts";
import { actionsOfTab, resend, notInAddress, type Left as Late } from "./outbox.ts";

const LATE = "bpe-lab-left-entries";
const MOST_LATE = 20;

/** An entry in the tab's history. */
interface Entry {
  entry: string;
  path: string;
}

let current: Entry | null = null; // entry of the history that the tab shows

/** Start listening. Call this before the app's own scripts run. */
export function watchHistory() {
  addEventListener("popstate", onPop);
  const { left } = actionsOfTab();
  if (left) addLate(left);
  if (loadedBy() === "back_forward") repeatLate();
}

/** Name the current history entry; the name survives changes of its URL. */
export function nameEntry() {
  const entry = history.state?.bpeLabEntry ?? crypto.getRandomValues(new Uint32Array(2)).join("-");
  if (!history.state?.bpeLabEntry) history.replaceState({ ...history.state, bpeLabEntry: entry }, "");
  current = { entry, path: location.pathname };
}

function onPop() {
  const left = current;
  const path = location.pathname;
  if (left && left.path !== path) addLate({ ...left, done: notInAddress(left.path) });
  repeatLate();
}

function addLate(left: Late) {
  if (Object.keys(left.done).length) saveLate([...readLate(), left]);
}

/** Queue the actions missing from the URL of the entry that the tab has returned to. */
function repeatLate() {
  const path = location.pathname;
  const entry = history.state?.bpeLabEntry;
  const late = readLate();
  const here = late.filter((each) => each.entry === entry && each.path === path);
  if (here.length) resend(here[here.length - 1].done, path);
  saveLate(late.filter((each) => !here.includes(each)));
  current = entry ? { entry, path } : null;
}

function readLate(): Late[] {
  try {
    return JSON.parse(sessionStorage.getItem(LATE) ?? "[]");
  } catch {
    return []; // storage is disabled
  }
}

function saveLate(late: Late[]) {
  try {
    if (late.length) sessionStorage.setItem(LATE, JSON.stringify(late.slice(-MOST_LATE)));
    else sessionStorage.removeItem(LATE);
  } catch {
    // storage is disabled
  }
}
