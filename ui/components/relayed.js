// @ts-check
// Views that draw what a relay brings: it may come before they are on the page, and again and again after that.

import { readHead } from "./tokens/payload.js";

/** @typedef {(data: Uint8Array) => void} Draw */
/**
 * Both by the view's name. `views` by their place: where a page is drawn anew, a view can be in two at once, and either
 * may be the one that stays.
 * @typedef {{ brought: Map<string, Uint8Array>, views: Map<string, Map<object, Draw>> }} Relayed
 */

/** What all components of a tab share, each of which is a module of its own. */
function relayedInTab() {
  return (window.bpeLabRelayed ??= { brought: new Map(), views: new Map() });
}

/**
 * A relay has something for the view of this name.
 * @param {string} name
 * @param {Uint8Array} data
 */
export function bring(name, data) {
  const { brought, views } = relayedInTab();
  brought.set(name, data);
  for (const take of views.get(name)?.values() ?? []) take(data);
}

/**
 * The relay is gone: what it brought is nothing to a view that comes later. What the one after it brought is: that one
 * is there before the old one goes, where the page is drawn anew.
 * @param {string} name
 * @param {Uint8Array} data
 */
export function leave(name, data) {
  const { brought } = relayedInTab();
  if (brought.get(name) === data) brought.delete(name);
}

/**
 * Draws a component from its own data, or each time from what a relay brings it, if its data says so.
 * @param {Mount} component
 * @param {(component: Mount) => void} draw
 * @returns {() => void} ends it
 */
export function drawn(component, draw) {
  /** @type {{ relayed?: string }} */
  const { relayed } = readHead(component.data);
  if (relayed === undefined) {
    draw(component);
    return () => {};
  }
  return whenBrought(relayed, component.parentElement, (data) => draw({ ...component, data }));
}

/**
 * Calls `take` with what a relay brings under a name, and has brought last.
 * @param {string} name
 * @param {object} place where it is drawn; only the newest `take` of a place counts
 * @param {Draw} take
 * @returns {() => void} ends it
 */
export function whenBrought(name, place, take) {
  const { brought, views } = relayedInTab();
  const places = views.get(name) ?? new Map();
  views.set(name, places.set(place, take));
  const last = brought.get(name);
  if (last) take(last);
  return () => {
    if (places.get(place) === take) places.delete(place);
  };
}
