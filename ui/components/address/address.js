// @ts-check
// Keeps the address bar at the link to what is shown. Replaces the current history entry, so that Back leaves the
// page and not the last step; only another lesson is a place of its own.

import { addressNow, forgetAddresses, takeAnswers, writtenInAddress } from "../actions.js";
import { drawn } from "../relayed.js";
import { readHead } from "../tokens/payload.js";
import { Pace } from "./pace.js";
import { isAnotherPlace, isHere, queryOf } from "./query.js";

/** @typedef {import("./query.js").AddressData} AddressData */

// what all addresses of a tab share: the component is mounted anew with every page
const tab = (window.bpeLabAddress ??= {
  pace: new Pace(),
  timer: 0,
  waiting: null,
  shown: null,
  popped: false,
  listens: false,
  known: new WeakMap(),
});

/** @param {Mount} component */
export default function (component) {
  return drawn(component, follow);
}

/** @param {Mount} component */
function follow({ data: sent, parentElement }) {
  /** @type {AddressData} */
  const data = readHead(sent);
  takeAnswers(data.done);
  const text = JSON.stringify(data);
  if (tab.known.get(parentElement) === text) return; // a change of theme, with what may be old by now
  tab.known.set(parentElement, text);
  if (!tab.listens) listen();
  tab.waiting = data;
  clearTimeout(tab.timer);
  const wait = tab.pace.wait(performance.now());
  if (wait === 0) write();
  else tab.timer = setTimeout(write, wait);
}

function listen() {
  tab.listens = true;
  addEventListener("popstate", () => {
    tab.popped = true;
    forgetAddresses();
  });
  addEventListener("pagehide", write);
  addEventListener("bpe-lab-write-address", write);
}

function write() {
  const data = tab.waiting;
  tab.waiting = null;
  if (!data || !isHere(location.pathname, data)) return; // the page was left meanwhile
  document.documentElement.dataset.link = data.whole ? "whole" : "too long";
  const query = queryOf(location.search, data.query);
  const moved = isAnotherPlace(tab.shown, data) && !tab.popped;
  tab.shown = data;
  tab.popped = false;
  const before = addressNow();
  if (location.search !== query) {
    tab.pace.changed(performance.now());
    history[moved ? "pushState" : "replaceState"](history.state, "", location.pathname + query);
  }
  writtenInAddress(data.done, before);
}
