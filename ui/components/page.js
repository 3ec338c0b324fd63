// @ts-check
// Elements of the page. Text reaches it through text nodes and textContent only, so no input can become markup.

/**
 * A new element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} [className]
 * @param {string | number} [text]
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, className, text) {
  const el = document.createElement(tag);
  if (className) el.className = className;
  if (text !== undefined) el.textContent = String(text);
  return el;
}

/**
 * An element that the component's own markup has.
 * @template {Element} E
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => E} type
 * @returns {E}
 */
export function find(root, selector, type) {
  const el = root.querySelector(selector);
  if (!(el instanceof type)) throw new Error(`This component has no ${selector}: its markup and its script differ.`);
  return el;
}

/**
 * The element of this selector in which an event happened.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function closest(event, selector) {
  return event.target instanceof Element ? event.target.closest(selector) : null;
}

/** Whether this page is one that was there before, loaded again. */
export function wasReloaded() {
  const [entry] = performance.getEntriesByType("navigation");
  return entry instanceof PerformanceNavigationTiming && entry.type === "reload";
}

const SERVER_IDLE =
  "[data-testid=stApp][data-test-script-state=notRunning][data-test-connection-state=CONNECTED]";

/** Whether the server is there and has nothing to do for this page, as far as the page has heard. */
export function isServerIdle() {
  return document.querySelector(SERVER_IDLE) !== null;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * A new element of a drawing.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number>} attributes
 * @param {string} [text]
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function makeSvg(tag, attributes, text) {
  const el = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) el.setAttribute(name, String(value));
  if (text !== undefined) el.textContent = text;
  return el;
}

/**
 * Points a list's one tab stop at an option (or at none): the focus stays on the list, the option is named by id.
 * @param {HTMLElement} list
 * @param {HTMLElement | null} el
 * @param {string} [spoken]
 */
export function pointAt(list, el, spoken = "") {
  const old = list.querySelector(".cursor");
  if (old) {
    old.classList.remove("cursor");
    old.removeAttribute("id");
  }
  if (!el) {
    list.removeAttribute("aria-activedescendant");
    return;
  }
  el.classList.add("cursor");
  el.id = "cursor";
  el.setAttribute("aria-label", spoken);
  list.setAttribute("aria-activedescendant", "cursor");
}

/**
 * How much larger an element is drawn than its style says: what is on the stage is enlarged.
 * @param {Element} el
 */
export function zoomOf(el) {
  return "currentCSSZoom" in el ? Number(el.currentCSSZoom) : 1;
}

/**
 * A box of the window in the pixels of an enlarged element's style.
 * @param {DOMRect} box
 * @param {number} zoom
 */
export function unzoomed(box, zoom) {
  return zoom === 1 ? box : new DOMRect(box.x / zoom, box.y / zoom, box.width / zoom, box.height / zoom);
}

/** Whether a card is on the stage: ui/components/stage/show.js. */
export function isOnStage() {
  return globalThis.document?.documentElement.dataset.stage !== undefined;
}
