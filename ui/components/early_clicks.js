// @ts-check
// A component's markup is drawn before its script is loaded. A button that is clicked in between is clicked again once
// its script listens, so that no click on a page that is just opening is lost.

const LATEST = 20_000; // milliseconds after which the click is dropped
const NEXT_LOOK = 30;

/** Begins to listen, once for a tab. */
export function holdEarlyClicks() {
  const onClick = (/** @type {MouseEvent} */ event) => {
    const [target] = event.composedPath();
    const button = target instanceof Element ? target.closest("button") : null;
    if (!button || !(button.getRootNode() instanceof ShadowRoot) || isListening(button)) return;
    clickLater(button, performance.now() + LATEST);
  };
  document.addEventListener("click", onClick, { capture: true });
}

/**
 * Whether a click on the button is acted on. One listener serves the picture buttons of all views: pictures.js.
 * @param {HTMLButtonElement} button
 */
function isListening(button) {
  return button.matches(".picture") ? window.bpeLabPictures !== undefined : button.onclick !== null;
}

/**
 * @param {HTMLButtonElement} button
 * @param {number} until
 */
function clickLater(button, until) {
  if (!button.isConnected || performance.now() > until) return;
  if (isListening(button)) button.click();
  else setTimeout(() => clickLater(button, until), NEXT_LOOK);
}
