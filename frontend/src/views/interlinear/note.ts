// Note below the line that it is about: why the tokenizers differ at the marked bytes, or that they agree there.

import { readPayload } from "../../bridge/payload.ts";
import { subscribe } from "../../bridge/published.ts";
import { make } from "../../page/elements.ts";
import { piecesOf, type SentenceWire } from "../../tokens/evidence.ts";
import type { Bytes } from "./chunk.ts";

/** From `interlinear.py`. */
interface NoteBody {
  of: Bytes; // the marked bytes at which it holds
  at: Bytes; // the bytes below which it is drawn
  title: string;
  pair: string;
  sentence: SentenceWire;
}

/** Chunk of a line, by its bytes. */
interface Part {
  geometry: { start: number; end: number };
  el: HTMLElement;
}

export class LineNote {
  readonly el = make("div", "note");
  private body: NoteBody | null = null;
  private name: string | null = null;
  private unsubscribe = () => {};

  /** Draw the notes that a relay publishes under this name; `changed` is called after each. */
  follow(name: string | null, changed: () => void) {
    if (name === this.name) return;
    this.end();
    this.name = name;
    if (name === null) return;
    this.unsubscribe = subscribe(name, this, (data) => {
      this.draw(readPayload<{ rev: string }, NoteBody>(data, null).body);
      changed();
    });
  }

  private draw(body: NoteBody) {
    this.body = body;
    const head = body.title ? [make("strong", "", body.title), make("span", "dim", body.pair)] : [];
    const sentence = make("p", "");
    sentence.append(...piecesOf(body.sentence, false));
    this.el.replaceChildren(...head, sentence);
    this.el.setAttribute("aria-hidden", "true"); // a listbox has options alone; the card of the reason is read out
  }

  /** Put the note below its bytes, or remove it if it does not hold for these marked bytes. */
  place(parts: Part[], marked: Bytes | null) {
    const { body, el } = this;
    const [start] = body && String(body.of) === String(marked) ? body.at : [-1];
    const above = parts.find(({ geometry }) => geometry.start <= start && start < geometry.end)?.el;
    if (!above) el.remove();
    else if (el.previousSibling !== above) above.after(el);
  }

  end() {
    this.unsubscribe();
  }
}
