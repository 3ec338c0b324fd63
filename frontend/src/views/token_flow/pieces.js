// @ts-check
// Minimal redraw after a change of tokens: a text is divided into pieces that are drawn independently.

/** @typedef {import("../../tokens/spans.js").Tokens} Tokens */

/**
 * Tokens first … end - 1, with the symbols from … to - 1 of the text. `nodes`: their DOM nodes.
 * @typedef {{ first: number, end: number, from: number, to: number, nodes: ChildNode[] }} Piece
 */
/** @typedef {{ tokens: Tokens, symbols: number[], pieces: Piece[] }} Divided */
/**
 * @typedef {{ gone: [number, number], come: [number, number] }} Change ranges of pieces, first and end, in the old and
 *   the new text
 */

/**
 * Divide a text into pieces at character boundaries, or at line boundaries if lines are elements.
 * @param {Tokens} tokens
 * @param {number[]} symbols first symbol of each token, then the end of the last one
 * @param {boolean} byLine
 * @returns {Piece[]}
 */
export function piecesOf(tokens, symbols, byLine) {
  /** @type {Piece[]} */
  const pieces = [];
  let first = 0;
  for (let at = 0; at < tokens.length; at++) {
    const isOpen = tokens.tails[at] !== undefined || goesOnInside(tokens, at) || (byLine && !tokens.texts[at].endsWith("\n"));
    if (isOpen && at + 1 < tokens.length) continue;
    pieces.push({ first, end: at + 1, from: symbols[first], to: symbols[at + 1], nodes: [] });
    first = at + 1;
  }
  return pieces;
}

/**
 * Whether the character continues after a token that holds its middle.
 * @param {Tokens} tokens
 * @param {number} at
 */
function goesOnInside(tokens, at) {
  const part = tokens.head(at);
  return part !== undefined && !tokens.texts[at] && part[2] < part[3];
}

/**
 * Ranges of pieces that differ between two texts; pieces between two changes are the same in both.
 * @param {Divided} before
 * @param {Divided} after
 * @returns {Change[]}
 */
export function changesOf(before, after) {
  /** @type {Change[]} */
  const changes = [];
  const [old, now] = [before.pieces, after.pieces];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && isSame(before, old[i], after, now[j])) {
      i++;
      j++;
      continue;
    }
    const [gone, come] = [i, j];
    let oldEnd = -1;
    let newEnd = -1;
    do {
      if (j >= now.length || (i < old.length && old[i].to <= now[j].to)) oldEnd = old[i++].to;
      else newEnd = now[j++].to;
    } while (oldEnd !== newEnd && (i < old.length || j < now.length));
    changes.push({ gone: [gone, i], come: [come, j] });
  }
  return changes;
}

/**
 * @param {Divided} before
 * @param {Piece} old
 * @param {Divided} after
 * @param {Piece} now
 */
function isSame(before, old, after, now) {
  if (old.from !== now.from || old.to !== now.to || old.end - old.first !== now.end - now.first) return false;
  for (let i = old.first, j = now.first; i < old.end; i++, j++) {
    if (before.symbols[i] !== after.symbols[j] || before.tokens.ids[i] !== after.tokens.ids[j]) return false;
    if (before.tokens.gaps[i] !== after.tokens.gaps[j]) return false;
  }
  return true;
}
