// @ts-check
// A relay shows nothing itself: it brings other views what they draw.

import { bring, leave } from "../relayed.js";
import { readTogether } from "../tokens/payload.js";

/** @param {Mount} component */
export default function ({ data }) {
  const frames = readTogether(data);
  for (const [name, frame] of frames) bring(name, frame);
  return () => {
    for (const [name, frame] of frames) leave(name, frame);
  };
}
