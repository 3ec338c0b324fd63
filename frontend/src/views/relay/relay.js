// @ts-check
// Publishes data to other views; draws nothing itself. Frames of the next step are held back until the player shows it;
// from then on, frames of the previous step are outdated.

import { currentStep, subscribeStep } from "../../bridge/current_step.js";
import { publish, unpublish } from "../../bridge/published.js";
import { readHead, readTogether } from "../../bridge/payload.js";
import { View } from "../../bridge/view.js";

/** @typedef {[of: string, step: number]} Place name of a training, and one of its steps */
/** @typedef {[name: string, frame: Uint8Array][]} Frames */

const EARLY = "early: "; // prefix for frames of the next step, same as in relay.py

/** @type {{ of: string, step: number, names: Set<string> } | null} */
let shownEarly = null; // frames published before the server replied

/**
 * Whether a frame is outdated: it belongs to another step than the frames published early, and the player still shows
 * theirs.
 * @param {Place | null} at
 * @param {string} name
 */
function isLate(at, name) {
  if (!at || !shownEarly?.names.has(name)) return false;
  return at[1] !== shownEarly.step && currentStep(shownEarly.of) === shownEarly.step;
}

export class Relay extends View {
  /** @type {Frames} */
  frames = [];

  stopWaiting = () => {};

  /** @param {Mount} component */
  update({ data }) {
    this.stopWaiting();
    /** @type {{ at: Place | null }} */
    const { at } = readHead(data);
    const all = readTogether(data);
    const frames = all.filter(([name]) => !name.startsWith(EARLY));
    const early = /** @type {Frames} */ (
      all.filter(([name]) => name.startsWith(EARLY)).map(([name, frame]) => [name.slice(EARLY.length), frame])
    );
    this.frames = [...frames, ...early];
    for (const [name, frame] of frames) if (!isLate(at, name)) publish(name, frame);
    this.stopWaiting = at && early.length ? publishAt([at[0], at[1] + 1], early) : () => {};
  }

  /** @override */
  end() {
    super.end();
    this.stopWaiting();
    for (const [name, frame] of this.frames) unpublish(name, frame);
  }
}

/**
 * Publish frames as soon as the player shows their step.
 * @param {Place} place
 * @param {Frames} frames
 * @returns {() => void} cancels
 */
function publishAt([of, step], frames) {
  let isShown = false;
  const look = () => {
    const wasShown = isShown;
    isShown = currentStep(of) === step;
    if (!isShown || wasShown) return;
    shownEarly = { of, step, names: new Set(frames.map(([name]) => name)) };
    for (const [name, frame] of frames) publish(name, frame);
  };
  look();
  return subscribeStep(look);
}
