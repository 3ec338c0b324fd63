// The words of a curve at a step, and its mark: a dotted line with a dot.

export default function ({ data, parentElement: root }) {
  root.querySelector("span").textContent = data.caption;
  root.querySelector("b").textContent = data.value;
  const mark = root.querySelector("i");
  mark.style.left = `calc(${data.start}px + (100% - ${data.start + data.end}px) * ${data.left})`;
  mark.style.top = data.above + "px";
  mark.style.height = data.height + "px";
  mark.style.setProperty("--top", 100 * data.top + "%");
}
