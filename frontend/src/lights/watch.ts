// Loads the lights with the first move of the pointer or of the focus.

import { loadPart } from "../bridge/parts.ts";

const BEGINS = ["pointermove", "pointerdown", "focusin"];

export function watchTokens() {
  let target: EventTarget | null = null; // the latest, once the part is loaded
  let loading: Promise<void> | null = null;
  const begin = (event: Event) => {
    [target] = event.composedPath();
    loading ??= loadPart("lights").then(
      ({ Lights }) => {
        for (const name of BEGINS) removeEventListener(name, begin);
        new Lights().listen(target);
      },
      () => {
        loading = null; // the next move tries again
      },
    );
  };
  for (const name of BEGINS) addEventListener(name, begin, { passive: true });
}
