// @ts-check
// What can wait until the browser has nothing else to do.

const MEANWHILE = 50; // milliseconds; Safari does not say when it is at rest

/**
 * Calls `then` when the page is at rest, and after so many milliseconds at the latest.
 * @param {() => void} then
 * @param {number} latest milliseconds
 * @returns {() => void} takes it back
 */
export function whenAtRest(then, latest) {
  if (window.requestIdleCallback) {
    const asked = window.requestIdleCallback(() => then(), { timeout: latest });
    return () => window.cancelIdleCallback(asked);
  }
  const timer = setTimeout(then, MEANWHILE);
  return () => clearTimeout(timer);
}
