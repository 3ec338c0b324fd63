// @ts-check
// Draws views into Streamlit's mount points. All views share one Streamlit component: each payload is addressed to a
// view, in a language. Python's side is ui/views/component.py.

import { speak } from "../i18n/words.js";
import { follow } from "./published.js";

/** @typedef {import("../views.js").Definition} Definition */
/** @typedef {{ view: string, language: string, data: any }} Addressed */
/**
 * `calls`: number of calls by Streamlit; `unfollow`: unsubscribes from the last payload's relay.
 * @typedef {{ name: string, language: string, view: import("../views.js").MountedView, calls: number, unfollow: () => void }} Mounted
 */

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
const asked = new Map(); // catalogues being fetched

/**
 * Whether this script matches the server's payloads. A page that outlives a server update has an
 * older script: it is reloaded, once.
 * @param {string} script file name of the server's script
 */
export function isCurrent(script) {
  if (import.meta.url.endsWith(`/${script}`)) return true;
  try {
    if (sessionStorage.getItem(RELOADED) === script) return true; // reloaded already, with the same script
    sessionStorage.setItem(RELOADED, script);
  } catch {
    return true; // storage is disabled
  }
  location.reload();
  return false;
}

/**
 * Entry point of the Streamlit component: draw the view that a payload is addressed to.
 * @param {Record<string, Definition>} views
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
 * Streamlit calls this for each new payload, and cleans up the last call when the component is unmounted. If a newer
 * call has drawn while an older one was loading its catalogue, the cleanup of the older call is a no-op.
 * @param {Record<string, Definition>} views
 * @param {Mount<any> & { parentElement: ShadowRoot }} component
 * @param {Addressed} addressed
 * @param {Record<string, string>} words
 */
function drawIn(views, component, addressed, words) {
  const place = component.parentElement;
  speak(addressed.language, words);
  let mounted = mounts.get(place);
  if (mounted?.name !== addressed.view || mounted.language !== addressed.language) {
    if (mounted) unmount(place, mounted);
    mounted = mount(place, views[addressed.view], addressed);
  }
  const { view } = mounted;
  const call = (mounted.calls += 1);
  mounted.unfollow();
  mounted.unfollow = follow({ ...component, data: addressed.data, parentElement: view.root }, (given) => view.update(given));
  return () => {
    if (mounts.get(place) === mounted && mounted.calls === call) unmount(place, mounted);
  };
}

/**
 * @param {ShadowRoot} place
 * @param {Definition} definition
 * @param {Addressed} addressed
 * @returns {Mounted}
 */
function mount(place, { type, styles, markup = type.markup ?? (() => []) }, { view: name, language, data }) {
  const root = document.createElement("div");
  root.append(...markup());
  place.adoptedStyleSheets = styles.map(sheetOf);
  place.append(root);
  const mounted = { name, language, view: new type(root, data), calls: 0, unfollow: () => {} };
  mounts.set(place, mounted);
  return mounted;
}

/**
 * @param {ShadowRoot} place
 * @param {Mounted} mounted
 */
function unmount(place, { view, unfollow }) {
  mounts.delete(place);
  unfollow();
  view.end();
  view.root.remove();
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
 * Parse a payload's address and data: bytes with the address as their first line, or an object.
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
 * Translations of all texts in scripts, fetched once; none if unavailable.
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
    return {}; // the next view retries
  }
}
