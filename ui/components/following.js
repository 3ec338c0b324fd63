// @ts-check
// The step that the page's player shows, ahead of what the server has said. Views that can draw a step themselves follow
// it within a frame; where it is depends on the player alone, which the server corrects.

/**
 * `merges`: those of a training, as the rows of its table, by the English titles of its columns.
 * @typedef {{ of: string | null, step: number | null, views: Set<() => void>, frame: number,
 *   merges: { of: string, columns: Map<string, unknown[]> } | null }} Following
 */
/**
 * `tokens`: those of the text after the merge; `before`: before it, null where the table does not say.
 * @typedef {{ left: ChipWire, right: ChipWire, made: ChipWire, count: number, id: number, tokens: number,
 *   before: number | null }} KnownMerge
 */

/** What all components of a tab share, each of which is a module of its own. */
function followingInTab() {
  return (window.bpeLabFollowing ??= { of: null, step: null, views: new Set(), frame: 0, merges: null });
}

/**
 * For the player: it shows this step.
 * @param {string | null} of the name of the training; null for none that views can draw
 * @param {number} step
 */
export function lead(of, step) {
  const following = followingInTab();
  if (following.of === of && following.step === step) return;
  following.of = of;
  following.step = step;
  if (following.frame) return;
  following.frame = requestAnimationFrame(() => {
    following.frame = 0;
    for (const draw of following.views) draw();
  });
}

/**
 * The step of a training that the player shows; null where it shows none of it.
 * @param {string | null | undefined} of the name of the training that a view draws
 */
export function stepToFollow(of) {
  const following = followingInTab();
  return of && following.of === of ? following.step : null;
}

/**
 * For a view: calls `draw` in the frame after the player has moved.
 * @param {() => void} draw
 * @returns {() => void} ends it
 */
export function whenLed(draw) {
  const { views } = followingInTab();
  views.add(draw);
  return () => views.delete(draw);
}

/**
 * For the table of merges: all merges of a training, the first in the first row. A table of some of them says nothing.
 * @param {string} of the name of the training
 * @param {{ title: string, name?: string, cells: unknown[] }[]} columns `name`: the title in English
 */
export function tellMerges(of, columns) {
  followingInTab().merges = { of, columns: new Map(columns.map(({ title, name = title, cells }) => [name, cells])) };
}

/**
 * The merge that makes a step of a training; null where it is not known.
 * @param {string} of the name of the training
 * @param {number} step
 * @returns {KnownMerge | null}
 */
export function mergeOf(of, step) {
  const { merges } = followingInTab();
  if (merges?.of !== of) return null;
  const [left, right, made, count, id, tokens] = ["Left", "Right", "New token", "Count", "Id", "Tokens"].map(
    (title) => merges.columns.get(title)?.[step - 1],
  );
  if (made === undefined) return null;
  const before = merges.columns.get("Tokens")?.[step - 2] ?? null;
  return /** @type {KnownMerge} */ ({ left, right, made, count, id, tokens, before });
}
