// Shared helpers of the scripts' tests: payloads as Python would send them.

import { emptyBody, Tokens } from "../../frontend/src/tokens/spans.ts";

/** The body of a payload; missing parts are empty. */
export function tokensBody(body) {
  const ids = body.ids ?? body.texts.map((_, at) => at);
  return { ...emptyBody(), total: ids.length, ids, ...body };
}

/** Tokens of a lane that begin and end at these bytes. */
export function placesOf(begin, end) {
  const jumps = {};
  begin.forEach((byte, at) => {
    if (byte !== (end[at - 1] ?? 0)) jumps[at] = byte - (end[at - 1] ?? 0);
  });
  return { sizes: end.map((byte, at) => byte - begin[at]), jumps };
}

export function tokensOf(body) {
  return new Tokens(tokensBody(body));
}

/** aこ in the tokens a + E3 81, 93: こ is split. */
export const SPLIT = tokensBody({
  ids: [97, 147],
  texts: ["a", ""],
  steps: [1],
  tails: { 0: 0 },
  heads: { 1: 1 },
  parts: [
    ["こ", 1, 2, 3, "E3 81"],
    ["こ", 3, 3, 3, "93"],
  ],
});

/**
 * Deterministic pseudorandom numbers.
 * @param {number} seed
 */
export function numbers(seed) {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 8;
}
