// @ts-check
// Entries of the tab's history. One that was left cannot be changed any more, so what its address did not hold by then
// is done again when Back or Forward leads to it: as after a reload, its address comes first.

import { doAgain, unwrittenAt } from "./actions.js";

const LATE = "bpe-lab-left-entries";
const MOST_LATE = 20;

/** @typedef {{ entry: string, path: string }} Entry shown by the tab */
/** @typedef {Entry & { done: import("./actions.js").Done }} Late what was done there that its address does not hold */

/** Begins to listen, once for a tab. Run this before the app's own scripts. */
export function watchHistory() {
  addEventListener("popstate", onPop);
}

/** Names the entry that the tab shows; its name stays when its address changes. */
export function nameEntry() {
  const entry = history.state?.bpeLabEntry ?? crypto.getRandomValues(new Uint32Array(2)).join("-");
  if (!history.state?.bpeLabEntry) history.replaceState({ ...history.state, bpeLabEntry: entry }, "");
  window.bpeLabEntry = { entry, path: location.pathname };
}

function onPop() {
  const left = window.bpeLabEntry;
  const path = location.pathname;
  let late = readLate();
  if (left && left.path !== path) {
    const done = unwrittenAt(left.path);
    if (Object.keys(done).length) late.push({ ...left, done });
  }
  const entry = history.state?.bpeLabEntry;
  const here = late.find((each) => each.entry === entry && each.path === path);
  if (here) doAgain(here.done, path);
  late = late.filter((each) => each !== here);
  saveLate(late);
  window.bpeLabEntry = entry ? { entry, path } : null;
}

/** @returns {Late[]} */
function readLate() {
  try {
    return JSON.parse(sessionStorage.getItem(LATE) ?? "[]");
  } catch {
    return []; // a browser that keeps nothing
  }
}

/** @param {Late[]} late */
function saveLate(late) {
  try {
    if (late.length) sessionStorage.setItem(LATE, JSON.stringify(late.slice(-MOST_LATE)));
    else sessionStorage.removeItem(LATE);
  } catch {
    // a browser that keeps nothing
  }
}
