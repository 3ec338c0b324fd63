// @ts-check
// How a view's data arrives: one line of small things, then a body. Python's side is exchange.py.

const decoder = new TextDecoder();
const NEWLINE = 10;

/**
 * The first line of a payload.
 * @param {Uint8Array} data
 * @returns {any} what the view's Python sends; the caller names the type
 */
export function readHead(data) {
  return JSON.parse(decoder.decode(data.subarray(0, data.indexOf(NEWLINE))));
}

/**
 * The frames that were sent together, by the names of their views.
 * @param {Uint8Array} data
 * @returns {[name: string, frame: Uint8Array][]}
 */
export function readTogether(data) {
  /** @type {{ frames: [name: string, size: number][] }} */
  const { frames } = readHead(data);
  let end = data.indexOf(NEWLINE) + 1;
  return frames.map(([name, size]) => [name, data.subarray(end, (end += size))]);
}

/**
 * Both parts of a payload; the body is parsed only when its `rev` is new, and null otherwise.
 * @param {Uint8Array} data
 * @param {string | null | undefined} knownRev
 * @returns {{ head: any, body: any }}
 */
export function readPayload(data, knownRev) {
  const head = readHead(data);
  const body = head.rev === knownRev ? null : JSON.parse(decoder.decode(data.subarray(data.indexOf(NEWLINE) + 1)));
  return { head, body };
}
