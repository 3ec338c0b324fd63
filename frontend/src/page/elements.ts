// Elements of the page. Text is set only by text nodes and textContent, so no input can become markup.

/** Create an element. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className?: string,
  text?: string | number,
): HTMLElementTagNameMap[Tag] {
  const el = document.createElement(tag);
  if (className) el.className = className;
  if (text !== undefined) el.textContent = String(text);
  return el;
}

/** Create an element with attributes and children. */
export function build<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) el.setAttribute(name, value);
  el.append(...children);
  return el;
}

/**
 * Create an icon.
 * @param size of its square
 * @param shapes path data, or elements
 */
export function icon(size: number, ...shapes: (string | SVGElement)[]) {
  const svg = makeSvg("svg", { viewBox: `0 0 ${size} ${size}`, "aria-hidden": "true" });
  svg.append(...shapes.map((shape) => (typeof shape === "string" ? makeSvg("path", { d: shape }) : shape)));
  return svg;
}

/** Set the text of an element; an equal text leaves its layout as it is. */
export function setText(el: Element, text: string) {
  if (el.textContent !== text) el.textContent = text;
}

/** Set a field's text as typing would, with the event that Streamlit's script handles. */
export function typeText(field: HTMLInputElement | HTMLTextAreaElement, text: string) {
  const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(kind.prototype, "value")?.set?.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Find an element of the component's own markup. */
export function find<E extends Element>(root: ParentNode, selector: string, type: new () => E): E {
  const el = root.querySelector(selector);
  if (!(el instanceof type)) throw new Error(`This component has no ${selector}: its markup and its script differ.`);
  return el;
}

/** Closest ancestor of an event's target that matches a selector. */
export function closest(event: Event, selector: string): HTMLElement | null {
  return event.target instanceof Element ? event.target.closest(selector) : null;
}

/** Whether this page load is a reload. */
export function wasReloaded() {
  return loadedBy() === "reload";
}

/** How the page was loaded: "navigate", "reload" or "back_forward"; "" if unknown. */
export function loadedBy() {
  const [entry] = performance.getEntriesByType("navigation");
  return entry instanceof PerformanceNavigationTiming ? entry.type : "";
}

const SERVER_IDLE = "[data-testid=stApp][data-test-script-state=notRunning][data-test-connection-state=CONNECTED]";

/** Whether the server is connected and idle, as far as the page knows. */
export function isServerIdle() {
  return document.querySelector(SERVER_IDLE) !== null;
}

const SVG = "http://www.w3.org/2000/svg";

/** Create an SVG element. */
export function makeSvg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string | number>,
  text?: string,
): SVGElementTagNameMap[Tag] {
  const el = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) el.setAttribute(name, String(value));
  if (text !== undefined) el.textContent = text;
  return el;
}

/** Move a list's cursor to an option (or none): the list keeps the focus and names the option by id. */
export function pointAt(list: HTMLElement, el: HTMLElement | null, spoken = "") {
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

/** Zoom factor of an element: elements on the stage are enlarged. */
export function zoomOf(el: Element) {
  return "currentCSSZoom" in el ? Number(el.currentCSSZoom) : 1;
}

/** Rectangle of the viewport in the CSS pixels of a zoomed element. */
export function unzoomed(box: DOMRect, zoom: number) {
  return zoom === 1 ? box : new DOMRect(box.x / zoom, box.y / zoom, box.width / zoom, box.height / zoom);
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escape text for use in an element or an attribute. */
export function escapeMarkup(text: string) {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char]);
}

/** CSS class that Streamlit gives to the element with this key. */
export function classOf(key: string) {
  return "st-key-" + key.trim().replace(/[^a-zA-Z0-9_-]/g, "-");
}

/** Element of Streamlit with this key on the page. */
export function elementOf(key: string): HTMLElement | null {
  return document.querySelector(`.stApp .${classOf(key)}`);
}

export function heightOf(el: HTMLElement | null) {
  return el ? Math.round(el.getBoundingClientRect().height) : 0;
}

/** Whether a card is on the stage: ../presenter/show.ts. */
export function isOnStage() {
  return globalThis.document?.documentElement.dataset.stage !== undefined;
}

/** An element and the shadow roots of the components in it. */
function rootsOf(el: Element): ParentNode[] {
  return [el, ...[...el.querySelectorAll("*")].flatMap(({ shadowRoot }) => (shadowRoot ? [shadowRoot] : []))];
}

/** Elements that match a selector in an element and in the components in it. */
export function inside(el: Element | null, selector: string): HTMLElement[] {
  return el ? rootsOf(el).flatMap((root) => [...root.querySelectorAll<HTMLElement>(selector)]) : [];
}

/** Give an element a shadow root with a style of its own. */
export function makeShadow(host: HTMLElement, style: string) {
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  root.adoptedStyleSheets = [sheet];
  return root;
}

/**
 * Copy values of the theme: what is outside of the app inherits none.
 * @param from element of a component
 * @param names of the values, without --st-
 */
export function copyTheme(from: Element, to: HTMLElement, names: readonly string[]) {
  const style = getComputedStyle(from);
  for (const name of names) to.style.setProperty(`--st-${name}`, style.getPropertyValue(`--st-${name}`));
}
