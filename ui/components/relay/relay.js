// @ts-check
// A relay shows nothing itself: it brings other views what they draw. What is of the next step waits until the player
// shows that; then what comes of the step before is too late.

import { untilNextCall } from "../calls.js";
import { stepToFollow, whenLed } from "../following.js";
import { bring, leave } from "../relayed.js";
import { readHead, readTogether } from "../tokens/payload.js";

/** @typedef {[of: string, step: number]} Place a training by its name, and a step of it */
/** @typedef {[name: string, frame: Uint8Array][]} Frames */

const EARLY = "early: "; // as component.py writes it in front of the names of what is of the next step

/** @type {{ of: string, step: number, names: Set<string> } | null} */
let shownEarly = null; // what was brought before the server was asked for it

/**
 * Whether a frame is of another step than what was brought early, which the player still shows.
 * @param {Place | null} at
 * @param {string} name
 */
function isLate(at, name) {
  if (!at || !shownEarly?.names.has(name)) return false;
  return at[1] !== shownEarly.step && stepToFollow(shownEarly.of) === shownEarly.step;
}

/** @param {Mount} component */
export default function ({ data, parentElement }) {
  /** @type {{ at: Place | null }} */
  const { at } = readHead(data);
  const all = readTogether(data);
  const frames = all.filter(([name]) => !name.startsWith(EARLY));
  const early = /** @type {Frames} */ (
    all.filter(([name]) => name.startsWith(EARLY)).map(([name, frame]) => [name.slice(EARLY.length), frame])
  );
  for (const [name, frame] of frames) if (!isLate(at, name)) bring(name, frame);
  if (at && early.length) untilNextCall(parentElement, bringAt([at[0], at[1] + 1], early));
  return () => {
    for (const [name, frame] of [...frames, ...early]) leave(name, frame);
  };
}

/**
 * Brings frames as soon as the player shows their step.
 * @param {Place} place
 * @param {Frames} frames
 * @returns {() => void} ends it
 */
function bringAt([of, step], frames) {
  let isShown = false;
  const look = () => {
    const wasShown = isShown;
    isShown = stepToFollow(of) === step;
    if (!isShown || wasShown) return;
    shownEarly = { of, step, names: new Set(frames.map(([name]) => name)) };
    for (const [name, frame] of frames) bring(name, frame);
  };
  look();
  return whenLed(look);
}
