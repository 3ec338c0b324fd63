// @ts-check
// Draws views into Streamlit's mount points. All views share one Streamlit component: each payload is addressed to a
// view, in a language. Python's side is ui/views/component.py.

import { speak } from "../i18n/words.js";
import { callAt } from "./calls.js";

/** @typedef {import("../views.js").View} View */
/** @typedef {{ view: string, language: string, data: any }} Addressed */
/** @typedef {{ view: string, language: string, root: HTMLElement, end: () => void }} Mounted */

const NEWLINE = 10;
const RELOADED = "bpe-lab-reloaded-for";
const decoder = new TextDecoder();
/** @type {WeakMap<ShadowRoot, Mounted>} */
const mounts = new WeakMap();
/** @type {Map<string, CSSStyleSheet>} */
const sheets = new Map();
/** @type {Map<string, Record<string, string>>} */
const catalogues = new Map([["en", {}]]);
/** @type {Map<string, Promise<Record<string, string>>>} */
const asked = new Map(); // catalogues on their way

/**
 * Whether this script is the one whose payloads the server sends. A page that outlives an update of the server has an
 * older one: it is reloaded, once.
 * @param {string} script file name of the server's script
 */
export function isCurrent(script) {
  if (import.meta.url.endsWith(`/${script}`)) return true;
  try {
    if (sessionStorage.getItem(RELOADED) === script) return true; // the reload brought the same script
    sessionStorage.setItem(RELOADED, script);
  } catch {
    return true; // storage is disabled
  }
  location.reload();
  return false;
}

/**
 * The script of the Streamlit component: draw the view that a payload is addressed to.
 * @param {Record<string, View>} views
 * @param {Mount<any> & { parentElement: ShadowRoot }} component
 * @returns {(() => void) | Promise<() => void>} cleanup
 */
export function drawAt(views, component) {
  const addressed = read(component.data);
  const words = catalogues.get(addressed.language);
  if (words) return drawIn(views, component, addressed, words);
  return catalogueOf(addressed.language).then((loaded) => drawIn(views, component, addressed, loaded));
}

/**
 * @param {Record<string, View>} views
 * @param {Mount<any> & { parentElement: ShadowRoot }} component
 * @param {Addressed} addressed
 * @param {Record<string, string>} words
 */
function drawIn(views, component, addressed, words) {
  const place = component.parentElement;
  speak(addressed.language, words);
  let mounted = mounts.get(place);
  if (mounted?.view !== addressed.view || mounted.language !== addressed.language) {
    mounted?.end();
    mounted?.root.remove();
    mounted = mount(place, views[addressed.view], addressed);
  }
  const { root } = mounted;
  mounted.end = callAt(views[addressed.view].draw, { ...component, data: addressed.data, parentElement: root });
  return mounted.end;
}

/**
 * @param {ShadowRoot} place
 * @param {View} view
 * @param {Addressed} addressed
 * @returns {Mounted}
 */
function mount(place, view, addressed) {
  const root = document.createElement("div");
  root.append(...(view.markup?.() ?? []));
  place.adoptedStyleSheets = view.styles.map(sheetOf);
  place.append(root);
  const mounted = { view: addressed.view, language: addressed.language, root, end: () => {} };
  mounts.set(place, mounted);
  return mounted;
}

/** @param {string} style */
function sheetOf(style) {
  let sheet = sheets.get(style);
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    sheets.set(style, sheet);
  }
  return sheet;
}

/**
 * The address and the data of a payload: bytes after a line of their own, or an object.
 * @param {Uint8Array | Addressed} payload
 * @returns {Addressed}
 */
export function read(payload) {
  if (!(payload instanceof Uint8Array)) return payload;
  const end = payload.indexOf(NEWLINE);
  const [view, of] = decoder.decode(payload.subarray(0, end)).split(" ");
  return { view, language: of, data: payload.subarray(end + 1) };
}

/**
 * Translations of the texts of all scripts, fetched once; none if they cannot be had.
 * @param {string} name
 * @returns {Promise<Record<string, string>>}
 */
function catalogueOf(name) {
  const answer = asked.get(name) ?? fetchCatalogue(name).finally(() => asked.delete(name));
  asked.set(name, answer);
  return answer;
}

/** @param {string} name */
async function fetchCatalogue(name) {
  try {
    const answer = await fetch(new URL(import.meta.url.replace(/\.js$/, `.${name}.json`)));
    const words = await answer.json();
    catalogues.set(name, words);
    return words;
  } catch {
    return {}; // the next view asks again
  }
}
