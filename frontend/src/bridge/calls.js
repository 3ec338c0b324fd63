// @ts-check
// Calls of a component's script at a mount point. Streamlit calls the script again with each new data, without ending
// the previous call until the component is unmounted. But a call that was overtaken while the script was loading, by
// new data or another theme, is ended after the newer one has drawn: by then the content belongs to the newer call.

/** @type {WeakMap<object, { ends: (() => void)[] }>} */
const newestCalls = new WeakMap();

/**
 * Register cleanups of the running call. They run at the next call for this mount point, or when it is unmounted.
 * @param {object} place
 * @param {...() => void} ends
 */
export function onNextCall(place, ...ends) {
  newestCalls.get(place)?.ends.push(...ends);
}

/**
 * Call a component's script; scripts.py adds this call to every component.
 * @template {{ parentElement: object }} Component
 * @param {(component: Component) => void | (() => void)} script
 * @param {Component} component
 * @returns {() => void} cleanup; no-op after a newer call
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
