// @ts-check
// The step that a player shows ahead of the page. Views that can draw a step themselves do so within the next frame;
// what the server says of the step comes later, and counts as soon as the player is ahead no more.

/** @typedef {{ of: string | null, step: number | null, views: Set<() => void>, frame: number }} Ahead */

/** What all components of a tab share, each of which is a module of its own. */
function aheadInTab() {
  return (window.bpeLabAhead ??= { of: null, step: null, views: new Set(), frame: 0 });
}

/**
 * For the player: from now on it shows this step.
 * @param {string | null} of the name of the training; null for none that views can draw
 * @param {number | null} step null where it shows what the page does
 */
export function showAhead(of, step) {
  const ahead = aheadInTab();
  if (ahead.of === of && ahead.step === step) return;
  ahead.of = of;
  ahead.step = step;
  if (ahead.frame) return;
  ahead.frame = requestAnimationFrame(() => {
    ahead.frame = 0;
    for (const draw of ahead.views) draw();
  });
}

/**
 * The step of a training that the player shows ahead of the page; null where it is not ahead.
 * @param {string | null | undefined} of the name of the training that a view draws
 */
export function stepAhead(of) {
  const ahead = aheadInTab();
  return of && ahead.of === of ? ahead.step : null;
}

/**
 * For a view: calls `draw` in the frame after the player has moved.
 * @param {() => void} draw
 * @returns {() => void} ends it
 */
export function whenAhead(draw) {
  const { views } = aheadInTab();
  views.add(draw);
  return () => views.delete(draw);
}
