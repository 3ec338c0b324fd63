// Draws views into Streamlit's mount points. All views share one Streamlit component: each payload is addressed to a
// view, in a language. Python's side is ui/views/component.py.

import { setLanguage } from "../i18n/words.ts";
import { follow } from "./published.ts";
import type { Definition, Views } from "../views.ts";
import type { View } from "./view.ts";

interface Addressed {
  view: string;
  language: string;
  data: unknown;
}

/** The component that all views share. */
export type StreamlitComponent = Mount<Payload, ShadowRoot>;

type Payload = Uint8Array | [view: string, language: string, data: unknown];

interface Mounted {
  name: string;
  language: string;
  view: View<unknown>;
  calls: number; // by Streamlit
  unfollow: () => void; // unsubscribes from the last payload's relay
}

const NEWLINE = 10;
const RELOADED = "bpe-lab-reloaded-for";
const decoder = new TextDecoder();
const mounts = new WeakMap<ShadowRoot, Mounted>();
const newest = new WeakMap<ShadowRoot, StreamlitComponent>(); // call of each place
const sheets = new Map<string, CSSStyleSheet>();
const catalogues = new Map<string, Record<string, string>>([["en", {}]]);
const asked = new Map<string, Promise<Record<string, string>>>(); // catalogues being fetched

/**
 * Whether this script matches the server's payloads. A page that outlives a server update has an
 * older script: it is reloaded, once.
 * @param version folder of the server's scripts
 */
export function isCurrent(version: string) {
  if (import.meta.url.includes(`/${version}/`)) return true;
  try {
    if (sessionStorage.getItem(RELOADED) === version) return true; // reloaded already, with the same script
    sessionStorage.setItem(RELOADED, version);
  } catch {
    return true; // storage is disabled
  }
  location.reload();
  return false;
}

/**
 * Entry point of the Streamlit component: draw the view that a payload is addressed to.
 * @returns cleanup
 */
export function drawAt(views: Views, component: StreamlitComponent): (() => void) | Promise<() => void> {
  const addressed = read(component.data);
  const definition = views[addressed.view];
  const words = catalogues.get(addressed.language);
  newest.set(component.parentElement, component);
  if (words && typeof definition !== "function") return drawIn(definition, component, addressed, words);
  return drawLater(views, component, addressed);
}

/**
 * Draw when the view's definition and catalogue are loaded, unless the place has received a newer call or was removed.
 * If the definition cannot be loaded, nothing is drawn until the next payload: an error would make Streamlit give up
 * the place.
 */
async function drawLater(views: Views, component: StreamlitComponent, addressed: Addressed) {
  const [definition, words] = await Promise.all([
    definitionOf(views, addressed.view).catch(() => null),
    catalogues.get(addressed.language) ?? catalogueOf(addressed.language),
  ]);
  const place = component.parentElement;
  if (!definition || !place.isConnected || newest.get(place) !== component) return () => {};
  return drawIn(definition, component, addressed, words);
}

/** Definition of a view; a loaded one replaces its loader in the table. */
async function definitionOf(views: Views, name: string) {
  const definition = views[name];
  return typeof definition === "function" ? (views[name] = await definition()) : definition;
}

/**
 * Streamlit calls this for each new payload, and cleans up the last call when the component is unmounted. The cleanup
 * of a call that was followed by another is a no-op.
 */
function drawIn(
  definition: Definition,
  component: StreamlitComponent,
  addressed: Addressed,
  words: Record<string, string>,
) {
  const place = component.parentElement;
  setLanguage(addressed.language, words);
  let mounted = mounts.get(place);
  if (mounted?.name !== addressed.view || mounted.language !== addressed.language) {
    if (mounted) unmount(place, mounted);
    mounted = mount(place, definition, addressed);
  }
  const { view } = mounted;
  const call = (mounted.calls += 1);
  mounted.unfollow();
  mounted.unfollow = follow({ ...component, data: addressed.data, parentElement: view.root }, (given) =>
    view.update(given),
  );
  return () => {
    if (mounts.get(place) === mounted && mounted.calls === call) unmount(place, mounted);
  };
}

function mount(
  place: ShadowRoot,
  { type, styles, markup = type.markup ?? (() => []) }: Definition,
  { view: name, language, data }: Addressed,
): Mounted {
  const root = document.createElement("div");
  root.append(...markup());
  place.adoptedStyleSheets = styles.map(sheetOf);
  place.append(root);
  const view = new type(root, data as never); // of its type, since it is addressed to it
  const mounted = { name, language, view, calls: 0, unfollow: () => {} };
  mounts.set(place, mounted);
  return mounted;
}

function unmount(place: ShadowRoot, { view, unfollow }: Mounted) {
  mounts.delete(place);
  unfollow();
  view.end();
  view.root.remove();
}

function sheetOf(style: string) {
  let sheet = sheets.get(style);
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    sheets.set(style, sheet);
  }
  return sheet;
}

/** Parse a payload's address and data: bytes with the address as their first line, or a list. */
export function read(payload: Payload): Addressed {
  if (!(payload instanceof Uint8Array)) {
    const [view, language, data] = payload;
    return { view, language, data };
  }
  const end = payload.indexOf(NEWLINE);
  const [view, of] = decoder.decode(payload.subarray(0, end)).split(" ");
  return { view, language: of, data: payload.subarray(end + 1) };
}

/** Provide the translations of a language, which are then not fetched. */
export function giveCatalogue(name: string, words: Record<string, string>) {
  catalogues.set(name, words);
}

/** Translations of all texts in scripts, fetched once; none if unavailable. */
function catalogueOf(name: string): Promise<Record<string, string>> {
  const answer = asked.get(name) ?? fetchCatalogue(name).finally(() => asked.delete(name));
  asked.set(name, answer);
  return answer;
}

async function fetchCatalogue(name: string) {
  try {
    const answer = await fetch(new URL(`${name}.json`, import.meta.url));
    const words = await answer.json();
    catalogues.set(name, words);
    return words;
  } catch {
    return {}; // the next view retries
  }
}
