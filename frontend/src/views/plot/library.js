// @ts-check
// plotly.js, fetched from this server when the first chart comes into sight, once for a tab.

/**
 * What is used of it. `plotly_*` events come from the element that it draws in.
 * @typedef {{ react: (el: HTMLElement, data: unknown[], layout: object, config: object) => Promise<unknown>,
 *   relayout: (el: HTMLElement, layout: object) => Promise<unknown>, purge: (el: HTMLElement) => void,
 *   Fx: { hover: (el: HTMLElement, at: object, subplot?: string) => void, unhover: (el: HTMLElement) => void } }} Plotly
 */

const STYLE = "plotly.js-style-global"; // what Plotly calls its own style in the page

/** @type {Promise<Plotly> | null} */
let plotly = null;

/** Whether plotly.js is loaded or on its way. */
export function isPlotlyAsked() {
  return plotly !== null;
}

/**
 * @param {string} path from the address of the app
 * @returns {Promise<Plotly>}
 */
export function loadPlotly(path) {
  return (plotly ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = new URL(path, rootOfApp()).href;
    script.onload = () => resolve(/** @type {any} */ (window).Plotly);
    script.onerror = () => {
      plotly = null; // the next chart asks again
      script.remove();
      reject(new Error("plotly.js has not come"));
    };
    document.head.append(script);
  }));
}

/** The address of the app: pages are below it, and Streamlit's scripts are in a folder of it. */
function rootOfApp() {
  const own = [...document.scripts].find(({ src }) => src.includes("/static/"));
  return own ? own.src.slice(0, own.src.indexOf("/static/") + 1) : location.href;
}

/**
 * Plotly writes its style into the page, which a shadow tree does not see.
 * @param {Node} root
 */
export function shareStyle(root) {
  const style = document.getElementById(STYLE);
  if (!(root instanceof ShadowRoot) || !(style instanceof HTMLStyleElement) || !style.sheet) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync([...style.sheet.cssRules].map(({ cssText }) => cssText).join("\n"));
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}
