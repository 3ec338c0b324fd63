// @ts-check
// Holds clicks on a page that is still loading. A component's markup is drawn before its script is loaded: an early
// click on a button is repeated once the script listens. The style that stretches a button over its card also loads
// late: until then, a click elsewhere on the card counts as a click on its button.

const LATEST = 20_000; // milliseconds after which the click is dropped
const NEXT_LOOK = 30;
const CARD = '[class*="st-key-card-of"]'; // ui/lessons/lessons.css

/** Start listening, once per tab. */
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
 * Whether the button handles clicks. One listener serves the picture buttons of all views: pictures.js.
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
