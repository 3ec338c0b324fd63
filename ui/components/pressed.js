// @ts-check
// A click goes to what was pressed. When the page moves between press and release (lines are still being laid out, an
// answer comes in above), the browser gives the click to whatever holds both places, and the button hears nothing. So
// what is pressed captures the pointer, until the pointer itself moves away: that takes the press back, as ever.

const PRESSED = 'button, summary, [role="option"], [role="radio"], [role="tab"]';
const MOVED = 8; // pixels

/** Begins to listen, once for a tab. */
export function holdPressed() {
  /** @type {{ element: Element, pointer: number, x: number, y: number } | null} */
  let press = null;
  addEventListener(
    "pointerdown",
    (event) => {
      const [target] = event.composedPath();
      const element = target instanceof Element ? target.closest(PRESSED) : null;
      press = null;
      if (!element || event.button || event.pointerType === "touch") return; // a touch is captured anyway
      element.setPointerCapture(event.pointerId);
      press = { element, pointer: event.pointerId, x: event.clientX, y: event.clientY };
    },
    { capture: true },
  );
  addEventListener(
    "pointermove",
    (event) => {
      if (!press || event.pointerId !== press.pointer) return;
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) <= MOVED) return;
      const { element, pointer } = press;
      press = null;
      if (element.hasPointerCapture(pointer)) element.releasePointerCapture(pointer);
    },
    { capture: true },
  );
}
