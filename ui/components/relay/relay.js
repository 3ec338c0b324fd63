// @ts-check
// A relay shows nothing itself: it brings other views what they draw. What comes before its step is shown waits for it.

import { stepToFollow, whenLed } from "../following.js";
import { bring, leave } from "../relayed.js";
import { readHead, readTogether } from "../tokens/payload.js";

/** @typedef {[of: string, step: number]} Place a training by its name, and a step of it */

/** @type {{ place: Place, names: string[] } | null} */
let early = null; // what was brought before the server was asked for it

/** @param {Place | null} place */
function isShown(place) {
  return place !== null && stepToFollow(place[0]) === place[1];
}

/** @param {Mount} component */
export default function ({ data }) {
  const head = /** @type {{ at: Place | null, early: Place | null }} */ (readHead(data));
  const frames = readTogether(data);
  if (head.early) return wait(head.early, frames);
  const isLate = head.at !== null && early !== null && isShown(early.place) && !isShown(head.at);
  for (const [name, frame] of frames) if (!(isLate && early?.names.includes(name))) bring(name, frame);
  return () => {
    for (const [name, frame] of frames) leave(name, frame);
  };
}

/**
 * Brings the frames as soon as the player shows their step.
 * @param {Place} place
 * @param {[name: string, frame: Uint8Array][]} frames
 */
function wait(place, frames) {
  const look = () => {
    if (!isShown(place)) {
      if (early?.place === place) early = null; // another step was shown meanwhile
      return;
    }
    if (early?.place === place) return;
    early = { place, names: frames.map(([name]) => name) };
    for (const [name, frame] of frames) bring(name, frame);
  };
  look();
  const end = whenLed(look);
  return () => {
    end();
    for (const [name, frame] of frames) leave(name, frame);
  };
}
