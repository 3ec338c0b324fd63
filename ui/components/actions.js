// @ts-check
// What a visitor does in a component, as numbered actions: each is sent until the server's answer says that it was
// taken, also when a request is lost, a run ends early, the connection breaks or the page is loaded again meanwhile.
// The server takes no number twice, so sending too often costs a run but never acts again. Python's side: exchange.py.

import { leavingFor } from "./leaving.js";
import { isServerIdle, wasReloaded } from "./page.js";

/** @typedef {[number: number, name: string, value: unknown]} Action */
/** @typedef {[tab: string, taken: Record<string, number>] | null | undefined} Answers by component */
/** @typedef {[tab: string, number: number] | null | undefined} Answer */
/** @typedef {Record<string, [name: string, value: unknown][]>} Done by component, in their order */
/** @typedef {{ address: string, done: Done }} Saved an address, and what was done there that it does not hold */

const PATIENCE = 1000; // milliseconds after which an idle server is sent again what it did not answer
const MOST_PATIENCE = 16_000; // each time in vain doubles the patience, up to this
const MOST_WAITING = 200; // actions of one component; Python takes as many of a message
const TICK = 100; // milliseconds between two looks at what waits
const LONGEST_SAVED = 20_000; // characters of a value that a reload takes along
const MOST_ADDRESSES = 4; // that are remembered: a reload may be on its way with one that was replaced since
const SAVED = "bpe-lab-actions";

/** The actions of one component: in their order, each until it is taken. */
export class Actions {
  /** @param {string} tab the name of the tab: a page that is loaded again has another one */
  constructor(tab) {
    this.tab = tab;
    this.number = 0;
    this.sentUpTo = 0; // numbers
    this.takenUpTo = 0;
    /** @type {Action[]} */
    this.waiting = [];
    /** @type {Action[]} */
    this.taken = []; // but not in the address yet
    /** @type {Map<string, unknown>} */
    this.last = new Map(); // the value of the newest action of each name
    /** @type {Map<object, Tell>} */
    this.places = new Map(); // where it is on the page: while that is drawn anew in two, either of which may stay
    this.path = ""; // of the page where the newest action was done
    this.sentAt = -Infinity;
    this.patience = PATIENCE;
  }

  /** @returns {Tell | null} null while the component is not on the page */
  get tell() {
    return [...this.places.values()].at(-1) ?? null;
  }

  /**
   * Do something: it is sent at once, with whatever still waits.
   * @param {string} name
   * @param {unknown} value
   * @param {{ replaces?: boolean, paced?: boolean }} [options] `replaces`: only the newest of this name counts;
   *   `paced`: it is sent when those that are on their way have been answered
   */
  act(name, value, { replaces = false, paced = false } = {}) {
    const busy = this.sentUpTo > this.takenUpTo;
    this.add(name, value, replaces);
    this.patience = PATIENCE;
    if (!(paced && busy)) this.send();
    saveActions();
    watch();
  }

  /**
   * Note what is about to be done, so that a reload takes it along: it is sent by `act`, or by itself a while later.
   * Only the newest of this name counts.
   * @param {string} name
   * @param {unknown} value
   */
  note(name, value) {
    this.add(name, value, true);
    saveActions();
    watch();
  }

  /**
   * @param {string} name
   * @param {unknown} value
   * @param {boolean} [replaces]
   */
  add(name, value, replaces = false) {
    if (replaces) this.drop(name);
    this.path = pathNow();
    this.last.set(name, value);
    this.number += 1;
    this.waiting.push([this.number, name, value]);
    if (this.waiting.length > MOST_WAITING) this.waiting.shift();
  }

  /**
   * Forget what was done of a name: whether the server takes it is nothing to anybody any more.
   * @param {string} name
   */
  forget(name) {
    this.drop(name);
    if (!this.waiting.length) this.sentUpTo = this.takenUpTo; // nothing that counts is on its way
  }

  /**
   * @param {string} name
   * @param {(value: any) => boolean} [isMeant] of the actions of this name only those with such a value
   */
  drop(name, isMeant = () => true) {
    const stays = (/** @type {Action} */ action) => action[1] !== name || !isMeant(action[2]);
    this.waiting = this.waiting.filter(stays);
    this.taken = this.taken.filter(stays);
    this.last.delete(name);
  }

  /** @param {number} [now] in milliseconds */
  send(now = performance.now()) {
    if (!this.tell || !this.waiting.length || leavingFor() !== null) return;
    this.tell("acts", this.nextMessage(now));
  }

  /**
   * Everything that waits, as it is sent now.
   * @param {number} now in milliseconds
   * @returns {[tab: string, waiting: Action[]]}
   */
  nextMessage(now) {
    this.sentAt = now;
    this.sentUpTo = this.number;
    return [this.tab, this.waiting];
  }

  /** @param {number} [now] in milliseconds */
  sendAgain(now) {
    this.patience = Math.min(MOST_PATIENCE, 2 * this.patience);
    this.send(now);
  }

  /**
   * The component is on the page: from now on `tell` reaches the server.
   * @param {object} place
   * @param {Tell} tell
   */
  mounted(place, tell) {
    if (!this.places.size) {
      this.sentUpTo = this.takenUpTo; // nothing is on its way
      this.sentAt = -Infinity; // what waits since before is sent as soon as the page is idle
      this.patience = PATIENCE / 2;
    }
    this.places.delete(place); // to be the newest
    this.places.set(place, tell);
  }

  /**
   * The component has left this place. What the address of that page was to hold is nothing to the next one.
   * @param {object} place
   */
  left(place) {
    if (this.places.delete(place) && !this.places.size) this.taken = [];
  }

  /** @param {Answer} answer */
  answered(answer) {
    if (!answer || answer[0] !== this.tab) return;
    if (answer[1] <= this.takenUpTo) return;
    this.takenUpTo = answer[1];
    const isTaken = (/** @type {Action} */ [number]) => number <= this.takenUpTo;
    if (this.tell) this.taken.push(...this.waiting.filter(isTaken)); // else the address of its page is gone
    if (this.taken.length > MOST_WAITING) this.taken.splice(0, this.taken.length - MOST_WAITING);
    this.waiting = this.waiting.filter((action) => !isTaken(action));
    this.patience = PATIENCE;
    if (this.takenUpTo >= this.sentUpTo) this.send(); // what came meanwhile
  }

  /**
   * The address says all that was taken up to this action.
   * @param {Answer} answer
   * @returns {Action[]} what it says since now
   */
  written(answer) {
    this.answered(answer);
    if (answer?.[0] !== this.tab) return [];
    const said = this.taken.filter(([number]) => number <= answer[1]);
    this.taken = this.taken.filter(([number]) => number > answer[1]);
    return said;
  }

  /**
   * Whether what came with this answer is older than what is known to be taken.
   * @param {Answer} answer
   */
  isOld(answer) {
    return answer?.[0] === this.tab && answer[1] < this.takenUpTo;
  }

  /**
   * The value of the newest action of a name that what came with this answer does not show; undefined where it shows all.
   * @param {string} name
   * @param {Answer} answer
   * @returns {unknown}
   */
  ahead(name, answer) {
    return this.isOld(answer) ? this.last.get(name) : this.newest(name);
  }

  /**
   * The value of the newest action of a name that waits; undefined where none does.
   * @param {string} name
   * @returns {unknown}
   */
  newest(name) {
    return this.waiting.findLast((action) => action[1] === name)?.[2];
  }

  /**
   * Whether an action waits, of this name or of any.
   * @param {string} [name]
   */
  waits(name) {
    return this.waiting.some((action) => name === undefined || action[1] === name);
  }

  /**
   * Whether an idle server has to be sent again what waits. Its answer may arrive a while after it looks idle.
   * @param {number} now in milliseconds
   * @param {number} [idleSince]
   */
  isDue(now, idleSince = -Infinity) {
    return this.tell !== null && this.waiting.length > 0 && now >= Math.max(this.sentAt, idleSince) + this.patience;
  }
}

function pathNow() {
  return globalThis.location?.pathname ?? "";
}

/** The address of the page, from its path on. */
export function addressNow() {
  return location.pathname + location.search;
}

/** What all components of a tab share, each of which is a module of its own. */
function actionsOfTab() {
  if (window.bpeLabActions) return window.bpeLabActions;
  const tab = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("");
  /** @type {NonNullable<Window["bpeLabActions"]>} */
  const all = { tab, of: new Map(), earlier: [], timer: 0, idleSince: Infinity };
  window.bpeLabActions = all;
  restoreActions();
  return all;
}

/**
 * The actions of the component with this key.
 * @param {string} key
 * @returns {Actions}
 */
export function actionsOf(key) {
  const all = actionsOfTab();
  const actions = all.of.get(key) ?? new Actions(all.tab);
  all.of.set(key, actions);
  return actions;
}

/**
 * The actions of a component that is on the page now.
 * @param {string} key
 * @param {Pick<Mount<unknown>, "parentElement" | "setTriggerValue">} component
 */
export function mountedActions(key, { parentElement, setTriggerValue }) {
  const actions = actionsOf(key);
  const isNew = actions.tell === null;
  actions.mounted(parentElement, setTriggerValue);
  if (isNew) saveActions(); // the page may be another one
  if (actions.waits()) watch();
  return actions;
}

/**
 * All that was done in this tab until now.
 * @returns {() => boolean} whether the server has taken it by then, whatever is done meanwhile
 */
export function doneUntilNow() {
  const done = Array.from(actionsOfTab().of.values(), (actions) => ({ actions, upTo: actions.number }));
  return () => done.every(({ actions, upTo }) => actions.takenUpTo >= upTo || !actions.waits());
}

/**
 * The server says what it took, of every component.
 * @param {Answers} answers
 */
export function takeAnswers(answers) {
  if (answers) for (const [key, actions] of actionsOfTab().of) actions.answered([answers[0], answers[1][key] ?? 0]);
}

/**
 * The address holds what the server took: a page that is loaded again shows it.
 * @param {Answers} answers
 * @param {string} replaced the address that was here before
 */
export function writtenInAddress(answers, replaced) {
  const all = actionsOfTab();
  /** @type {Done} */
  const done = {};
  if (answers) {
    for (const [key, actions] of all.of) noteDone(done, key, actions.written([answers[0], answers[1][key] ?? 0]));
  }
  if (replaced !== addressNow()) {
    all.earlier.push({ address: replaced, done });
    all.earlier.splice(0, all.earlier.length - MOST_ADDRESSES);
  }
  saveActions();
}

/** The visitor went back to an address of before: what was done there later is undone by it. */
export function forgetAddresses() {
  actionsOfTab().earlier = [];
  saveActions();
}

/** Looks from time to time whether something has to be sent again, as long as anything waits. */
export function watch() {
  const all = actionsOfTab();
  if (all.timer) return;
  all.idleSince = Infinity; // nobody has looked meanwhile
  all.timer = setTimeout(sendWhatIsDue, TICK);
}

function sendWhatIsDue() {
  const all = actionsOfTab();
  all.timer = 0;
  const now = performance.now();
  if (!isServerIdle() || leavingFor() !== null) all.idleSince = Infinity;
  else all.idleSince = Math.min(all.idleSince, now);
  let waits = false;
  for (const actions of all.of.values()) {
    if (actions.isDue(now, all.idleSince)) actions.sendAgain(now);
    waits ||= actions.tell !== null && actions.waits();
  }
  if (waits) all.timer = setTimeout(sendWhatIsDue, TICK);
}

/**
 * What is not in the address yet is kept for the page that a reload opens. At once: while the page is left it may be
 * too late, the next one can be there already.
 */
export function saveActions() {
  const { of, earlier } = actionsOfTab();
  /** @type {Done} */
  const done = {};
  /** @type {Saved[]} */
  const elsewhere = []; // what other pages wait for, whose address is their path
  for (const [key, { taken, waiting, path }] of of) {
    if (path === pathNow()) noteDone(done, key, [...taken, ...waiting]);
    else if (waiting.length) {
      const there = { address: path, done: {} };
      noteDone(there.done, key, waiting);
      elsewhere.push(there);
    }
  }
  const here = [...earlier, { address: addressNow(), done }];
  try {
    const holds = [...here, ...elsewhere].some((each) => Object.keys(each.done).length);
    if (holds) sessionStorage.setItem(SAVED, JSON.stringify({ here, elsewhere }));
    else sessionStorage.removeItem(SAVED);
  } catch {
    // a browser that keeps nothing
  }
}

/**
 * What was done at this path and is in no address.
 * @param {string} path
 */
export function unwrittenAt(path) {
  /** @type {Done} */
  const done = {};
  for (const [key, actions] of actionsOfTab().of) {
    if (actions.path === path) noteDone(done, key, [...actions.taken, ...actions.waiting]);
  }
  return done;
}

/**
 * The tab shows an address again that does not hold this: it waits for its page, instead of what waits there.
 * @param {Done} done
 * @param {string} path
 */
export function doAgain(done, path) {
  for (const actions of actionsOfTab().of.values()) if (actions.path === path) actions.waiting = [];
  addActions(done, path);
  saveActions();
}

/**
 * @param {Done} done
 * @param {string} key
 * @param {Action[]} actions
 */
function noteDone(done, key, actions) {
  for (const [, name, value] of actions) {
    if (!isTooLongToSave(value)) (done[key] ??= []).push([name, value]);
  }
}

/** @param {unknown} value */
function isTooLongToSave(value) {
  return [value].flat().some((part) => typeof part === "string" && part.length > LONGEST_SAVED);
}

function restoreActions() {
  /** @type {{ here?: Saved[], elsewhere?: Saved[] }} */
  let saved;
  try {
    saved = JSON.parse(sessionStorage.getItem(SAVED) ?? "{}");
    sessionStorage.removeItem(SAVED);
  } catch {
    return;
  }
  if (!wasReloaded()) return;
  for (const { done } of missingAt(addressNow(), saved.here ?? [])) addActions(done, pathNow());
  for (const { address, done } of saved.elsewhere ?? []) addActions(done, address);
  saveActions(); // until they are in the address, also for the next reload
}

/**
 * @param {Done} done
 * @param {string} path of the page where it was done
 */
function addActions(done, path) {
  for (const [key, kept] of Object.entries(done)) {
    const actions = actionsOf(key);
    for (const [name, value] of kept) actions.add(name, value);
    actions.path = path;
  }
}

/**
 * What a page that is opened at this address does not show. A reload takes the address that was there when it began,
 * and what was done since then may have been written into the next one.
 * @param {string} address
 * @param {Saved[]} saved the newest last
 */
export function missingAt(address, saved) {
  const from = saved.findLastIndex((each) => each.address === address);
  if (from >= 0) return saved.slice(from);
  const path = (/** @type {string} */ each) => each.split("?")[0];
  return saved.slice(-1).filter((newest) => path(newest.address) === path(address));
}
