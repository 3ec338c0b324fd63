// The story of a step: left + right → new in large chips, and sentences that may hold chips.

const shownRev = new WeakMap();

function sign(text, spoken) {
  const el = make("span", "op", text);
  el.setAttribute("role", "img");
  el.setAttribute("aria-label", spoken);
  return el;
}

/** A part of a sentence: text, { strong }, or { chips } of one token or of a pair. */
function partOf(part) {
  if (typeof part === "string") return part;
  if (part.strong !== undefined) return make("strong", "", part.strong);
  const group = make("span", "inline");
  part.chips.forEach((chip, at) => {
    if (at) group.append(sign("+", "and"));
    group.append(makeChip(chip));
  });
  return group;
}

/** Many sentences in a narrow window: smaller letters rather than a last line that nobody sees. */
function fit(story) {
  story.classList.remove("tight", "tighter");
  for (const size of ["tight", "tighter"]) {
    if (story.scrollHeight <= story.clientHeight) return;
    story.classList.add(size);
  }
}

const watchers = new WeakMap();

function watch(story) {
  watchers.get(story)?.disconnect();
  const watcher = new ResizeObserver(() => fit(story));   // it calls at once as well, before the story is painted
  watcher.observe(story);
  watchers.set(story, watcher);
}

export default function ({ data, parentElement: root }) {
  const { head, body } = readPayload(data, shownRev.get(root));
  if (!body) return;
  shownRev.set(root, head.rev);
  const story = root.querySelector(".story");
  story.setAttribute("role", "group");
  story.setAttribute("aria-label", body.label);
  const words = make("div", "words");
  words.append(...body.sentences.map(sentence => {
    const p = make("p");
    p.append(...sentence.map(partOf));
    return p;
  }));
  if (!body.chips.length) { story.replaceChildren(words); watch(story); return; }
  const [left, right, made] = body.chips.map(makeChip);
  made.classList.add("fresh");
  const chips = make("div", "chips");
  chips.append(left, sign("+", "and"), right, sign("\u2192", "become"), made);
  story.replaceChildren(chips, words);
  watch(story);
}
