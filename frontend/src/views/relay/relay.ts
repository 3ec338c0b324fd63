// Publishes data to other views; draws nothing itself. Frames of the next step are held back until the player shows it;
// from then on, frames of the previous step are outdated.

import { currentStep, subscribeStep } from "../../bridge/current_step.ts";
import { publish, unpublish } from "../../bridge/published.ts";
import { readHead, readTogether } from "../../bridge/payload.ts";
import { View } from "../../bridge/view.ts";

/** Name of a training, and one of its steps. */
type Place = [of: string, step: number];
type Frame = [name: string, frame: Uint8Array];

const EARLY = "early: "; // prefix for frames of the next step, same as in relay.py

/** Frames that were published before the server replied. */
let shownEarly: { of: string; step: number; names: Set<string> } | null = null;

/**
 * Whether a frame is outdated: it belongs to another step than the frames published early, and the player still shows
 * theirs.
 */
function isLate(at: Place | null, name: string) {
  if (!at || !shownEarly?.names.has(name)) return false;
  return at[1] !== shownEarly.step && currentStep(shownEarly.of) === shownEarly.step;
}

export class Relay extends View {
  private frames: Frame[] = [];

  private stopWaiting = () => {};

  update({ data }: Mount) {
    this.stopWaiting();
    const { at } = readHead<{ at: Place | null }>(data);
    const all = readTogether(data);
    const frames = all.filter(([name]) => !name.startsWith(EARLY));
    const early = all
      .filter(([name]) => name.startsWith(EARLY))
      .map(([name, frame]): Frame => [name.slice(EARLY.length), frame]);
    const names = new Set([...frames, ...early].map(([name]) => name));
    for (const [name, frame] of this.frames) if (!names.has(name)) unpublish(name, frame);
    this.frames = [...frames, ...early];
    for (const [name, frame] of frames) if (!isLate(at, name)) publish(name, frame);
    this.stopWaiting = at && early.length ? publishAt([at[0], at[1] + 1], early) : () => {};
  }

  override end() {
    super.end();
    this.stopWaiting();
    for (const [name, frame] of this.frames) unpublish(name, frame);
  }
}

/**
 * Publish frames as soon as the player shows their step.
 * @returns cancels
 */
function publishAt([of, step]: Place, frames: Frame[]): () => void {
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
