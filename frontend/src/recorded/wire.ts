// Connection of a page in a notebook's cell to the kernel. The notebook's script, widget.ts, answers the page's greeting
// with a port. Without an answer, as in a saved notebook, the page plays what is recorded.

import type { Frames, OpenedToken } from "./recording.ts";

export const GREETING = "bpe-lab";

/** Message of the kernel or the notebook; parts may be absent. */
export interface Told {
  /** The step of the player in Python. */
  step?: number;
  /** The last step; it may be beyond the recorded ones. */
  last?: number;
  /** Theme of the notebook; null if it has none. */
  dark?: boolean | null;
  /** A step and its frames. */
  frames?: [step: number, frames: Frames];
  /** An id and its token. */
  token?: [id: number, token: OpenedToken];
  /** Frames that are the same at every step. */
  fixed?: Frames;
}

/** Message of a page: the step it shows, or what it requests from the kernel. */
export type Asked = { step: number } | { want: "step" | "token" | "merges"; of: number };

type Take = (told: Told) => void;

const takers = new Set<Take>();
let port: MessagePort | null = null;

/**
 * Call a function with every message.
 * @returns unsubscribes
 */
export function whenTold(take: Take): () => void {
  takers.add(take);
  return () => takers.delete(take);
}

/** Send a message to the kernel; lost if there is none. */
export function tell(asked: Asked) {
  port?.postMessage(asked);
}

/** Greet the notebook, now and on each request. */
export function connect() {
  if (parent === window) return;
  const greet = () => parent.postMessage(GREETING, "*");
  addEventListener("message", ({ source, data, ports }: MessageEvent) => {
    if (source !== parent || data !== GREETING) return;
    if (ports[0]) listen(ports[0]);
    else greet();
  });
  greet();
}

function listen(given: MessagePort) {
  port?.close();
  port = given;
  port.onmessage = ({ data }: MessageEvent<Told>) => takers.forEach((take) => take(data));
}
