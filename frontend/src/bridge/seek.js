// @ts-check
// Seek requests from views to the page's player, so that clicks in views and the player's own moves share a queue.

const ASKED = "bpe-lab-go-to";
/** @type {number | undefined} */
let pending; // step requested while no player was mounted

/**
 * Request a step; a player that is not mounted yet picks it up later.
 * @param {number} step
 */
export function seek(step) {
  const event = new CustomEvent(ASKED, { detail: step, cancelable: true });
  pending = document.dispatchEvent(event) ? step : undefined;
}

/**
 * Register the player: `go` is called with each step that a view requests.
 * @param {(step: number) => void} go
 * @returns {() => void} unregisters
 */
export function onSeek(go) {
  const listener = (/** @type {Event} */ event) => {
    if (!(event instanceof CustomEvent)) return;
    event.preventDefault();
    go(event.detail);
  };
  document.addEventListener(ASKED, listener);
  return () => document.removeEventListener(ASKED, listener);
}

/** Take the step requested before the player was mounted; undefined if there is none. */
export function takePendingSeek() {
  const step = pending;
  pending = undefined;
  return step;
}
