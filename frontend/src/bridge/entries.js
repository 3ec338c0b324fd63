// @ts-check
// Entries of the tab's history. An entry cannot be changed after leaving it, so actions missing from its URL are
// repeated on return by Back or Forward. As after a reload, the URL is applied first.

import { resend, notInAddress } from "./outbox.js";

const LATE = "bpe-lab-left-entries";
const MOST_LATE = 20;

/** @typedef {{ entry: string, path: string }} Entry in the tab's history */
/** @typedef {Entry & { done: import("./outbox.js").Done }} Late actions that the entry's URL lacks */

/** @type {Entry | null} */
let current = null; // entry of the history that the tab shows

/** Start listening. Call this before the app's own scripts run. */
export function watchHistory() {
  addEventListener("popstate", onPop);
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
  let late = readLate();
  if (left && left.path !== path) {
    const done = notInAddress(left.path);
    if (Object.keys(done).length) late.push({ ...left, done });
  }
  const entry = history.state?.bpeLabEntry;
  const here = late.find((each) => each.entry === entry && each.path === path);
  if (here) resend(here.done, path);
  late = late.filter((each) => each !== here);
  saveLate(late);
  current = entry ? { entry, path } : null;
}

/** @returns {Late[]} */
function readLate() {
  try {
    return JSON.parse(sessionStorage.getItem(LATE) ?? "[]");
  } catch {
    return []; // storage is disabled
  }
}

/** @param {Late[]} late */
function saveLate(late) {
  try {
    if (late.length) sessionStorage.setItem(LATE, JSON.stringify(late.slice(-MOST_LATE)));
    else sessionStorage.removeItem(LATE);
  } catch {
    // storage is disabled
  }
}
