// Marks the terms in captions of views. What Streamlit draws is marked in Python: ui/widgets/layout.py.

import FORMS from "../../../ui/widgets/terms.json" with { type: "json" };
import { build } from "../page/elements.ts";
import { glossary } from "../page/terms.ts";
import { language } from "../i18n/words.ts";

/** Forms of the terms in the page's language, by name. */
function formsNow(): Record<string, string> {
  return FORMS[language() as keyof typeof FORMS] ?? FORMS.en;
}

function patternNow() {
  const forms = Object.values(formsNow()).map((form) => (/^[a-z]/.test(form) ? `\\b(${form})\\b` : `(${form})`));
  return new RegExp(forms.join("|"), "giu");
}

/** Make the first occurrence of each term in a view's captions a link to its definition. */
function mark(captions: HTMLElement[]) {
  const names = Object.keys(formsNow());
  const pattern = patternNow();
  const marked = new Set<string>();
  for (const el of captions) {
    const text = el.textContent;
    const parts: (Node | string)[] = [];
    let end = 0;
    for (const found of text.matchAll(pattern)) {
      const name = names[found.slice(1).findIndex((group) => group !== undefined)];
      if (marked.has(name)) continue;
      marked.add(name);
      parts.push(text.slice(end, found.index), build("a", { href: `#term-${name}` }, found[0]));
      end = found.index + found[0].length;
    }
    if (end) el.replaceChildren(...parts, text.slice(end));
  }
}

/** Mark the captions that are drawn, and from now on each when it is drawn. */
export function markAll() {
  glossary.mark = mark;
  for (const { shadowRoot } of document.querySelectorAll("*")) {
    for (const over of shadowRoot?.querySelectorAll(".over") ?? []) {
      mark([...over.querySelectorAll<HTMLElement>("b, span:not(.hint)")]);
    }
  }
}
