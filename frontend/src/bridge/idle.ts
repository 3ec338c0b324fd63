// Deferral of work until the browser is idle.

const MEANWHILE = 50; // milliseconds; Safari has no requestIdleCallback

/**
 * Call `then` when the browser is idle, at the latest after `latest`.
 * @param latest milliseconds
 * @returns cancels
 */
export function whenIdle(then: () => void, latest: number): () => void {
  if (window.requestIdleCallback) {
    const asked = window.requestIdleCallback(() => then(), { timeout: latest });
    return () => window.cancelIdleCallback(asked);
  }
  const timer = setTimeout(then, MEANWHILE);
  return () => clearTimeout(timer);
}
