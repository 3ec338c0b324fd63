// Writes to the clipboard and confirms it briefly. Without https, as in some classrooms, the clipboard API is missing:
// fall back to the copy command.

const SHOWN = 2500; // milliseconds that a confirmation is shown
const timers = new WeakMap<HTMLElement, number>();

/**
 * @param where element for the hidden field of the copy command: a dialog makes the rest of the page inert
 * @returns whether it was copied
 */
export async function copyText(text: string, where: Element = document.body): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.style.position = "fixed";
    field.style.opacity = "0";
    where.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

/** @param usual default text, restored afterwards */
export function sayBriefly(label: HTMLElement, text: string, usual: string) {
  const button = label.parentElement;
  button?.style.setProperty("min-width", `${button.getBoundingClientRect().width}px`); // what is beside it stays in place
  label.textContent = text;
  label.classList.add("brief");
  clearTimeout(timers.get(label));
  const timer = setTimeout(() => {
    label.textContent = usual;
    label.classList.remove("brief");
    button?.style.removeProperty("min-width");
  }, SHOWN);
  timers.set(label, timer);
}
