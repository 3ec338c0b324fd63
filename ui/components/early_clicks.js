// @ts-check
// A page that is just opening loses no click. A component's markup is drawn before its script is loaded: a button that is
// clicked in between is clicked again once its script listens. The style that stretches a button over its card comes after
// the card: until then a click beside the button counts as a click on it.

const LATEST = 20_000; // milliseconds after which the click is dropped
const NEXT_LOOK = 30;
const CARD = '[class*="st-key-card-of"]'; // ui/lessons/lessons.css

/** Begins to listen, once for a tab. */
export function holdEarlyClicks() {
  const onClick = (/** @type {MouseEvent} */ event) => {
    const [target] = event.composedPath();
    if (!(target instanceof Element)) return;
    const button = target.closest("button");
    if (!button) target.closest(CARD)?.querySelector("button")?.click();
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
