// @ts-check
// Keeps the address bar at the link to what is shown. Replaces the current history entry, so that Back leaves the
// page and not the last step; only another lesson is a place of its own. What the other pages show is in no address,
// and what this one shows is not there at once: the tab keeps it for the page that a reload opens.

import { addressNow, forgetAddresses, mountedActions, takeAnswers, writtenInAddress } from "../actions.js";
import { untilNextCall } from "../calls.js";
import { nameEntry } from "../entries.js";
import { wasReloaded } from "../page.js";
import { drawn } from "../relayed.js";
import { PAGES } from "../reopened.js";
import { readHead } from "../tokens/payload.js";
import { Pace } from "./pace.js";
import { isAnotherPlace, isHere, queryOf } from "./query.js";

/** @typedef {import("./query.js").AddressData} AddressData */

/** @type {import("../actions.js").Actions | null} */
let outbox = null; // of the page that is shown

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
  order: ["", 0],
});

/** @type {WeakMap<HTMLElement, import("../actions.js").Actions>} */
const outboxes = new WeakMap(); // of pages, by where their addresses are

/** @param {Mount} component */
export default function (component) {
  const place = component.parentElement;
  untilNextCall(place, drawn(component, follow));
  return () => outboxes.get(place)?.left(place);
}

/** @param {Mount} component */
function follow(component) {
  const { data: sent, parentElement } = component;
  /** @type {AddressData} */
  const data = readHead(sent);
  takeAnswers(data.done);
  if (data.others) mountOutbox(component, data.name);
  const text = JSON.stringify(data);
  if (tab.known.get(parentElement) === text) return; // a change of theme, with what may be old by now
  tab.known.set(parentElement, text);
  if (!tab.listens) listen();
  const isOld = data.order[0] === tab.order[0] && data.order[1] < tab.order[1];
  keepPages(data, isOld);
  if (isOld) return; // what a run said that ended before a shorter one came, shown after it
  tab.order = data.order;
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
 * The tab keeps what its pages show, this one before it is in the address, and tells it when it is loaded again.
 * @param {AddressData} data
 * @param {boolean} isOld whether this page shows something newer
 */
function keepPages({ page, query, others }, isOld) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(PAGES) ?? "{}");
    const shown = isOld ? (kept[page] ?? query) : query;
    if (!tab.resumed && wasReloaded()) {
      if (!others) return; // a part of the page, which the server is not told by
      if (queryOf(location.search, kept[page] ?? "") === location.search) delete kept[page];
      if (Object.keys(kept).length) outbox?.act("resume", kept, { replaces: true });
    }
    tab.resumed = true;
    const untold = /** @type {object | undefined} */ (outbox?.newest("resume"));
    sessionStorage.setItem(PAGES, JSON.stringify({ ...(others ?? kept), [page]: shown, ...untold }));
  } catch {
    // a browser that keeps nothing
  }
}

/**
 * Each page has an outbox: what was chosen on one is for its widgets. What the server does not know of all pages yet
 * goes along to the next page.
 * @param {Mount} component
 * @param {string} name
 */
function mountOutbox(component, name) {
  const before = outbox;
  outbox = mountedActions(`address: ${name}`, component);
  outboxes.set(component.parentElement, outbox);
  const untold = before === outbox ? undefined : before?.newest("resume");
  if (!untold) return;
  before?.forget("resume");
  outbox.act("resume", untold, { replaces: true });
}

function write() {
  const data = tab.waiting;
  tab.waiting = null;
  if (!data || !isHere(location.pathname, data)) return; // the page was left meanwhile
  if (data.language) document.documentElement.lang = data.language;
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
  nameEntry();
  writtenInAddress(data.done, before);
}
