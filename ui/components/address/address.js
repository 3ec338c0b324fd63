// @ts-check
// Keeps the address bar at the link to what is shown. Replaces the current history entry, so that Back leaves the
// page and not the last step; only another lesson is a place of its own. What the other pages show is in no address:
// the tab keeps it for the page that a reload opens.

import { addressNow, forgetAddresses, mountedActions, takeAnswers, writtenInAddress } from "../actions.js";
import { wasReloaded } from "../page.js";
import { drawn } from "../relayed.js";
import { readHead } from "../tokens/payload.js";
import { Pace } from "./pace.js";
import { isAnotherPlace, isHere, queryOf } from "./query.js";

/** @typedef {import("./query.js").AddressData} AddressData */

const OTHERS = "bpe-lab-other-pages";

/** @type {import("../actions.js").Actions | null} */
let resuming = null;

// what all addresses of a tab share: the component is mounted anew with every page
const tab = (window.bpeLabAddress ??= {
  pace: new Pace(),
  timer: 0,
  waiting: null,
  shown: null,
  popped: false,
  listens: false,
  resumed: false,
  known: new WeakMap(),
});

/** @param {Mount} component */
export default function (component) {
  const end = drawn(component, follow);
  return () => {
    end();
    resuming?.left(component.parentElement);
  };
}

/** @param {Mount} component */
function follow(component) {
  const { data: sent, parentElement } = component;
  /** @type {AddressData} */
  const data = readHead(sent);
  takeAnswers(data.done);
  const text = JSON.stringify(data);
  if (tab.known.get(parentElement) === text) return; // a change of theme, with what may be old by now
  tab.known.set(parentElement, text);
  if (!tab.listens) listen();
  if (data.others) keepOthers(component, data);
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

/**
 * @param {Mount} component
 * @param {AddressData} data
 */
function keepOthers(component, { name, page, others }) {
  const actions = mountedActions(`address: ${name}`, component);
  resuming = actions;
  try {
    if (!tab.resumed && wasReloaded()) {
      const kept = JSON.parse(sessionStorage.getItem(OTHERS) ?? "{}");
      delete kept[page]; // its own address is newer
      if (Object.keys(kept).length) actions.act("resume", kept, { replaces: true });
    }
    tab.resumed = true;
    const waiting = /** @type {object | undefined} */ (actions.newest("resume"));
    sessionStorage.setItem(OTHERS, JSON.stringify({ ...waiting, ...others }));
  } catch {
    // a browser that keeps nothing
  }
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
