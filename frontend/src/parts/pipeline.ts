// Views of Pipeline alone, loaded with that page, or else with the first payload for one of them.

import { ofTokens } from "../views.ts";
import { Batch } from "../views/batch/batch.ts";
import BATCH from "../views/batch/batch.css";
import { Stages } from "../views/stages/stages.ts";
import STAGES from "../views/stages/stages.css";
import { TextMarks } from "../views/text_marks/text_marks.ts";
import TEXT_MARKS from "../views/text_marks/text_marks.css";

export const VIEWS = {
  batch: ofTokens(Batch, BATCH),
  stages: ofTokens(Stages, STAGES),
  text_marks: ofTokens(TextMarks, TEXT_MARKS),
};
