// Drags the slider of the player on Train over a number of positions, one in each frame, and records what is painted.

(() => {
  const shadow = (key, selector) => window.stopwatch.find(key, selector);

  /** The story names the step, and the text (where it says so) shows it. */
  function isShown(step) {
    const drawn = shadow("text-view", ".flow")?.dataset.step;
    if (drawn !== undefined && drawn !== String(step)) return false;
    const story = shadow("story", ".story")?.textContent ?? "";
    return step === 0 ? story.includes("Step 0.") : story.includes(`Merge ${step.toLocaleString("en")}.`);
  }

  function drag(positions) {
    const slider = shadow("player", ".slider");
    const last = Number(slider.max);
    const frames = [];
    const shown = [];
    const waiting = [];
    window.scrub.result = null;
    let number = 0;
    let before = performance.now();
    const started = before;
    const frame = () => {
      const now = performance.now();
      frames.push(now - before);
      before = now;
      while (waiting.length && isShown(waiting.at(-1).step)) shown.push(now - waiting.pop().at);
      if (number < positions) {
        const step = 1 + Math.round((number * (last - 1)) / (positions - 1));
        number += 1;
        slider.value = String(step);
        slider.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
        waiting[0] = { step, at: performance.now() }; // a position not shown by now is skipped
        requestAnimationFrame(frame);
      } else finish(now - started, last);
    };
    const finish = (took, step) => {
      const ended = performance.now();
      const look = () => {
        const changes = shadow("story", ".story")?.textContent ?? "";
        const idle = document.querySelector('[data-testid="stApp"][data-test-script-state="notRunning"]');
        if (!(isShown(step) && changes.includes("The end") && idle)) requestAnimationFrame(look);
        else window.scrub.result = { frames, shown, took, figures: performance.now() - ended };
      };
      requestAnimationFrame(look);
    };
    requestAnimationFrame(frame);
  }

  window.scrub = { drag, result: null };
})();
