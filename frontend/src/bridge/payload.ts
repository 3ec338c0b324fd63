// Decoding of payloads: a header line of small values, then a body. Python's side is bpe_core/payloads/frames.py.

const decoder = new TextDecoder();
const NEWLINE = 10;

/** Parse the header line of a payload. The caller sets the type, which is that of the view's Python side. */
export function readHead<Head>(data: Uint8Array): Head {
  return JSON.parse(decoder.decode(data.subarray(0, data.indexOf(NEWLINE))));
}

/** Unpack frames that were sent in one message, by view name. */
export function readTogether(data: Uint8Array): [name: string, frame: Uint8Array][] {
  const { frames } = readHead<{ frames: [name: string, size: number][] }>(data);
  let end = data.indexOf(NEWLINE) + 1;
  return frames.map(([name, size]) => [name, data.subarray(end, (end += size))]);
}

/** Parse a payload; the body is parsed only if its `rev` is new, else null. */
export function readPayload<Head extends { rev: string }, Body>(
  data: Uint8Array,
  knownRev: null,
): { head: Head; body: Body };
export function readPayload<Head extends { rev: string }, Body>(
  data: Uint8Array,
  knownRev: string | null,
): { head: Head; body: Body | null };
export function readPayload<Head extends { rev: string }, Body>(data: Uint8Array, knownRev: string | null) {
  const head = readHead<Head>(data);
  const body: Body | null =
    head.rev === knownRev ? null : JSON.parse(decoder.decode(data.subarray(data.indexOf(NEWLINE) + 1)));
  return { head, body };
}
