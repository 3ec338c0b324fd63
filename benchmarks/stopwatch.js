// From an input event to the frame in which its answer can be seen, on the page's own clock. Looks at every frame.

(() => {
  const IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"]';

  /** The first match in the container of a key, also inside of a component's shadow root. */
  function find(key, selector) {
    const container = document.querySelector(`.st-key-${key}`);
    if (!container || !selector) return container;
    const own = container.querySelector(selector);
    if (own) return own;
    for (const host of container.querySelectorAll('[data-testid="stBidiComponentIsolated"]')) {
      const found = host.shadowRoot?.querySelector(selector);
      if (found) return found;
    }
    return null;
  }

  const READERS = {
    rev: el => el?.dataset.rev,
    text: el => el?.textContent,
    value: el => el?.value,
    node: el => el,
  };

  /** Whether a landmark has appeared: the expected text, or anything other than the previous content. */
  function watcher({ key, selector, read, wants }) {
    const look = () => READERS[read](find(key, selector)) ?? null;
    if (wants !== null) return () => look()?.includes(wants) ?? false;
    const before = look();
    return () => { const now = look(); return now !== null && now !== before; };
  }

  /** Waits for the next event of this type, then for every landmark. */
  function arm(type, landmarks) {
    const waiting = new Map(landmarks.map(landmark => [landmark.name, watcher(landmark)]));
    const painted = {};
    window.stopwatch.result = null;
    window.stopwatch.missing = () => [...waiting.keys()];
    addEventListener(type, event => {
      const frame = () => {
        for (const [name, seen] of [...waiting]) {
          if (!seen()) continue;
          waiting.delete(name);
          requestAnimationFrame(() => { painted[name] = performance.now() - event.timeStamp; });   // by then it was painted
        }
        if (waiting.size || !document.querySelector(IDLE)) requestAnimationFrame(frame);
        else requestAnimationFrame(() => {
          window.stopwatch.result = { painted, idle: performance.now() - event.timeStamp };
        });
      };
      requestAnimationFrame(frame);
    }, { capture: true, once: true });
  }

  window.stopwatch = { arm, find, result: null };
})();
