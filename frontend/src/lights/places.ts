// Where tokens, pairs, words and texts occur among the tokens of a text.

/** Tokens that follow each other, a whole word, or a text in any tokens. */
export interface Lit {
  kind: "tokens" | "word" | "text";
  keys: string[];
}

type Gaps = Record<number, unknown>;

/**
 * Ranges of tokens, first and end.
 * @param keys of the tokens: `keyOf`
 * @param gaps by the token after each
 */
export function placesOf(keys: string[], lit: Lit, gaps: Gaps = {}): [first: number, end: number][] {
  const found: [number, number][] = [];
  const whole = lit.keys.join("");
  for (let at = 0; at < keys.length; at++) {
    if (lit.kind !== "text" && keys[at] !== lit.keys[0]) continue;
    const end = lit.kind === "text" ? endOfText(keys, at, whole, gaps) : endOfTokens(keys, at, lit.keys, gaps);
    if (end && (lit.kind !== "word" || isWord(keys, at, end))) found.push([at, end]);
  }
  return found;
}

/** End of these tokens if they begin here, else 0. */
function endOfTokens(keys: string[], at: number, wanted: string[], gaps: Gaps) {
  const follows = (key: string, nth: number) => keys[at + nth] === key && !(nth && gaps[at + nth] !== undefined);
  return wanted.every(follows) ? at + wanted.length : 0;
}

/** End of the tokens that are exactly this text if they begin here, else 0. */
function endOfText(keys: string[], at: number, text: string, gaps: Gaps) {
  let rest = text;
  let end = at;
  while (rest && keys[end] && rest.startsWith(keys[end]) && !(end > at && gaps[end] !== undefined))
    rest = rest.slice(keys[end++].length);
  return rest || end === at ? 0 : end;
}

/** Whether these tokens are a whole word or number: no letter or digit continues it before or after. */
function isWord(keys: string[], first: number, end: number) {
  const [before, begin, last, after] = [keys[first - 1], keys[first], keys[end - 1], keys[end]];
  return !goesOn(before, begin) && !goesOn(last, after);
}

function goesOn(left = "", right = "") {
  return /[\p{L}\p{M}]\n[\p{L}\p{M}]|\p{N}\n\p{N}/u.test(`${[...left].at(-1) ?? ""}\n${[...right][0] ?? ""}`);
}
