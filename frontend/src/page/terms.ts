// Terms of the glossary: links that open no page but their definition. ui/widgets/layout.py marks them on the page, and
// the part, loaded once the page is idle, in the captions of views.

import { loadPart } from "../bridge/parts.ts";
import { whenIdle } from "../bridge/idle.ts";

const PATIENCE = 3_000; // milliseconds: the page comes first

/** Set by the part. */
export const glossary: { mark: ((captions: HTMLElement[]) => void) | null } = { mark: null };

/** Show a term's definition on hover, focus and tap. */
export function watchTerms() {
  for (const name of ["pointerover", "focusin", "click"]) {
    document.addEventListener(name, (event) => show(event), true);
  }
  addEventListener("load", () => setTimeout(() => whenIdle(load, PATIENCE), PATIENCE));
}

function show(event: Event) {
  const [el] = event.composedPath();
  const term = el instanceof Element ? el.closest<HTMLAnchorElement>('a[href^="#term-"]') : null;
  if (!term) return;
  if (event.type === "click") event.preventDefault();
  load().then((part) => part?.explain(term));
}

/** The part; null while the server is unreachable. */
function load() {
  return loadPart("glossary").catch(() => null);
}
