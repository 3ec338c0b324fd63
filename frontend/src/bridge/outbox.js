// @ts-check
// Outbox of a component: user actions, numbered and resent until the server acknowledges them. Covers lost requests,
// preempted runs, broken connections and reloads. The server accepts each number once, so a resend costs a run but
// never repeats the action. Python's side is ui/views/protocol.py.

import { navigatingTo } from "./navigation.js";
import { isServerIdle, wasReloaded } from "../page/elements.js";

/** @typedef {[number: number, name: string, value: unknown]} Action */
/** @typedef {[tab: string, taken: Record<string, number>] | null | undefined} Answers acknowledgements by component */
/** @typedef {[tab: string, number: number] | null | undefined} Answer acknowledgement for one component */
/** @typedef {Record<string, [name: string, value: unknown][]>} Done actions by component, in order */
/** @typedef {{ address: string, done: Done }} Saved a URL, and the actions done there that it does not contain */

const PATIENCE = 1000; // milliseconds that an idle server has to acknowledge before a resend
const MOST_PATIENCE = 16_000; // upper limit of the patience, which doubles with each failed attempt
const MOST_WAITING = 200; // actions of one component; Python accepts as many per message
const TICK = 100; // milliseconds between two checks of the pending actions
const LONGEST_SAVED = 20_000; // characters of a value that survives a reload
const MOST_ADDRESSES = 4; // remembered: a reload may have started with a URL that has been replaced since
const SAVED = "bpe-lab-actions";

/** Outbox of one component, in order; each is kept until it is acknowledged. */
export class Outbox {
  /** @param {string} tab name of the tab, new after each reload */
  constructor(tab) {
    this.tab = tab;
    this.number = 0;
    this.sentUpTo = 0; // numbers
    this.takenUpTo = 0;
    /** @type {Action[]} */
    this.waiting = [];
    /** @type {Action[]} */
    this.taken = []; // acknowledged, but not in the URL yet
    /** @type {Map<string, unknown>} */
    this.last = new Map(); // value of the newest action by name
    /** @type {Map<object, Tell>} */
    this.places = new Map(); // mount points; two while Streamlit redraws the component, either of which may remain
    this.path = ""; // of the page of the newest action
    this.sentAt = -Infinity;
    this.patience = PATIENCE;
  }

  /** @returns {Tell | null} null while the component is not mounted */
  get tell() {
    return [...this.places.values()].at(-1) ?? null;
  }

  /**
   * Queue an action and send it at once, together with all pending ones.
   * @param {string} name
   * @param {unknown} value
   * @param {{ replaces?: boolean, paced?: boolean }} [options] `replaces`: drop older actions of this name; `paced`:
   *   wait until everything sent has been acknowledged
   */
  act(name, value, { replaces = false, paced = false } = {}) {
    const busy = this.sentUpTo > this.takenUpTo;
    this.add(name, value, replaces);
    this.patience = PATIENCE;
    if (!(paced && busy)) this.send();
    saveOutboxes();
    watch();
  }

  /**
   * Queue an action so that it survives a reload, without sending it: `act` sends it, or the next resend. Older actions
   * of this name are dropped.
   * @param {string} name
   * @param {unknown} value
   */
  note(name, value) {
    this.add(name, value, true);
    saveOutboxes();
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
   * Drop pending actions of this name; their acknowledgement no longer matters.
   * @param {string} name
   */
  forget(name) {
    this.drop(name);
    if (!this.waiting.length) this.sentUpTo = this.takenUpTo; // nothing relevant is in flight
  }

  /**
   * @param {string} name
   * @param {(value: any) => boolean} [isMeant] restricts this to actions with a matching value
   */
  drop(name, isMeant = () => true) {
    const stays = (/** @type {Action} */ action) => action[1] !== name || !isMeant(action[2]);
    this.waiting = this.waiting.filter(stays);
    this.taken = this.taken.filter(stays);
    this.last.delete(name);
  }

  /** @param {number} [now] in milliseconds */
  send(now = performance.now()) {
    if (!this.tell || !this.waiting.length || navigatingTo() !== null) return;
    this.tell("acts", this.nextMessage(now));
  }

  /**
   * Message with all pending actions; marks them as sent.
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
   * Register a mount point: from now on `tell` reaches the server.
   * @param {object} place
   * @param {Tell} tell
   */
  mounted(place, tell) {
    if (!this.places.size) {
      this.sentUpTo = this.takenUpTo; // nothing is in flight
      this.sentAt = -Infinity; // older pending actions are sent as soon as the page is idle
      this.patience = PATIENCE / 2;
    }
    this.places.delete(place); // moves it to the end
    this.places.set(place, tell);
  }

  /**
   * Unregister a mount point. Acknowledged actions not yet in that page's URL are discarded.
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
    if (this.tell) this.taken.push(...this.waiting.filter(isTaken)); // otherwise the URL of its page is gone
    if (this.taken.length > MOST_WAITING) this.taken.splice(0, this.taken.length - MOST_WAITING);
    this.waiting = this.waiting.filter((action) => !isTaken(action));
    this.patience = PATIENCE;
    if (this.takenUpTo >= this.sentUpTo) this.send(); // actions queued since
  }

  /**
   * Mark the actions up to this one as written in the URL.
   * @param {Answer} answer
   * @returns {Action[]} those that are new in the URL
   */
  written(answer) {
    this.answered(answer);
    if (answer?.[0] !== this.tab) return [];
    const said = this.taken.filter(([number]) => number <= answer[1]);
    this.taken = this.taken.filter(([number]) => number > answer[1]);
    return said;
  }

  /**
   * Whether data that came with this acknowledgement is outdated.
   * @param {Answer} answer
   */
  isOld(answer) {
    return answer?.[0] === this.tab && answer[1] < this.takenUpTo;
  }

  /**
   * Value of the newest action of a name that is not reflected in data with this acknowledgement; undefined if there is
   * none.
   * @param {string} name
   * @param {Answer} answer
   * @returns {unknown}
   */
  ahead(name, answer) {
    return this.isOld(answer) ? this.last.get(name) : this.newest(name);
  }

  /**
   * Value of the newest pending action of a name; undefined if there is none.
   * @param {string} name
   * @returns {unknown}
   */
  newest(name) {
    return this.waiting.findLast((action) => action[1] === name)?.[2];
  }

  /**
   * Whether an action of this name, or any action, is pending.
   * @param {string} [name]
   */
  waits(name) {
    return this.waiting.some((action) => name === undefined || action[1] === name);
  }

  /**
   * Whether the pending actions are due for a resend. An acknowledgement may arrive some time after the server looks
   * idle.
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

/** Path and query of the page's URL. */
export function addressNow() {
  return location.pathname + location.search;
}

/**
 * @typedef {{ tab: string, of: Map<string, Outbox>, earlier: Saved[], left: Left | null, timer: number,
 *   idleSince: number }} Actions
 *   `of`: outboxes by component; `earlier`: actions from before the reload; `left`: from a document left otherwise
 */
/** @typedef {{ entry: string, path: string, done: Done }} Left actions that the URL of a history entry lacks */
/** @type {Actions | null} */
let actionsInTab = null;

/** All actions of this tab; those from before a reload are restored first. */
export function actionsOfTab() {
  if (actionsInTab) return actionsInTab;
  const tab = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("");
  /** @type {Actions} */
  const all = { tab, of: new Map(), earlier: [], left: null, timer: 0, idleSince: Infinity };
  actionsInTab = all;
  restoreActions();
  return all;
}

/**
 * Outbox of the component with this key.
 * @param {string} key
 * @returns {Outbox}
 */
export function outboxOf(key) {
  const all = actionsOfTab();
  const actions = all.of.get(key) ?? new Outbox(all.tab);
  all.of.set(key, actions);
  return actions;
}

/**
 * Outbox of a component that has just been mounted.
 * @param {string} key
 * @param {Pick<Mount<unknown>, "parentElement" | "setTriggerValue">} component
 */
export function mountedOutbox(key, { parentElement, setTriggerValue }) {
  const actions = outboxOf(key);
  const isNew = actions.tell === null;
  actions.mounted(parentElement, setTriggerValue);
  if (isNew) saveOutboxes(); // the page may have changed
  if (actions.waits()) watch();
  return actions;
}

/**
 * Snapshot of all actions in this tab.
 * @returns {() => boolean} whether all of the snapshot is acknowledged, regardless of later actions
 */
export function doneUntilNow() {
  const done = Array.from(actionsOfTab().of.values(), (actions) => ({ actions, upTo: actions.number }));
  return () => done.every(({ actions, upTo }) => actions.takenUpTo >= upTo || !actions.waits());
}

/**
 * Apply the acknowledgements of all components.
 * @param {Answers} answers
 */
export function takeAcknowledgements(answers) {
  if (answers) for (const [key, actions] of actionsOfTab().of) actions.answered([answers[0], answers[1][key] ?? 0]);
}

/**
 * Mark acknowledged actions as contained in the URL, from which a reload restores them.
 * @param {Answers} answers
 * @param {string} replaced the previous URL
 */
export function markInAddress(answers, replaced) {
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
  saveOutboxes();
}

/** Forget earlier URLs: going back in the history undoes the actions that came later. */
export function forgetAddresses() {
  actionsOfTab().earlier = [];
  saveOutboxes();
}

/** Resend due actions periodically while any are pending. */
export function watch() {
  const all = actionsOfTab();
  if (all.timer) return;
  all.idleSince = Infinity; // unknown so far
  all.timer = setTimeout(sendWhatIsDue, TICK);
}

function sendWhatIsDue() {
  const all = actionsOfTab();
  all.timer = 0;
  const now = performance.now();
  if (!isServerIdle() || navigatingTo() !== null) all.idleSince = Infinity;
  else all.idleSince = Math.min(all.idleSince, now);
  let waits = false;
  for (const actions of all.of.values()) {
    if (actions.isDue(now, all.idleSince)) actions.sendAgain(now);
    waits ||= actions.tell !== null && actions.waits();
  }
  if (waits) all.timer = setTimeout(sendWhatIsDue, TICK);
}

/**
 * Save the actions that are not in the URL yet, for the page that a reload opens. Saved at once: when the page unloads
 * it may be too late, since the next page may already be running.
 */
export function saveOutboxes() {
  const { of, earlier } = actionsOfTab();
  /** @type {Done} */
  const done = {};
  /** @type {Saved[]} */
  const elsewhere = []; // pending actions of other pages, whose URL is their path
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
    const entry = globalThis.history?.state?.bpeLabEntry;
    if (holds) sessionStorage.setItem(SAVED, JSON.stringify({ here, elsewhere, entry }));
    else sessionStorage.removeItem(SAVED);
  } catch {
    // storage is disabled
  }
}

/**
 * Actions at this path that are in no URL.
 * @param {string} path
 */
export function notInAddress(path) {
  /** @type {Done} */
  const done = {};
  for (const [key, actions] of actionsOfTab().of) {
    if (actions.path === path) noteDone(done, key, [...actions.taken, ...actions.waiting]);
  }
  return done;
}

/**
 * Queue these actions after a return to a history entry whose URL lacks them, instead of those pending at this path.
 * @param {Done} done
 * @param {string} path
 */
export function resend(done, path) {
  for (const actions of actionsOfTab().of.values()) if (actions.path === path) actions.waiting = [];
  addActions(done, path);
  saveOutboxes();
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
  /** @type {{ here?: Saved[], elsewhere?: Saved[], entry?: string }} */
  let saved;
  try {
    saved = JSON.parse(sessionStorage.getItem(SAVED) ?? "{}");
    sessionStorage.removeItem(SAVED);
  } catch {
    return;
  }
  if (!wasReloaded()) {
    const last = saved.here?.at(-1);
    if (last && saved.entry) actionsOfTab().left = { entry: saved.entry, path: last.address.split("?")[0], done: last.done };
    return;
  }
  for (const { done } of missingAt(addressNow(), saved.here ?? [])) addActions(done, pathNow());
  for (const { address, done } of saved.elsewhere ?? []) addActions(done, address);
  saveOutboxes(); // until they are in the URL, also for the next reload
}

/**
 * @param {Done} done
 * @param {string} path of the page of these actions
 */
function addActions(done, path) {
  for (const [key, kept] of Object.entries(done)) {
    const actions = outboxOf(key);
    for (const [name, value] of kept) actions.add(name, value);
    actions.path = path;
  }
}

/**
 * Saved actions that a page opened at this URL lacks. A reload uses the URL from when it began; actions since then may
 * be contained only in the URL that replaced it.
 * @param {string} address
 * @param {Saved[]} saved oldest first
 */
export function missingAt(address, saved) {
  const from = saved.findLastIndex((each) => each.address === address);
  if (from >= 0) return saved.slice(from);
  const path = (/** @type {string} */ each) => each.split("?")[0];
  return saved.slice(-1).filter((newest) => path(newest.address) === path(address));
}
