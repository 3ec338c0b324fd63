// Clicks on a card whose style has not loaded yet: the style spreads a button over its card. Until then, a click
// elsewhere on the card counts as a click on its button.

const CARD = '[class*="st-key-card-of"]'; // ui/lessons/lessons.css

/** Start listening. */
export function clickCards() {
  const onClick = (event: MouseEvent) => {
    const [target] = event.composedPath();
    if (target instanceof Element && !target.closest("button")) target.closest(CARD)?.querySelector("button")?.click();
  };
  document.addEventListener("click", onClick, { capture: true });
}
