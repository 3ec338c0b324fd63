// The words of a curve at a step, and its mark: a dotted line with a dot. What they say arrives by another component.

const curves = new Map();   // by name: where to draw
const marks = new Map();    // by name: what to say, which may arrive before the curve does

function show(name) {
  const root = curves.get(name), mark = marks.get(name);
  if (!root || !mark) return;
  root.querySelector("b").textContent = mark.value;
  const line = root.querySelector("i");
  line.style.setProperty("--left", mark.left);
  line.style.setProperty("--top", 100 * mark.top + "%");
}

export default function ({ data, parentElement: root }) {
  if (data.marks) {
    root.querySelector(".words").hidden = true;
    for (const mark of data.marks) { marks.set(mark.curve, mark); show(mark.curve); }
    return;
  }
  const { curve, caption, plot } = data;
  curves.set(curve, root);
  root.querySelector("span").textContent = caption;
  for (const [name, pixels] of Object.entries(plot)) root.querySelector("i").style.setProperty("--" + name, pixels + "px");
  show(curve);
  return () => { if (curves.get(curve) === root) curves.delete(curve); };
}
