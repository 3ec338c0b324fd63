// @ts-check
// The calls of a component's script at a place. Streamlit calls it again with each new data, and tells the call before
// nothing of it, until the place is gone. But a call that was overtaken, by new data or another theme while the script
// was still on its way, is told to end after the newer one has drawn: what is there is the newer one's by then.

/** @type {WeakMap<object, { ends: (() => void)[] }>} */
const newestCalls = new WeakMap();

/**
 * What was begun by the call that is running, and ends with the next one at this place or with the place.
 * @param {object} place
 * @param {...() => void} ends
 */
export function untilNextCall(place, ...ends) {
  newestCalls.get(place)?.ends.push(...ends);
}

/**
 * Calls a component's script: ../scripts.py adds this to each.
 * @template {{ parentElement: object }} Component
 * @param {(component: Component) => void | (() => void)} script
 * @param {Component} component
 * @returns {() => void} ends what is at the place, unless there was a newer call
 */
export function callAt(script, component) {
  const place = component.parentElement;
  endCall(place);
  const call = { ends: [] };
  newestCalls.set(place, call);
  const end = script(component);
  return () => {
    if (newestCalls.get(place) !== call) return;
    endCall(place);
    newestCalls.delete(place);
    end?.();
  };
}

/** @param {object} place */
function endCall(place) {
  for (const end of newestCalls.get(place)?.ends.splice(0) ?? []) end();
}
