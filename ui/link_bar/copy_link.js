// Copies the address, which follows what is shown. A page without https, as a class may open it, has no clipboard
// to write to: there the old way copies.

const SHOWN = 2500;

export default function ({ parentElement }) {
  const button = parentElement.querySelector("button");
  const label = button.querySelector(".label");
  if (!label.textContent) label.textContent = "Copy link";
  button.onclick = async () => {
    dispatchEvent(new Event("bpe-lab-write-address"));
    const whole = document.documentElement.dataset.link !== "too long";
    const done = whole && (await copy(location.href));
    say(button, label, done ? "Copied" : whole ? "Copy it from the address bar" : "Too long: save a lesson file");
  };
}

function say(button, label, text) {
  label.textContent = text;
  clearTimeout(button.timer);
  button.timer = setTimeout(() => { label.textContent = "Copy link"; }, SHOWN);
}

async function copy(text) {
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
