// Subscriptions of views to relays: frames may arrive before a view is mounted, and repeatedly afterwards.

import { readHead, readTogether } from "./payload.ts";

type Draw = (data: Uint8Array) => void;

interface Relayed {
  /** The latest frame by view. */
  brought: Map<string, Uint8Array>;
  /** Mount points by view; while Streamlit redraws the page, a view can have two, either of which may remain. */
  views: Map<string, Map<object, Draw>>;
}

const { brought, views }: Relayed = { brought: new Map(), views: new Map() };

/** Publish a frame to the view of this name. */
export function publish(name: string, data: Uint8Array) {
  brought.set(name, data);
  for (const take of views.get(name)?.values() ?? []) take(data);
}

/**
 * Drop a frame after its relay is unmounted, so that later views do not get it. A frame of the next relay stays:
 * Streamlit mounts a new relay before it unmounts the old one.
 */
export function unpublish(name: string, data: Uint8Array) {
  if (brought.get(name) === data) brought.delete(name);
}

/** Place of a frame among those of a view that has data of its own and a relay: a name of all, and a number. */
type Order = [series: string, number: number];

interface FollowHead {
  relayed?: string;
  renewed?: string;
  order?: Order;
}

const drawn = new WeakMap<object, Order>(); // by mount point

/**
 * Draw a component from its own data or, if that data says so, from each frame that a relay publishes (`relayed`), or
 * from both, the newest of them (`renewed`).
 * @returns unsubscribes
 */
export function follow(component: Mount<unknown>, draw: (component: Mount<unknown>) => void): () => void {
  const { data, parentElement } = component;
  const head: FollowHead = data instanceof Uint8Array ? readHead(data) : {};
  const take = (frame: Uint8Array) => {
    if (!head.renewed || isNewest(parentElement, readHead<FollowHead>(frame).order)) draw({ ...component, data: frame });
  };
  if (head.renewed && data instanceof Uint8Array) take(data);
  else if (head.relayed === undefined) draw(component);
  const name = head.relayed ?? head.renewed;
  return name === undefined ? () => {} : subscribe(name, parentElement, take);
}

function isNewest(place: object, order: Order | undefined) {
  const before = drawn.get(place);
  if (!order || (before?.[0] === order[0] && before[1] > order[1])) return false;
  drawn.set(place, order);
  return true;
}

/**
 * Publish those frames of a message whose views draw the newest (`renewed`): none of them is drawn over a newer one.
 * @returns whether there are any
 */
export function publishRenewed(message: Uint8Array): boolean {
  const found = readTogether(message).filter(([, frame]) => readHead<FollowHead>(frame).renewed);
  for (const [name, frame] of found) publish(name, frame);
  return found.length > 0;
}

/**
 * Subscribe to the frames of a name; `take` also gets the latest one.
 * @param place mount point; only its newest `take` counts
 * @returns unsubscribes
 */
export function subscribe(name: string, place: object, take: Draw): () => void {
  const places = views.get(name) ?? new Map();
  views.set(name, places.set(place, take));
  const last = brought.get(name);
  if (last) take(last);
  return () => {
    if (places.get(place) === take) places.delete(place);
  };
}
