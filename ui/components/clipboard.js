// @ts-check
// Writes to the clipboard, and says so for a moment. A page without https, as a class may open it, has no clipboard to
// write to: there the old way copies.

const SHOWN = 2500; // milliseconds that an answer is shown
/** @type {WeakMap<HTMLElement, number>} */
const timers = new WeakMap();

/**
 * @param {string} text
 * @returns {Promise<boolean>} whether it was copied
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.style.position = "fixed";
    field.style.opacity = "0";
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

/**
 * @param {HTMLElement} label
 * @param {string} text
 * @param {string} usual what the label says again after it
 */
export function sayBriefly(label, text, usual) {
  label.textContent = text;
  clearTimeout(timers.get(label));
  const timer = setTimeout(() => {
    label.textContent = usual;
  }, SHOWN);
  timers.set(label, timer);
}
