// Parser for Streamlit's messages, limited to the values of widgets and the payloads of components. A protocol-buffers
// message is a sequence of fields; if an embedded message occurs twice, the second is merged into the first.

/** Field numbers of BackMsg, ClientState, WidgetStates and WidgetState in Streamlit's protocol. */
const RERUN_SCRIPT = 11;
const WIDGET_STATES = 2;
const WIDGET = 1;
const ID = 1;
const JSON_TRIGGER = 16;
const TRIGGERS = [2, 14]; // a button, and a menu's choice: absent from the next message
const VALUES = [3, 4, 5, 6, 7, 8, 9]; // bool, double, int, string, and arrays of three of them

/** Field numbers of ForwardMsg, Delta, Element and BidiComponent. */
const NEW_SESSION = 4;
const SCRIPT_FINISHED = 6;
const PAYLOAD = [5, 3, 59, 12];

/** Content of a server message: the begin or end of a run, or a component's payload in bytes. */
export interface Told {
  begins: boolean;
  ends: boolean;
  payload: Uint8Array | undefined;
}

/** Value of one of Streamlit's own widgets. */
export interface Choice {
  id: string;
  isTrigger: boolean;
  bytes: Uint8Array;
}

/** Values of Streamlit's own widgets, values before triggers; null if the message requests no run. */
export function choicesIn(message: Uint8Array): Choice[] | null {
  const asked = contentsOf(message, RERUN_SCRIPT);
  if (!asked.length) return null;
  const widgets = asked.flatMap((run) => contentsOf(run, WIDGET_STATES)).flatMap((all) => contentsOf(all, WIDGET));
  const found = widgets.map((bytes) => {
    const kinds = Array.from(fieldsOf(bytes), ([number]) => number).filter((number) => number !== ID);
    const id = new TextDecoder().decode(contentsOf(bytes, ID)[0]);
    const isChoice = !kinds.length || [...TRIGGERS, ...VALUES].includes(kinds[0]); // a cleared number has only an id
    return { id, bytes, isTrigger: TRIGGERS.includes(kinds[0]), isChoice };
  });
  const choices = found.filter(({ id, isChoice }) => id && isChoice);
  return [...choices.filter(({ isTrigger }) => !isTrigger), ...choices.filter(({ isTrigger }) => isTrigger)];
}

export function toldIn(message: Uint8Array): Told {
  const kinds = Array.from(fieldsOf(message), ([number]) => number);
  let payload: Uint8Array | undefined = message;
  for (const number of PAYLOAD) payload = payload && contentsOf(payload, number)[0];
  return { begins: kinds.includes(NEW_SESSION), ends: kinds.includes(SCRIPT_FINISHED), payload };
}

/**
 * Add a component's actions to a message, in the form that its `setTriggerValue` would send separately.
 * @param key of the component, which only the server can map to its id: ui/serving/choices.py
 */
export function withActions(message: Uint8Array, key: string, actions: unknown) {
  const events = JSON.stringify([{ event: "acts", value: actions }]);
  const widget = joined(field(ID, encoded(`bpe-lab events: ${key}`)), field(JSON_TRIGGER, encoded(events)));
  return joined(message, field(RERUN_SCRIPT, field(WIDGET_STATES, field(WIDGET, widget))));
}

/** Encode bytes as text. */
export function base64(bytes: Uint8Array) {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

function contentsOf(bytes: Uint8Array, wanted: number) {
  const found = [];
  for (const [number, content] of fieldsOf(bytes)) if (number === wanted && content) found.push(content);
  return found;
}

/** Number of each field, and its content if the field has a length. */
function* fieldsOf(bytes: Uint8Array): Generator<[number: number, content: Uint8Array | null]> {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; at < bytes.length; factor *= 128) {
      const byte = bytes[at];
      at += 1;
      value += (byte % 128) * factor;
      if (byte < 128) break;
    }
    return value;
  };
  while (at < bytes.length) {
    const tag = varint();
    const kind = tag % 8;
    const size = kind === 2 ? varint() : ({ 1: 8, 5: 4 }[kind] ?? 0);
    if (kind === 0) varint();
    yield [Math.floor(tag / 8), kind === 2 ? bytes.subarray(at, at + size) : null];
    at += size;
  }
}

function field(number: number, content: Uint8Array) {
  return joined(varintOf(number * 8 + 2), varintOf(content.length), content);
}

function varintOf(value: number) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return Uint8Array.from([...bytes, value]);
}

function encoded(text: string) {
  return new TextEncoder().encode(text);
}

function joined(...parts: Uint8Array[]) {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
