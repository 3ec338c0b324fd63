// Minimal redraw after a change of tokens: a text is divided into pieces that are drawn independently.

import type { Tokens } from "../../tokens/spans.ts";

/** Tokens first … end - 1, with the symbols from … to - 1 of the text. */
export interface Piece {
  first: number;
  end: number;
  from: number;
  to: number;
  nodes: ChildNode[]; // in the page
}

export interface Divided {
  tokens: Tokens;
  symbols: number[];
  pieces: Piece[];
}

/** Ranges of pieces, first and end, in the old and the new text. */
interface Change {
  gone: [number, number];
  come: [number, number];
}

/**
 * Divide a text into pieces at character boundaries, or at line boundaries if lines are elements.
 * @param symbols first symbol of each token, then the end of the last one
 */
export function piecesOf(tokens: Tokens, symbols: number[], byLine: boolean): Piece[] {
  const pieces: Piece[] = [];
  let first = 0;
  for (let at = 0; at < tokens.length; at++) {
    const isOpen =
      tokens.tails[at] !== undefined || goesOnInside(tokens, at) || (byLine && !tokens.texts[at].endsWith("\n"));
    if (isOpen && at + 1 < tokens.length) continue;
    pieces.push({ first, end: at + 1, from: symbols[first], to: symbols[at + 1], nodes: [] });
    first = at + 1;
  }
  return pieces;
}

/** Whether the character continues after a token that holds its middle. */
function goesOnInside(tokens: Tokens, at: number) {
  const part = tokens.head(at);
  return part !== undefined && !tokens.texts[at] && part[2] < part[3];
}

/** Ranges of pieces that differ between two texts; pieces between two changes are the same in both. */
export function changesOf(before: Divided, after: Divided): Change[] {
  const changes: Change[] = [];
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

function isSame(before: Divided, old: Piece, after: Divided, now: Piece) {
  if (old.from !== now.from || old.to !== now.to || old.end - old.first !== now.end - now.first) return false;
  for (let i = old.first, j = now.first; i < old.end; i++, j++) {
    if (before.symbols[i] !== after.symbols[j] || before.tokens.ids[i] !== after.tokens.ids[j]) return false;
    if (before.tokens.gaps[i] !== after.tokens.gaps[j]) return false;
  }
  return true;
}

/**
 * Blocks of whole lines that differ between two texts, `first` … `next` - 1, and the tokens start … end - 1 of the new
 * text that take their place: whole lines too, so that each line is drawn as in a text that is redrawn. Where both
 * show only the beginning of a longer text, it also ends elsewhere: the blocks from `last` on are those of the new
 * text's tokens from `rest` on.
 * @param blocks of the old text, by their first token; there is one
 */
export function changedLines(before: Tokens, after: Tokens, blocks: { at: number }[]) {
  const shorter = Math.min(before.length, after.length);
  const isCut =
    isBeginning(before) &&
    isBeginning(after) &&
    before.first === after.first &&
    Math.abs(after.total - before.total) < shorter; // another tokenizer may take thousands more or less
  const shift = isCut ? after.total - before.total : after.length - before.length;
  let same = 0;
  while (same < shorter && isDrawnAlike(before, same, after, same)) same++;
  const common = Math.min(before.length, after.length - shift);
  let oldEnd = Math.max(common, same);
  while (oldEnd > same && oldEnd + shift > same && isDrawnAlike(before, oldEnd - 1, after, oldEnd + shift - 1)) oldEnd--;
  const newEnd = oldEnd + shift;
  const first = blocks.findLastIndex(({ at }) => at <= same);
  const isLine = newEnd === 0 || (newEnd <= after.length && endsLine(after, newEnd - 1));
  const isWhole = ({ at }: { at: number }) => at > oldEnd || (at === oldEnd && isLine);
  const found = blocks.findIndex((block, number) => number > first && isWhole(block));
  const isSameEnd = common === before.length && common + shift === after.length;
  const last = isSameEnd ? blocks.length : blocks.findLastIndex(({ at }) => at < common);
  const next = found < 0 || found > last ? blocks.length : found;
  const startOf = (block: number) => (block < blocks.length ? blocks[block].at + shift : after.length);
  const [kept, rest] = next < blocks.length ? [last, startOf(last)] : [next, after.length];
  return { first, next, last: kept, start: blocks[first].at, end: startOf(next), rest, shift };
}

/** Whether these are the first tokens of a longer text. */
function isBeginning({ first, length, total }: Tokens) {
  return first + length < total;
}

function endsLine(tokens: Tokens, at: number) {
  return tokens.texts[at].endsWith("\n") && !tokens.tail(at);
}

/** Whether two tokens look the same, apart from their neighbours in the line. */
function isDrawnAlike(before: Tokens, i: number, after: Tokens, j: number) {
  return (
    before.ids[i] === after.ids[j] &&
    before.texts[i] === after.texts[j] &&
    before.keys()[i] === after.keys()[j] &&
    String(before.head(i)) === String(after.head(j)) &&
    String(before.tail(i)) === String(after.tail(j)) &&
    before.gaps[i] === after.gaps[j] &&
    before.labels[i] === after.labels[j] &&
    before.special.has(i) === after.special.has(j) &&
    before.words.has(i) === after.words.has(j)
  );
}
