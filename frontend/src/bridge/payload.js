// @ts-check
// Decoding of payloads: a header line of small values, then a body. Python's side is ui/views/protocol.py.

const decoder = new TextDecoder();
const NEWLINE = 10;

/**
 * Parse the header line of a payload.
 * @param {Uint8Array} data
 * @returns {any} header from the view's Python side; the caller sets the type
 */
export function readHead(data) {
  return JSON.parse(decoder.decode(data.subarray(0, data.indexOf(NEWLINE))));
}

/**
 * Unpack frames that were sent in one message, by view name.
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
 * Parse a payload; the body is parsed only if its `rev` is new, else null.
 * @param {Uint8Array} data
 * @param {string | null | undefined} knownRev
 * @returns {{ head: any, body: any }}
 */
export function readPayload(data, knownRev) {
  const head = readHead(data);
  const body = head.rev === knownRev ? null : JSON.parse(decoder.decode(data.subarray(data.indexOf(NEWLINE) + 1)));
  return { head, body };
}
