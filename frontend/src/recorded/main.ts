// A page that plays without a server: views of the app, drawn from what was recorded.

import { giveCatalogue } from "../bridge/mounts.ts";
import { forgetActions } from "../bridge/outbox.ts";
import { setLanguage } from "../i18n/words.ts";
import { Lights } from "../lights/lights.ts";
import { find } from "../page/elements.ts";
import { keysOfTab } from "../page/keys.ts";
import { printStyles, screenStyles } from "../page/print.ts";
import { algorithmsCards } from "./algorithms.ts";
import { ComparisonCards } from "./comparison.ts";
import { encodingCards } from "./encoding.ts";
import { endDrawn } from "./kept.ts";
import { languageButtons } from "./languages.ts";
import { LessonCards } from "./lesson.ts";
import { inLanguage, readRecording, type Recording, type Shown } from "./recording.ts";
import { themeButton } from "./theme.ts";
import { trainingCards } from "./training.ts";
import { connect } from "./wire.ts";

const [header, main] = ["header", "main"].map((name) => find(document, name, HTMLElement));

function drawPage(whole: Recording) {
  const codes = Object.keys(whole.languages);
  const asked = location.hash.slice(1);
  const first = codes.includes(asked) ? asked : codes[0];
  forgetActions();
  keysOfTab();
  drawIn(whole, first);
  if (whole.cell) document.documentElement.dataset.cell = "";
  const choose = (code: string) => drawIn(whole, code);
  const languages = codes.length > 1 ? [languageButtons(whole.languages, first, choose)] : [];
  header.append(...languages, themeButton());
  new Lights().listen(null);
  connect();
}

/** Draw the page in a language; the place where the reader was is kept. */
function drawIn(whole: Recording, code: string) {
  const recording = inLanguage(whole, code);
  const { title, about, foot } = recording;
  endDrawn();
  giveCatalogue(code, recording.words);
  setLanguage(code, recording.words);
  document.documentElement.lang = code;
  document.title = find(header, "h1", HTMLElement).textContent = title;
  find(header, "p", HTMLElement).textContent = about;
  find(document, "footer", HTMLElement).textContent = foot;
  const top = scrollY;
  main.replaceChildren(...(recording.kind === "lesson" ? new LessonCards(recording, cardsOf).cards : cardsOf(recording)));
  scrollTo(0, top);
}

function cardsOf(recording: Shown): HTMLElement[] {
  if (recording.kind === "training") return trainingCards(recording);
  if (recording.kind === "algorithms") return algorithmsCards(recording);
  return recording.kind === "comparison" ? new ComparisonCards(recording).cards : encodingCards(recording);
}

addEventListener("beforeprint", printStyles);
addEventListener("afterprint", screenStyles);
readRecording(find(document, "#recording", HTMLElement).textContent ?? "").then(drawPage);
