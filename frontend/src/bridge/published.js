// @ts-check
// Subscriptions of views to relays: frames may arrive before a view is mounted, and repeatedly afterwards.

import { readHead } from "./payload.js";

/** @typedef {(data: Uint8Array) => void} Draw */
/**
 * Both are keyed by the view's name. `views`: mount points by view; while Streamlit redraws the page, a view can have
 * two, either of which may remain.
 * @typedef {{ brought: Map<string, Uint8Array>, views: Map<string, Map<object, Draw>> }} Relayed
 */

/** @type {Relayed} */
const { brought, views } = { brought: new Map(), views: new Map() };

/**
 * Publish a frame to the view of this name.
 * @param {string} name
 * @param {Uint8Array} data
 */
export function publish(name, data) {
  brought.set(name, data);
  for (const take of views.get(name)?.values() ?? []) take(data);
}

/**
 * Drop a frame after its relay is unmounted, so that later views do not get it. A frame of the next relay stays:
 * Streamlit mounts a new relay before it unmounts the old one.
 * @param {string} name
 * @param {Uint8Array} data
 */
export function unpublish(name, data) {
  if (brought.get(name) === data) brought.delete(name);
}

/**
 * Draw a component from its own data or, if that data says so, from each frame that a relay publishes.
 * @param {Mount<any>} component
 * @param {(component: Mount<any>) => void} draw
 * @returns {() => void} unsubscribes
 */
export function follow(component, draw) {
  /** @type {{ relayed?: string }} */
  const { relayed } = component.data instanceof Uint8Array ? readHead(component.data) : {};
  if (relayed === undefined) {
    draw(component);
    return () => {};
  }
  return subscribe(relayed, component.parentElement, (data) => draw({ ...component, data }));
}

/**
 * Subscribe to the frames of a name; `take` also gets the latest one.
 * @param {string} name
 * @param {object} place mount point; only its newest `take` counts
 * @param {Draw} take
 * @returns {() => void} unsubscribes
 */
export function subscribe(name, place, take) {
  const places = views.get(name) ?? new Map();
  views.set(name, places.set(place, take));
  const last = brought.get(name);
  if (last) take(last);
  return () => {
    if (places.get(place) === take) places.delete(place);
  };
}
