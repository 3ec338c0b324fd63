// Seek requests from views to the page's player, so that clicks in views and the player's own moves share a queue.

const ASKED = "bpe-lab-go-to";
let pending: number | undefined; // step requested while no player was mounted

/** Request a step; a player that is not mounted yet picks it up later. */
export function seek(step: number) {
  const event = new CustomEvent(ASKED, { detail: step, cancelable: true });
  pending = document.dispatchEvent(event) ? step : undefined;
}

/**
 * Register the player: `go` is called with each step that a view requests.
 * @returns unregisters
 */
export function onSeek(go: (step: number) => void): () => void {
  const listener = (event: Event) => {
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
