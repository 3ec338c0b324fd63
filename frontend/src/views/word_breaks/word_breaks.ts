// Divides a text into words by the browser's own dictionary, and reports them to Python; draws nothing.

import { View } from "../../bridge/view.ts";
import { wordLengths } from "./lengths.ts";

export class WordBreaks extends View {
  update(component: Mount) {
    const { head, body } = this.open<{ rev: string; name: string }, { text: string }>(component);
    if (body) this.outbox?.act("divided", [head.rev, wordLengths(body.text)]);
  }
}
