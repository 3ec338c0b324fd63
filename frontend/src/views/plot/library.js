// @ts-check
// Lazy loading of plotly.js from this server, once per tab, when the first chart scrolls into view.

/**
 * The part of its API used here. `plotly_*` events are emitted by the element it draws in.
 * @typedef {{ react: (el: HTMLElement, data: unknown[], layout: object, config: object) => Promise<unknown>,
 *   relayout: (el: HTMLElement, layout: object) => Promise<unknown>, purge: (el: HTMLElement) => void,
 *   Fx: { hover: (el: HTMLElement, at: object, subplot?: string) => void, unhover: (el: HTMLElement) => void } }} Plotly
 */

const STYLE = "plotly.js-style-global"; // id of Plotly's own style element

/** @type {Promise<Plotly> | null} */
let plotly = null;

/** Whether plotly.js is loaded or loading. */
export function isPlotlyAsked() {
  return plotly !== null;
}

/**
 * @param {string} path relative to the app's base URL
 * @returns {Promise<Plotly>}
 */
export function loadPlotly(path) {
  return (plotly ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = new URL(path, rootOfApp()).href;
    script.onload = () => resolve(/** @type {any} */ (window).Plotly);
    script.onerror = () => {
      plotly = null; // the next chart retries
      script.remove();
      reject(new Error("plotly.js has not come"));
    };
    document.head.append(script);
  }));
}

/** Base URL of the app, found by Streamlit's scripts: they are in a folder below it. */
function rootOfApp() {
  const own = [...document.scripts].find(({ src }) => src.includes("/static/"));
  return own ? own.src.slice(0, own.src.indexOf("/static/") + 1) : location.href;
}

/**
 * Copy Plotly's style into a shadow tree; Plotly adds it only to the document.
 * @param {Node} root
 */
export function shareStyle(root) {
  const style = document.getElementById(STYLE);
  if (!(root instanceof ShadowRoot) || !(style instanceof HTMLStyleElement) || !style.sheet) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync([...style.sheet.cssRules].map(({ cssText }) => cssText).join("\n"));
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}
