// Step of the page's player, ahead of the server's reply. Views that can draw a step themselves follow it within a
// frame. The player alone sets the step, and the server corrects the player.

import type { ChipWire } from "../tokens/spans.ts";

export interface Following {
  of: string | null;
  /** Step that the player shows, and the one with which it was mounted; null without a player. */
  step: number | null;
  first: number | null;
  views: Set<() => void>;
  frame: number;
  /** The merges of a training as rows of their table, by English column title. */
  merges: { of: string; columns: Map<string, unknown[]> } | null;
}

export interface KnownMerge {
  left: ChipWire;
  right: ChipWire;
  made: ChipWire;
  count: number;
  id: number;
  tokens: number; // of the text after the merge
  before: number | null; // tokens before it; null if the table does not contain it
}

export const following: Following = { of: null, step: null, first: null, views: new Set(), frame: 0, merges: null };

/**
 * Publish the step that the player shows.
 * @param of name of the training; null if views cannot draw it
 * @param step null at the end of the player
 */
export function publishStep(of: string | null, step: number | null) {
  if (following.of === of && following.step === step) return;
  following.of = of;
  following.step = step;
  following.first = step === null ? null : (following.first ?? step);
  if (following.frame) return;
  following.frame = requestAnimationFrame(() => {
    following.frame = 0;
    for (const draw of following.views) draw();
  });
}

/**
 * Step of a training that the player shows; null if it shows another training.
 * @param of name of the training that a view draws
 */
export function currentStep(of: string | null | undefined) {
  return of && following.of === of ? following.step : null;
}

/**
 * Subscribe a view: `draw` is called in the frame after the player has moved.
 * @returns unsubscribes
 */
export function subscribeStep(draw: () => void): () => void {
  following.views.add(draw);
  return () => following.views.delete(draw);
}

/**
 * Publish the table of merges: all merges of a training, the first in row one. Partial tables publish nothing.
 * @param of name of the training
 * @param columns `name`: title in English
 */
export function publishMerges(of: string, columns: { title: string; name?: string; cells: unknown[] }[]) {
  following.merges = { of, columns: new Map(columns.map(({ title, name = title, cells }) => [name, cells])) };
}

/**
 * Merge that makes a step of a training; null if unknown.
 * @param of name of the training
 */
export function mergeOf(of: string, step: number): KnownMerge | null {
  const { merges } = following;
  if (merges?.of !== of) return null;
  const [left, right, made, count, id, tokens] = ["Left", "Right", "New token", "Count", "Id", "Tokens"].map(
    (title) => merges.columns.get(title)?.[step - 1],
  );
  if (made === undefined) return null;
  const before = merges.columns.get("Tokens")?.[step - 2] ?? null;
  return { left, right, made, count, id, tokens, before } as KnownMerge;
}
