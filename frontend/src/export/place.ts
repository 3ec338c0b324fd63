// The one place of the picture buttons: the end of the line of the view's heading.

const HEADING = "[data-testid=stMarkdown] strong, h1, h2, h3, h4";

/** Heading of a view: its own, or the nearest of the page above it, unless that is of another view. */
export function headingOf(root: HTMLElement): { heading: Element | null; isInside: boolean } {
  const own = root.querySelector(".over:not([hidden]) b:not(:empty)");
  if (own) return { heading: own, isInside: true };
  for (let at = holderOf(root); at && !isCard(at); at = at.parentElement)
    for (let before = at.previousElementSibling; before; before = before.previousElementSibling) {
      if (before.querySelector("[data-testid=stBidiComponentIsolated]")) return { heading: null, isInside: false };
      const heading = [...before.querySelectorAll(HEADING)].filter(isWholeLine).at(-1);
      if (heading) return { heading, isInside: false };
    }
  return { heading: null, isInside: false };
}

/** Keep the button of a view in the line of its heading; a view without one leaves room for the button beside it. */
export function placeButton(root: HTMLElement, button: HTMLElement) {
  let block: Element | null = null;
  const observer = new ResizeObserver(() => {
    const now = holderOf(root)?.parentElement ?? null;
    if (now && now !== block) observer.observe((block = now)); // what is between a heading and its view can change
    const { heading } = headingOf(root);
    root.classList.toggle("headless", !heading);
    const line = heading?.getClientRects()[0];
    if (!line) button.style.top = "";
    else {
      const middle = (line.top + line.bottom) / 2 - root.getBoundingClientRect().top;
      button.style.top = `${Math.round(middle - button.offsetHeight / 2)}px`;
    }
  });
  observer.observe(root);
}

/** False for a bold word within a text. */
function isWholeLine(el: Element) {
  return el.localName !== "strong" || el.textContent === el.parentElement?.textContent;
}

function isCard(el: Element) {
  return el.matches("[data-testid=stColumn]") || getComputedStyle(el).borderTopWidth !== "0px";
}

function holderOf(root: HTMLElement) {
  const tree = root.getRootNode();
  return (tree instanceof ShadowRoot ? tree.host : root).closest("[data-testid=stElementContainer]");
}
