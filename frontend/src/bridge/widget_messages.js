// @ts-check
// Parser for the browser's rerun messages, limited to the values of widgets. A protocol-buffers message is a sequence
// of fields; if an embedded message occurs twice, the second is merged into the first.

/** Field numbers of BackMsg, ClientState, WidgetStates and WidgetState in Streamlit's protocol. */
const RERUN_SCRIPT = 11;
const WIDGET_STATES = 2;
const WIDGET = 1;
const ID = 1;
const JSON_TRIGGER = 16;
const TRIGGERS = [2, 14]; // a button, and a menu's choice: absent from the next message
const VALUES = [3, 4, 5, 6, 7, 8, 9]; // bool, double, int, string, and arrays of three of them

/** @typedef {{ id: string, isTrigger: boolean, bytes: Uint8Array }} Choice value of one of Streamlit's own widgets */

/**
 * Values of Streamlit's own widgets, values before triggers; null if the message requests no run.
 * @param {Uint8Array} message
 * @returns {Choice[] | null}
 */
export function choicesIn(message) {
  const asked = contentsOf(message, RERUN_SCRIPT);
  if (!asked.length) return null;
  const widgets = asked.flatMap((run) => contentsOf(run, WIDGET_STATES)).flatMap((all) => contentsOf(all, WIDGET));
  const found = widgets.map((bytes) => {
    const kinds = Array.from(fieldsOf(bytes), ([number]) => number).filter((number) => number !== ID);
    const id = new TextDecoder().decode(contentsOf(bytes, ID)[0]);
    return { id, bytes, isTrigger: TRIGGERS.includes(kinds[0]), isChoice: [...TRIGGERS, ...VALUES].includes(kinds[0]) };
  });
  const choices = found.filter(({ id, isChoice }) => id && isChoice);
  return [...choices.filter(({ isTrigger }) => !isTrigger), ...choices.filter(({ isTrigger }) => isTrigger)];
}

/**
 * Add a component's actions to a message, in the form that its `setTriggerValue` would send separately.
 * @param {Uint8Array} message
 * @param {string} key of the component, which only the server can map to its id: ui/serving/choices.py
 * @param {unknown} actions
 */
export function withActions(message, key, actions) {
  const events = JSON.stringify([{ event: "acts", value: actions }]);
  const widget = joined(field(ID, encoded(`bpe-lab events: ${key}`)), field(JSON_TRIGGER, encoded(events)));
  return joined(message, field(RERUN_SCRIPT, field(WIDGET_STATES, field(WIDGET, widget))));
}

/**
 * Encode bytes as text.
 * @param {Uint8Array} bytes
 */
export function base64(bytes) {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/**
 * @param {Uint8Array} bytes
 * @param {number} wanted
 */
function contentsOf(bytes, wanted) {
  const found = [];
  for (const [number, content] of fieldsOf(bytes)) if (number === wanted && content) found.push(content);
  return found;
}

/**
 * Number of each field, and its content if the field has a length.
 * @param {Uint8Array} bytes
 * @returns {Generator<[number: number, content: Uint8Array | null]>}
 */
function* fieldsOf(bytes) {
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
    const size = kind === 2 ? varint() : { 1: 8, 5: 4 }[kind] ?? 0;
    if (kind === 0) varint();
    yield [Math.floor(tag / 8), kind === 2 ? bytes.subarray(at, at + size) : null];
    at += size;
  }
}

/**
 * @param {number} number
 * @param {Uint8Array} content
 */
function field(number, content) {
  return joined(varintOf(number * 8 + 2), varintOf(content.length), content);
}

/** @param {number} value */
function varintOf(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return Uint8Array.from([...bytes, value]);
}

/** @param {string} text */
function encoded(text) {
  return new TextEncoder().encode(text);
}

/** @param {Uint8Array[]} parts */
function joined(...parts) {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
