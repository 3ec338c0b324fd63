// @ts-check
// How a view asks the page's player for a step, so that its clicks and the player's own moves are one queue.

const ASKED = "bpe-lab-go-to";

/**
 * Asks for a step; a player that is not on the page yet finds it there when it comes.
 * @param {number} step
 */
export function goTo(step) {
  const event = new CustomEvent(ASKED, { detail: step, cancelable: true });
  window.bpeLabGoTo = document.dispatchEvent(event) ? step : undefined;
}

/**
 * For the player: calls `go` with each step that a view asks for.
 * @param {(step: number) => void} go
 * @returns {() => void} ends it
 */
export function whenAsked(go) {
  const listener = (/** @type {Event} */ event) => {
    if (!(event instanceof CustomEvent)) return;
    event.preventDefault();
    go(event.detail);
  };
  document.addEventListener(ASKED, listener);
  return () => document.removeEventListener(ASKED, listener);
}

/** The step that was asked for while there was no player, once; undefined where none was. */
export function askedBefore() {
  const step = window.bpeLabGoTo;
  window.bpeLabGoTo = undefined;
  return step;
}
