// Asks for another run of its fragment when the player has come to another step, as soon as the app rests: never while
// a move is on its way, since of two requests that reach Streamlit together it may drop one.

const IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"]';
const REST = 30;   // milliseconds
const followers = new WeakMap();

class Follower {
  constructor() {
    this.timer = 0;
    this.onStep = event => { this.wanted = event.detail; this.wait(); };
    addEventListener("bpe-lab-step", this.onStep);
  }

  update({ data, setTriggerValue }) {
    this.step = data.step;
    this.report = setTriggerValue;
  }

  /** A whole run of the page brings the step by itself; so it is asked for only when nothing runs any more. */
  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (document.documentElement.dataset.moving || !document.querySelector(IDLE)) this.wait();
      else if (this.wanted !== this.step) this.report("follow", this.wanted);
    }, REST);
  }

  stop() {
    clearTimeout(this.timer);
    removeEventListener("bpe-lab-step", this.onStep);
  }
}

export default function (component) {
  const root = component.parentElement;
  if (!followers.has(root)) followers.set(root, new Follower());
  followers.get(root).update(component);
  return () => { followers.get(root)?.stop(); followers.delete(root); };
}
