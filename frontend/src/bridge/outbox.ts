// Outbox of a component: user actions, numbered and resent until the server acknowledges them. Covers lost requests,
// preempted runs, broken connections and reloads. The server accepts each number once, so a resend costs a run but
// never repeats the action. Python's side is ui/views/protocol.py.

import { withDueTimers } from "./due_timers.ts";
import { navigatingTo } from "./navigation.ts";
import { isServerIdle, wasReloaded } from "../page/elements.ts";
import { keep, keptValue } from "../page/storage.ts";

export type Action = [number: number, name: string, value: unknown];
/** Acknowledgements by component. */
export type Answers = [tab: string, taken: Record<string, number>] | null | undefined;
/** Acknowledgement for one component. */
export type Answer = [tab: string, number: number] | null | undefined;
/** Actions by component, in order. */
export type Done = Record<string, Action[]>;

/** Whether an older action of the same name, with this value, has no effect any more. */
type Replaces = (value: never) => boolean;

/** A URL, and the actions done there that it does not contain. */
interface Saved {
  address: string;
  done: Done;
}

/** Name of an action that opens another entry of the history: Back is meant to undo it, so it is not repeated there. */
export const OPENS = "open";

const PATIENCE = 1000; // milliseconds that an idle server has to acknowledge before a resend
const MOST_PATIENCE = 16_000; // upper limit of the patience, which doubles with each failed attempt
const MOST_WAITING = 200; // actions of one component; Python accepts as many per message
const TICK = 100; // milliseconds between two checks of the pending actions
const LONGEST_SAVED = 20_000; // characters of a value that survives a reload
const MOST_ADDRESSES = 4; // remembered: a reload may have started with a URL that has been replaced since
const SAVED = "bpe-lab-actions";
const SAVED_EARLIER = "bpe-lab-actions-of-earlier-urls";

let clock = 0; // milliseconds, counted in checks: on a busy page a received answer waits, and so does a resend

/** Outbox of one component, in order; each is kept until it is acknowledged. */
export class Outbox {
  private readonly tab: string;
  number = 0;
  sentUpTo = 0; // numbers
  takenUpTo = 0;
  waiting: Action[] = [];
  taken: Action[] = []; // acknowledged, but not in the URL yet
  private readonly last = new Map<string, unknown>(); // value of the newest action by name
  private replaced: { name: string; upTo: number; replaces: Replaces }[] = []; // actions since the last Back
  /** Mount points; two while Streamlit redraws the component, either of which may remain. */
  private readonly places = new Map<object, Tell>();
  repeated = false; // whether the newest action was queued again: its value belongs to replaced content
  onRepeat: (() => void) | null = null;
  /** Value of an action as it is sent; `isAgain`: the server may not have what was sent before. */
  pack: (action: Action, isAgain: boolean) => unknown = ([, , value]) => value;
  path = ""; // of the page of the newest action
  entry = ""; // of the history, at the newest action
  private sentAt = -Infinity;
  private patience = PATIENCE;

  /** @param tab name of the tab, new after each reload */
  constructor(tab: string) {
    this.tab = tab;
  }

  /** @returns null while the component is not mounted */
  get tell(): Tell | null {
    return [...this.places.values()].at(-1) ?? null;
  }

  /**
   * Queue an action and send it at once, together with all pending ones.
   * @param options `replaces`: drop older actions of this name, see `add`; `paced`: wait until everything sent has been
   *   acknowledged; `urgent`: do not let Streamlit wait for further actions
   */
  act(
    name: string,
    value: unknown,
    {
      replaces = false,
      paced = false,
      urgent = false,
    }: { replaces?: boolean | Replaces; paced?: boolean; urgent?: boolean } = {},
  ) {
    const busy = this.sentUpTo > this.takenUpTo;
    const isNoted = replaces === true && this.isNoted(name, value);
    if (!isNoted) this.add(name, value, replaces);
    this.patience = PATIENCE;
    if (!(paced && busy)) (urgent ? withDueTimers : (send: () => void) => send())(() => this.send());
    if (!isNoted) saveOutboxes();
    watch();
  }

  /**
   * Queue an action so that it survives a reload, without sending it: `act` sends it, or the next resend. Older actions
   * of this name are dropped.
   */
  note(name: string, value: unknown) {
    this.add(name, value, true);
    saveOutboxes();
    watch();
  }

  /** Whether the newest action has this name and value, was done here, and has not been sent. */
  private isNoted(name: string, value: unknown) {
    const [number, of, noted] = this.waiting.at(-1) ?? [0, "", null];
    if (number <= this.sentUpTo || of !== name || this.repeated) return false;
    return this.path === pathNow() && this.entry === nameEntry() && areEqual(noted, value);
  }

  /** @param replaces drop older actions of this name: all, or those with such a value */
  add(name: string, value: unknown, replaces: boolean | Replaces = false) {
    if (replaces) {
      const isMeant = replaces === true ? () => true : replaces;
      this.drop(name, isMeant);
      this.replaced = [...this.replaced.slice(1 - MOST_WAITING), { name, upTo: this.number, replaces: isMeant }];
    }
    this.repeated = false;
    this.path = pathNow();
    this.entry = nameEntry();
    this.last.set(name, value);
    this.number += 1;
    this.waiting.push([this.number, name, value]);
    if (this.waiting.length > MOST_WAITING) this.waiting.shift();
  }

  /** Drop pending actions of this name; their acknowledgement no longer matters. */
  forget(name: string) {
    this.drop(name);
    if (!this.waiting.length) this.sentUpTo = this.takenUpTo; // nothing relevant is in flight
  }

  /** @param isMeant restricts this to actions with a matching value */
  private drop(name: string, isMeant: Replaces = () => true) {
    const stays = (action: Action) => action[1] !== name || !isMeant(action[2] as never);
    this.waiting = this.waiting.filter(stays);
    this.taken = this.taken.filter(stays);
    this.last.delete(name);
  }

  /** @param now in milliseconds */
  private send(now = clock, isAgain = false) {
    if (!this.tell || !this.waiting.length || navigatingTo() !== null) return;
    this.tell("acts", this.nextMessage(now, isAgain));
  }

  /**
   * Message with all pending actions; marks them as sent.
   * @param now in milliseconds
   */
  nextMessage(now = clock, isAgain = false): [tab: string, waiting: Action[]] {
    this.sentAt = now;
    this.sentUpTo = this.number;
    return [this.tab, this.waiting.map((action) => [action[0], action[1], this.pack(action, isAgain)])];
  }

  /**
   * Resend; unchanged the first time, since a busy server may only be slow.
   * @param now in milliseconds
   */
  sendAgain(now?: number) {
    const isAgain = this.patience !== PATIENCE;
    this.patience = Math.min(MOST_PATIENCE, 2 * this.patience);
    this.send(now, isAgain);
  }

  /** Register a mount point: from now on `tell` reaches the server. */
  mounted(place: object, tell: Tell) {
    if (!this.places.size) {
      this.sentUpTo = this.takenUpTo; // nothing is in flight
      this.sentAt = -Infinity; // older pending actions are sent as soon as the page is idle
      this.patience = PATIENCE / 2;
    }
    this.places.delete(place); // moves it to the end
    this.places.set(place, tell);
  }

  /** Unregister a mount point. Acknowledged actions not yet in that page's URL are kept for a reload elsewhere. */
  left(place: object) {
    this.places.delete(place);
  }

  answered(answer: Answer) {
    if (!answer || answer[0] !== this.tab) return;
    if (answer[1] <= this.takenUpTo) return;
    this.takenUpTo = answer[1];
    const isTaken = ([number]: Action) => number <= this.takenUpTo;
    this.taken.push(...this.waiting.filter(isTaken));
    if (this.taken.length > MOST_WAITING) this.taken.splice(0, this.taken.length - MOST_WAITING);
    this.waiting = this.waiting.filter((action) => !isTaken(action));
    this.patience = PATIENCE;
    if (this.takenUpTo >= this.sentUpTo) this.send(); // actions queued since
  }

  /**
   * Mark the actions up to this one as written in the URL.
   * @returns those that are new in the URL
   */
  written(answer: Answer): Action[] {
    this.answered(answer);
    if (answer?.[0] !== this.tab) return [];
    const said = this.taken.filter(([number]) => number <= answer[1]);
    this.taken = this.taken.filter(([number]) => number > answer[1]);
    return said;
  }

  /**
   * Queue actions again, before the pending ones: the server accepted them, and then opened a URL without them. Pending
   * actions that were already sent keep their numbers, and so stay first. Those replaced by an action since the return
   * are left out.
   */
  repeat(actions: Action[]) {
    const undone = actions.filter(
      ([number, of, value]) =>
        !this.replaced.some(({ name, upTo, replaces }) => name === of && number <= upTo && replaces(value as never)),
    );
    if (!undone.length) return;
    const isOther = ([number]: Action) => !undone.some((action) => action[0] === number);
    this.taken = this.taken.filter(isOther);
    this.waiting = this.waiting.filter(isOther);
    const inFlight = this.sentUpTo > this.takenUpTo;
    const later = inFlight ? [] : this.waiting.splice(0);
    for (const [, name, value] of [...undone, ...later]) this.add(name, value);
    this.repeated = true;
    this.onRepeat?.();
  }

  /** Note that the tab has returned to an entry of its history. */
  returned() {
    this.replaced = [];
  }

  /** Whether data that came with this acknowledgement is outdated. */
  isOld(answer: Answer) {
    return answer?.[0] === this.tab && answer[1] < this.takenUpTo;
  }

  /**
   * Value of the newest action of a name that is not reflected in data with this acknowledgement; undefined if there is
   * none.
   */
  ahead(name: string, answer: Answer): unknown {
    return this.isOld(answer) ? this.last.get(name) : this.newest(name);
  }

  /** Value of the newest pending action of a name; undefined if there is none. */
  newest(name: string): unknown {
    return this.waiting.findLast((action) => action[1] === name)?.[2];
  }

  /** Whether an action of this name, or any action, is pending. */
  waits(name?: string) {
    return this.waiting.some((action) => name === undefined || action[1] === name);
  }

  /**
   * Whether the pending actions are due for a resend. An acknowledgement may arrive some time after the server looks
   * idle.
   * @param now in milliseconds
   */
  isDue(now: number, idleSince: number = -Infinity) {
    return this.tell !== null && this.waiting.length > 0 && now >= Math.max(this.sentAt, idleSince) + this.patience;
  }
}

/** Whether two values are equal, or two lists by their parts. */
function areEqual(one: unknown, other: unknown) {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((part, at) => part === other[at]);
}

function pathNow() {
  return globalThis.location?.pathname ?? "";
}

/** Name of the current history entry; it survives changes of its URL. */
export function nameEntry(): string {
  if (!globalThis.history) return "";
  const entry = history.state?.bpeLabEntry ?? crypto.getRandomValues(new Uint32Array(2)).join("-");
  if (!history.state?.bpeLabEntry) history.replaceState({ ...history.state, bpeLabEntry: entry }, "");
  return entry;
}

/** Path and query of the page's URL. */
export function addressNow() {
  return location.pathname + location.search;
}

interface Actions {
  tab: string;
  /** Outboxes by component. */
  of: Map<string, Outbox>;
  /** Actions from before the reload. */
  earlier: Saved[];
  /** Actions from a document that was left without a reload. */
  left: Left | null;
  timer: number;
  idleSince: number;
  /** What is in the storage. */
  saved: string | null;
  savedEarlier: Saved[] | null;
}

/** Actions that the URL of a history entry lacks. */
export interface Left {
  entry: string;
  path: string;
  done: Done;
}

let actionsInTab: Actions | null = null;

/** All actions of this tab; those from before a reload are restored first. */
export function actionsOfTab() {
  if (actionsInTab) return actionsInTab;
  const tab = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("");
  const all: Actions = {
    tab,
    of: new Map(),
    earlier: [],
    left: null,
    timer: 0,
    idleSince: Infinity,
    saved: null,
    savedEarlier: null,
  };
  actionsInTab = all;
  restoreActions();
  return all;
}

/** Outbox of the component with this key. */
export function outboxOf(key: string): Outbox {
  const all = actionsOfTab();
  const actions = all.of.get(key) ?? new Outbox(all.tab);
  all.of.set(key, actions);
  return actions;
}

/** Outbox of a component that has just been mounted. */
export function mountedOutbox(
  key: string,
  { parentElement, setTriggerValue }: Pick<Mount<unknown>, "parentElement" | "setTriggerValue">,
) {
  const actions = outboxOf(key);
  const isNew = actions.tell === null;
  actions.mounted(parentElement, setTriggerValue);
  if (isNew) saveOutboxes(); // the page may have changed
  if (actions.waits()) watch();
  return actions;
}

/**
 * Snapshot of all actions in this tab.
 * @returns whether all of the snapshot is acknowledged, regardless of later actions
 */
export function doneUntilNow(): () => boolean {
  const done = Array.from(actionsOfTab().of.values(), (actions) => ({ actions, upTo: actions.number }));
  return () => done.every(({ actions, upTo }) => actions.takenUpTo >= upTo || !actions.waits());
}

/** Apply the acknowledgements of all components. */
export function takeAcknowledgements(answers: Answers) {
  if (answers) for (const [key, actions] of actionsOfTab().of) actions.answered([answers[0], answers[1][key] ?? 0]);
}

/**
 * Mark acknowledged actions of this page as contained in the URL, from which a reload restores them.
 * @param replaced the previous URL
 */
export function markInAddress(answers: Answers, replaced: string) {
  const all = actionsOfTab();
  const done: Done = {};
  for (const [key, actions] of all.of) if (actions.path === pathNow()) noteDone(done, key, saidOf(actions, key, answers));
  if (replaced !== addressNow()) {
    all.earlier = [...all.earlier, { address: replaced, done }].slice(-MOST_ADDRESSES);
  }
  saveOutboxes();
}

/**
 * Mark acknowledged actions of other pages as contained in the tab's storage, from which a reload restores them.
 * @param isOther by the path of a page
 * @returns them, by the entries whose URL lacks them
 */
export function markInPages(answers: Answers, isOther: (path: string) => boolean): Left[] {
  const elsewhere: Left[] = [];
  for (const [key, actions] of actionsOfTab().of) {
    const { entry, path } = actions;
    const said = isOther(path) ? saidOf(actions, key, answers) : [];
    if (said.length) elsewhere.push({ entry, path, done: { [key]: said } });
  }
  saveOutboxes();
  return elsewhere;
}

function saidOf(actions: Outbox, key: string, answers: Answers) {
  return answers ? actions.written([answers[0], answers[1][key] ?? 0]) : [];
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
  clock += TICK;
  if (!isServerIdle() || navigatingTo() !== null) all.idleSince = Infinity;
  else all.idleSince = Math.min(all.idleSince, clock);
  let waits = false;
  for (const actions of all.of.values()) {
    if (actions.isDue(clock, all.idleSince)) actions.sendAgain();
    waits ||= actions.tell !== null && actions.waits();
  }
  if (waits) all.timer = setTimeout(sendWhatIsDue, TICK);
}

/**
 * Save the actions that are not in the URL yet, for the page that a reload opens. Saved at once: when the page unloads
 * it may be too late, since the next page may already be running. Those of earlier URLs are saved separately: they are
 * many, and change only with the URL.
 */
export function saveOutboxes() {
  const inTab = actionsOfTab();
  const { of, earlier } = inTab;
  const done: Done = {};
  const elsewhere: Saved[] = []; // those of other pages, whose URL is their path
  for (const [key, { taken, waiting, path }] of of) {
    const all = [...taken, ...waiting];
    if (path === pathNow()) noteDone(done, key, all);
    else if (all.length) {
      const there = { address: path, done: {} };
      noteDone(there.done, key, all);
      elsewhere.push(there);
    }
  }
  const here: Saved[] = [{ address: addressNow(), done }];
  const holdsEarlier = holdAny(earlier);
  const text =
    holdsEarlier || holdAny([...here, ...elsewhere]) ? JSON.stringify({ here, elsewhere, entry: nameEntry() }) : null;
  if (inTab.savedEarlier !== earlier) keep("sessionStorage", SAVED_EARLIER, holdsEarlier ? JSON.stringify(earlier) : null);
  if (inTab.saved !== text) keep("sessionStorage", SAVED, text);
  inTab.savedEarlier = earlier;
  inTab.saved = text;
}

function holdAny(saved: Saved[]) {
  return saved.some(({ done }) => Object.keys(done).length);
}

/** Actions done in a history entry that are in no URL. */
export function notInAddress(entry: string) {
  const done: Done = {};
  for (const [key, actions] of actionsOfTab().of) {
    if (actions.entry === entry) noteDone(done, key, [...actions.taken, ...actions.waiting]);
  }
  return done;
}

/** Count actions done in one history entry as done in another. */
export function moveToEntry(from: string, to: string) {
  for (const actions of actionsOfTab().of.values()) if (actions.entry === from) actions.entry = to;
}

/**
 * Count the actions of earlier visits to a page as done in a new entry of it.
 * @returns them, by the entries that they leave
 */
export function moveToVisit(entry: string, path: string): Left[] {
  const left: Left[] = [];
  for (const [key, actions] of actionsOfTab().of) {
    if (actions.path !== path || actions.entry === entry) continue;
    const there: Left = { entry: actions.entry, path, done: {} };
    noteDone(there.done, key, [...actions.taken, ...actions.waiting]);
    left.push(there);
    actions.entry = entry;
  }
  return left;
}

function noteDone(done: Done, key: string, actions: Action[]) {
  for (const action of actions) if (!isTooLongToSave(action[2])) (done[key] ??= []).push(action);
}

function isTooLongToSave(value: unknown) {
  return [value].flat().some((part) => typeof part === "string" && part.length > LONGEST_SAVED);
}

/** Forget the actions from before a reload: in a page without a server all are done. */
export function forgetActions() {
  keep("sessionStorage", SAVED, null);
  keep("sessionStorage", SAVED_EARLIER, null);
}

function restoreActions() {
  const saved = keptValue<{ here?: Saved[]; elsewhere?: Saved[]; entry?: string }>("sessionStorage", SAVED);
  const earlier = keptValue<Saved[]>("sessionStorage", SAVED_EARLIER) ?? [];
  forgetActions();
  if (!saved) return;
  if (!wasReloaded()) {
    const last = saved.here?.at(-1);
    if (last && saved.entry)
      actionsOfTab().left = { entry: saved.entry, path: last.address.split("?")[0], done: last.done };
    return;
  }
  for (const { done } of missingAt(addressNow(), [...earlier, ...(saved.here ?? [])])) addActions(done, pathNow());
  for (const { address, done } of saved.elsewhere ?? []) addActions(done, address);
  saveOutboxes(); // until they are in the URL, also for the next reload
}

/** @param path of the page of these actions */
export function addActions(done: Done, path: string) {
  for (const [key, kept] of Object.entries(done)) {
    const actions = outboxOf(key);
    for (const [, name, value] of kept) actions.add(name, value);
    actions.path = path;
  }
}

/**
 * Saved actions that a page opened at this URL lacks. A reload uses the URL from when it began; actions since then may
 * be contained only in the URL that replaced it.
 * @param saved oldest first
 */
export function missingAt(address: string, saved: Saved[]) {
  const from = saved.findLastIndex((each) => each.address === address);
  if (from >= 0) return saved.slice(from);
  const path = (each: string) => each.split("?")[0];
  return saved.slice(-1).filter((newest) => path(newest.address) === path(address));
}
