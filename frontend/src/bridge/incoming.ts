// Messages of the server, before Streamlit handles them. Streamlit renders its page for each of the messages that answer
// a key, and a view would get its data after all these renderings. So the data of views are published as they arrive, and
// Streamlit gets the messages of the answer together, once the views are painted.

import { read } from "./mounts.ts";
import { publishRenewed } from "./published.ts";
import { toldIn } from "./widget_messages.ts";

const LONGEST = 250; // milliseconds for which messages are kept from Streamlit

let phase: "" | "asked" | "answering" = "";
let isPainted = true; // what was published last
const kept: (() => void)[] = [];
let timer = 0;

/** Keep the next messages until the answer to a key is painted. Call when the key is sent. */
export function expectAnswer() {
  phase = "asked";
}

/** Start listening to the messages. */
export function watchMessages() {
  const { addEventListener } = WebSocket.prototype;
  WebSocket.prototype.addEventListener = function (
    type: string,
    listener: EventListenerOrEventListenerObject,
    ...more: (boolean | AddEventListenerOptions | undefined)[]
  ) {
    const listen = (event: Event) => {
      const pass = () => (listener as EventListener).call(this, event);
      if (event instanceof MessageEvent) return take(event.data, pass);
      giveAll();
      pass();
    };
    addEventListener.call(this, type, listen, ...more);
  };
}

/** @param pass hands the message to Streamlit */
function take(data: unknown, pass: () => void) {
  if (!(data instanceof ArrayBuffer)) return pass();
  const { begins, ends, payload } = toldIn(new Uint8Array(data));
  const { view, data: frames } = payload ? read(payload) : { view: "", data: null };
  const isRelay = view === "relay";
  if (isRelay && phase && publishRenewed(frames as Uint8Array)) {
    isPainted = false;
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(painted, 0)));
  }
  kept.push(pass);
  timer ||= setTimeout(giveUp, LONGEST);
  if (phase === "asked" && begins) phase = "answering";
  else if (phase === "answering" && (isRelay || ends)) phase = "";
  if (!phase && isPainted) giveAll();
}

function giveUp() {
  phase = "";
  painted();
}

function painted() {
  isPainted = true;
  giveAll();
}

/** Hand all messages to Streamlit. */
function giveAll() {
  clearTimeout(timer);
  timer = 0;
  for (const pass of kept.splice(0)) pass();
}
