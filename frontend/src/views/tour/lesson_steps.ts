// Button that goes through the steps of a lesson. It stands out until they have been taken in this browser.

import { keep, kept } from "../../page/storage.ts";
import { TourButton } from "./tour_button.ts";

const TAKEN = "bpe-lab: steps of "; // in the browser's storage, with the name of the lesson

export class LessonSteps extends TourButton {
  protected override isOffered() {
    return kept("localStorage", TAKEN + this.plan?.of) === null;
  }

  override ended(of: string) {
    keep("localStorage", TAKEN + of, "1");
  }
}
