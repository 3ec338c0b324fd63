// A page that plays a training without a server: the views of Train, drawn from recorded frames.

import { giveCatalogue } from "../bridge/mounts.ts";
import { setLanguage, t } from "../i18n/words.ts";
import { Lights } from "../lights/lights.ts";
import { build, find, make } from "../page/elements.ts";
import { keysOfTab } from "../page/keys.ts";
import { Course } from "./course.ts";
import { Place } from "./place.ts";
import { bytesOf, readRecording, type Recording } from "./recording.ts";
import { foundIn } from "./search.ts";
import { themeButton } from "./theme.ts";
import { TokenCard } from "./token_card.ts";

const MERGES = "merge table"; // the other keys are those that Python records: bpe_core/bpe/page_views.py

function drawPage(recording: Recording, main: HTMLElement) {
  giveCatalogue(recording.language, recording.words);
  setLanguage(recording.language, recording.words);
  keysOfTab();
  const course = new Course(recording);
  const candidates = card("candidates", new Place("token_table", "candidates table").follow());
  const token = new TokenCard(recording, candidates);
  const text = new Place("token_flow", "text view", { picked: (id) => token.open(id) }).follow();
  main.replaceChildren(
    build("div", { class: "player-bar" }, course.host),
    row(
      card("story", new Place("story", "story").follow()),
      card("changes", new Place("token_table", "changes table").follow()),
    ),
    row(card("text", text), candidates, token.card),
    merges(recording),
  );
  find(document, "header", HTMLElement).append(themeButton());
  new Lights().listen(null);
}

/** The table of merges with its search. */
function merges(recording: Recording) {
  const place = new Place("token_table", MERGES);
  const says = t("Find a token by text or hex bytes");
  const search = build("input", { type: "search", placeholder: says, "aria-label": says, maxlength: "100" });
  const table = recording.fixed[MERGES];
  search.oninput = () => place.draw(bytesOf(foundIn(table, search.value)));
  place.draw(bytesOf(table));
  const made = card("merges", place);
  made.prepend(search);
  return made;
}

function card(name: string, { host }: Place) {
  const made = make("section", `card ${name}`);
  made.append(host);
  return made;
}

function row(...cards: HTMLElement[]) {
  return build("div", { class: "row" }, ...cards);
}

const packed = find(document, "#recording", HTMLElement).textContent ?? "";
readRecording(packed).then(
  (recording) => drawPage(recording, find(document, "main", HTMLElement)),
  () => find(document, "main .unplayed", HTMLElement).removeAttribute("hidden"),
);
