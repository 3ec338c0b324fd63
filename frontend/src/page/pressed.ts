// Keeps clicks on the pressed element. If the page moves between press and release (lines still being laid out, an
// answer arriving above), the browser dispatches the click to the common ancestor, and the button gets none. So a
// pressed element captures the pointer, until the pointer itself moves away, which cancels the press as usual.

const PRESSED = 'button, summary, [role="option"], [role="radio"], [role="tab"]';
const MOVED = 8; // pixels

/** Start listening, once per tab. */
export function holdPressed() {
  let press: { element: Element; pointer: number; x: number; y: number } | null = null;
  addEventListener(
    "pointerdown",
    (event) => {
      const [target] = event.composedPath();
      const element = target instanceof Element ? target.closest(PRESSED) : null;
      press = null;
      if (!element || event.button || event.pointerType === "touch") return; // touches are captured by default
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
