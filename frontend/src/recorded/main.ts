// A page that plays without a server: views of the app, drawn from what was recorded.

import { giveCatalogue } from "../bridge/mounts.ts";
import { forgetActions } from "../bridge/outbox.ts";
import { setLanguage } from "../i18n/words.ts";
import { Lights } from "../lights/lights.ts";
import { find } from "../page/elements.ts";
import { keysOfTab } from "../page/keys.ts";
import { algorithmsCards } from "./algorithms.ts";
import { ComparisonCards } from "./comparison.ts";
import { encodingCards } from "./encoding.ts";
import { LessonCards } from "./lesson.ts";
import { readRecording, type Recording, type Shown } from "./recording.ts";
import { themeButton } from "./theme.ts";
import { trainingCards } from "./training.ts";
import { connect } from "./wire.ts";

function drawPage(recording: Recording, main: HTMLElement) {
  giveCatalogue(recording.language, recording.words);
  setLanguage(recording.language, recording.words);
  forgetActions();
  keysOfTab();
  main.replaceChildren(...(recording.kind === "lesson" ? new LessonCards(recording, cardsOf).cards : cardsOf(recording)));
  if (recording.cell) document.documentElement.dataset.cell = "";
  find(document, "header", HTMLElement).append(themeButton());
  new Lights().listen(null);
  connect();
}

function cardsOf(recording: Shown): HTMLElement[] {
  if (recording.kind === "training") return trainingCards(recording);
  if (recording.kind === "algorithms") return algorithmsCards(recording);
  return recording.kind === "comparison" ? new ComparisonCards(recording).cards : encodingCards(recording);
}

const main = find(document, "main", HTMLElement);
readRecording(find(document, "#recording", HTMLElement).textContent ?? "").then((recording) => drawPage(recording, main));
