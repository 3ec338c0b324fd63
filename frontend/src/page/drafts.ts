// Keeps what is typed into Streamlit's fields. Between the arrival of a value from the server and its display, typing
// is undone: the field shows that value instead, and sends nothing. Then the draft is typed once more.

import { typeText } from "./elements.ts";

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Streamlit's fields that show a draft until it is sent. */
export const FIELDS = ".stNumberInput input, .stTextInput input, .stTextArea textarea";
const CHANGES = ["keydown", "beforeinput", "focusout", "pointerdown"]; // events after typing; a field sends at some
const ENDS = ["Enter", "Escape", "ArrowUp", "ArrowDown"]; // keys after which a field may show something else
const MOMENT = 250; // milliseconds; fields that send during typing wait longer

let draft: { field: Field; text: string } | null = null;
let timer = 0;

/** Type the draft again if it was replaced; once, since a field may refuse a text that is too long. */
function keepDraft() {
  if (!draft?.field.isConnected || draft.field.value === draft.text) return;
  typeText(draft.field, draft.text);
  draft = null;
}

function endDraft() {
  keepDraft();
  draft = null;
}

function onInput({ target }: Event) {
  if (!(target instanceof Element && target.matches(FIELDS))) return;
  const field = target as Field;
  draft = { field, text: field.value };
  clearTimeout(timer);
  timer = setTimeout(endDraft, MOMENT);
}

function onChange(event: Event) {
  const goesOn = event instanceof KeyboardEvent ? !ENDS.includes(event.key) : event.type === "beforeinput";
  if (goesOn) keepDraft();
  else endDraft();
}

/** Start listening, before React does. */
export function watchDrafts() {
  document.addEventListener("input", onInput, { capture: true });
  for (const event of CHANGES) document.addEventListener(event, onChange, { capture: true });
}
