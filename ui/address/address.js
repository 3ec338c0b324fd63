// Keeps the address bar at the link to what is shown. Replaces the current history entry, so that Back leaves the
// page and not the last step; only another lesson is a place of its own.

const PAUSE = 400; // browsers refuse to change the address more than about 100 times in 30 seconds
const KEPT = ["embed", "embed_options"]; // Streamlit's own parameters

const tab = (window.bpeLabAddress ??= { last: 0, timer: 0, waiting: null, shown: null, popped: false, known: new WeakMap() });

export default function ({ data, parentElement }) {
  const text = JSON.stringify(data);
  if (tab.known.get(parentElement) === text) return; // a change of theme, with what may be old by now
  tab.known.set(parentElement, text);
  if (!tab.listens) listen();
  tab.waiting = data;
  clearTimeout(tab.timer);
  const rest = tab.last + PAUSE - performance.now();
  if (rest <= 0) write();
  else tab.timer = setTimeout(write, rest);
}

function listen() {
  tab.listens = true;
  addEventListener("popstate", () => { tab.popped = true; });
  addEventListener("pagehide", write);
  addEventListener("bpe-lab-write-address", write);
}

function write() {
  const data = tab.waiting;
  tab.waiting = null;
  if (!data) return;
  const name = location.pathname.split("/").pop();
  if ((data.paths.includes(name) ? name : "") !== data.path) return; // the page was left meanwhile
  document.documentElement.dataset.link = data.whole ? "whole" : "too long";
  const own = [...new URLSearchParams(location.search)].filter(([key]) => KEPT.includes(key));
  const query = [new URLSearchParams(own).toString(), data.query].filter(Boolean).join("&");
  const moved = tab.shown?.path === data.path && tab.shown.place !== data.place && !tab.popped;
  tab.shown = data;
  tab.popped = false;
  tab.last = performance.now();
  if (location.search === (query && `?${query}`)) return;
  history[moved ? "pushState" : "replaceState"](history.state, "", location.pathname + (query && `?${query}`));
}
