// Keeps the URL in step with the page. Replaces the current history entry, so that Back leaves the page rather than
// undoing a step; only a switch to another lesson adds one. The URL lacks the state of other pages and the latest
// state of this one: sessionStorage keeps both for a reload.

import { addressNow, forgetAddresses, takeAcknowledgements, markInAddress, markInPages, type Outbox } from "../../bridge/outbox.ts";
import { forgetWritten, keepLate, repeatUndone, showEntry } from "../../bridge/entries.ts";
import { wasReloaded } from "../../page/elements.ts";
import { keep, keptValue } from "../../page/storage.ts";
import { PAGES } from "../../bridge/restore.ts";
import { View } from "../../bridge/view.ts";
import { readHead } from "../../bridge/payload.ts";
import { Pace } from "./pace.ts";
import { isAnotherPlace, isHere, queryOf, type AddressData } from "./query.ts";

let outbox: Outbox | null = null; // of the current page

interface Tab {
  pace: Pace;
  timer: number | undefined;
  waiting: AddressData | null;
  shown: AddressData | null;
  popped: boolean;
  listens: boolean;
  resumed: boolean;
  order: [series: string, number: number];
  popOrder: [series: string, number: number]; // at the last Back or Forward
}

/** Shared by all mounts in a tab: every page mounts the component again. */
const tab: Tab = {
  pace: new Pace(),
  timer: undefined,
  waiting: null,
  shown: null,
  popped: false,
  listens: false,
  resumed: false,
  order: ["", 0],
  popOrder: ["", 0],
};

export class Address extends View {
  private known = ""; // the last data, as text

  update(component: Mount) {
    const data = readHead<AddressData>(component.data);
    takeAcknowledgements(data.done);
    if (data.others) this.mountPage(component, data.name);
    const text = JSON.stringify(data);
    if (this.known === text) return; // only the theme changed; the data may be outdated
    this.known = text;
    if (!tab.listens) listen();
    const isOld = data.order[0] === tab.order[0] && data.order[1] < tab.order[1];
    keepPages(data, isOld);
    if (data.others) keepLate(markInPages(data.done, (path) => !isHere(path, data)));
    const isSincePop = data.order[0] !== tab.popOrder[0] || data.order[1] >= tab.popOrder[1];
    if (data.undone && isSincePop && isHere(location.pathname, data)) repeatUndone(data.undone);
    if (isOld) return; // drawn late: this page already shows newer data
    tab.order = data.order;
    tab.waiting = data;
    clearTimeout(tab.timer);
    const wait = tab.pace.wait(performance.now());
    if (wait === 0) write();
    else tab.timer = setTimeout(write, wait);
  }

  /**
   * Mount the outbox of a page: choices made on one page belong to its widgets. A pending report on other pages moves
   * to the next page's outbox.
   */
  private mountPage(component: Mount, name: string) {
    const before = outbox;
    outbox = this.mountOutbox(`address: ${name}`, component);
    const untold = before === outbox ? undefined : before?.newest("resume");
    if (!untold) return;
    before?.forget("resume");
    outbox.act("resume", untold, { replaces: true });
  }
}

function listen() {
  tab.listens = true;
  addEventListener("popstate", () => {
    tab.popped = true;
    tab.popOrder = tab.order;
    forgetAddresses();
  });
  addEventListener("pagehide", write);
  addEventListener("bpe-lab-write-address", write);
}

/**
 * Save the state of all pages, including this one before its URL is set; report it to the server after a reload.
 * @param isOld whether this page already shows newer data
 */
function keepPages({ page, query, others }: AddressData, isOld: boolean) {
  const kept = keptValue<Record<string, string>>("sessionStorage", PAGES) ?? {};
  const shown = isOld ? (kept[page] ?? query) : query;
  if (!tab.resumed && wasReloaded()) {
    if (!others) return; // a fragment's update: nothing is reported to the server
    if (queryOf(location.search, kept[page] ?? "") === location.search) delete kept[page];
    if (Object.keys(kept).length) outbox?.act("resume", kept, { replaces: true });
  }
  tab.resumed = true;
  const untold = outbox?.newest("resume") as object | undefined;
  keep("sessionStorage", PAGES, JSON.stringify({ ...(others ?? kept), [page]: shown, ...untold }));
}

function write() {
  const data = tab.waiting;
  tab.waiting = null;
  if (!data || !isHere(location.pathname, data)) return; // the page has changed since
  if (data.language) document.documentElement.lang = data.language;
  document.documentElement.dataset.link = data.whole ? "whole" : "too long";
  const query = queryOf(location.search, data.query);
  const moved = isAnotherPlace(tab.shown, data) && !tab.popped;
  tab.shown = data;
  tab.popped = false;
  const before = addressNow();
  if (location.search !== query) {
    tab.pace.changed(performance.now());
    const address = location.pathname + query;
    if (moved) {
      history.pushState({ ...history.state, bpeLabEntry: undefined }, "", address);
      document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0); // another lesson begins at its top
    } else history.replaceState(history.state, "", address);
  }
  showEntry();
  forgetWritten(data.done);
  markInAddress(data.done, before);
}
