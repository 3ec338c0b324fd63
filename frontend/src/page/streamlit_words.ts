// Streamlit's own words, which it has only in English, in the page's language: its menu, navigation, fields and dialogs.

import { language, onLanguage, t, tn } from "../i18n/words.ts";

/** Elements whose text is Streamlit's alone. */
const PLACES = `${placesOf(
  "stMainMenuPopover",
  "stMainMenuButton",
  "stTopNav",
  "stSkipToContent",
  "stFileUploaderDropzone",
  "stNumberInputContainer",
  "stDialog",
  "stToast",
  "stTooltipErrorContent",
  "InputInstructions",
)}, [role="listbox"][data-empty="true"], [data-live-announcer]`;
/** Their text may be the user's, their names are Streamlit's. */
const NAMED = `${placesOf(
  "stHeaderLogo",
  "stHeaderActionElements",
  "stLogoLink",
  "stSelectbox",
  "stMultiSelect",
  "stSlider",
  "stTooltipIcon",
)}, [role="listbox"], [role="progressbar"], [data-testid="stSelectboxVirtualDropdown"] > * > button, [role="img"]:is([aria-label="info icon"], [aria-label="error icon"])`;
const NAMES = ["aria-label", "placeholder", "title", "alt"];

function placesOf(...ids: string[]) {
  return ids.map((id) => `[data-testid="${id}"]`).join();
}

/** A text as Streamlit wrote it, and as the page shows it. */
interface Said {
  theirs: string;
  ours: string;
}

const texts = new WeakMap<Node, Said>();
const names = new WeakMap<Element, Map<string, Said>>();

/** Translate Streamlit's words, now, whenever the language changes and, except in English, whenever new ones appear. */
export function translateStreamlit() {
  const changes = new MutationObserver((records) => {
    for (const { target, addedNodes } of records) for (const node of addedNodes.length ? addedNodes : [target]) translate(node);
  });
  const follow = () => {
    changes.disconnect();
    translate(document.body);
    if (language() !== "en") changes.observe(document.body, { childList: true, characterData: true, subtree: true });
  };
  follow();
  onLanguage(follow);
}

function translate(node: Node) {
  const root = node instanceof Element ? node : node.parentElement;
  for (const place of placesAt(root, PLACES)) {
    translateTexts(place);
    translateNames(place);
  }
  for (const place of placesAt(root, NAMED)) translateNames(place);
}

function placesAt(root: Element | null, places: string): Iterable<Element> {
  const around = root?.closest(places);
  return around ? [around] : (root?.querySelectorAll(places) ?? []);
}

function translateTexts(place: Element) {
  const nodes = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const node = nodes.currentNode as Text;
    const said = say(node.data, texts.get(node), ourWordsFor);
    texts.set(node, said);
    if (said.ours !== node.data) node.data = said.ours;
  }
}

function translateNames(place: Element) {
  for (const element of [place, ...place.querySelectorAll(NAMES.map((name) => `[${name}]`).join())])
    for (const name of NAMES) translateName(element, name);
}

function translateName(element: Element, name: string) {
  const now = element.getAttribute(name);
  if (now === null) return;
  const known = names.get(element) ?? new Map<string, Said>();
  const said = say(now, known.get(name), ourNameFor);
  names.set(element, known.set(name, said));
  if (said.ours !== now) element.setAttribute(name, said.ours);
}

/** @param before earlier translation here: if it is still there, Streamlit has not changed the text */
function say(now: string, before: Said | undefined, translated: (theirs: string) => string): Said {
  const theirs = before?.ours === now ? before.theirs : now;
  return { theirs, ours: translated(theirs) };
}

/** Translation of a name that Streamlit gives a control, which may hold the control's own label. */
export function ourNameFor(theirs: string): string {
  const [, helped] = /^Help for (.+)$/s.exec(theirs) ?? [];
  if (helped) return t("Help for {label}", { label: helped });
  const [, removed] = /^Remove (.+)$/s.exec(theirs) ?? [];
  if (removed) return t("Remove {label}", { label: removed });
  const [, label, end] = /^(.+) — (start|end)$/s.exec(theirs) ?? [];
  if (end) return end === "start" ? t("{label}: from", { label }) : t("{label}: up to", { label });
  return ourWordsFor(theirs);
}

/** Why Streamlit rejects a number: in a live region after "Error: ", in its tooltip after "Error" in bold type. */
const REFUSED_NUMBER = /^(?:Error: |(: ))?Number is .+ Please enter a value (between|greater|less)(?: than or equal to)? (.+?)(?: and (.+))?\.$/;

function refused(kind: string, first: string, last: string) {
  if (kind === "between") return t("Enter a number from {least} to {most}.", { least: first, most: last });
  if (kind === "greater") return t("Enter a number of at least {least}.", { least: first });
  return t("Enter a number of at most {most}.", { most: first });
}

/** Translation of one of Streamlit's texts; any other text as it is. */
export function ourWordsFor(theirs: string): string {
  const [, more] = /^(\d+) more$/.exec(theirs) ?? [];
  if (more) return t("{count} more", { count: more });
  const [, size, kinds] = /^(\d+)MB per file(.*)$/s.exec(theirs) ?? [];
  if (size) return [t("{size} MB per file", { size }), kinds].join("");
  const [, most] = /^File must be ([\d.]+)MB or smaller\.$/.exec(theirs) ?? [];
  if (most) return t("A file has at most {size} MB.", { size: most });
  const [, kind] = /^(.*) files are not allowed\.$/.exec(theirs) ?? [];
  if (kind) return t("Files of type {kind} cannot be opened here.", { kind });
  const [, options] = /^(\d+) options? available\.$/.exec(theirs) ?? [];
  if (options) return tn("{count} option.", "{count} options.", Number(options), { count: options });
  const [, chosen] = /^(.+), selected$/s.exec(theirs) ?? [];
  if (chosen) return t("{label}, selected", { label: chosen });
  const [, space, limit, first, last] = REFUSED_NUMBER.exec(theirs) ?? [];
  if (limit) return [space && " ", refused(limit, first, last)].join("");
  const known: Record<string, string> = ourWords();
  return Object.hasOwn(known, theirs) ? known[theirs] : theirs;
}

function ourWords() {
  return {
    About: t("About"),
    "Add files": t("Add files"),
    "App pages": t("App pages"),
    "Choose an option": t("Choose an option"),
    "Choose options": t("Choose options"),
    "Clear all": t("Clear all"),
    "Clear value": t("Clear value"),
    Close: t("Close"),
    "Copy version to clipboard": t("Copy version to clipboard"),
    Dark: t("Dark"),
    Decrement: t("Decrement"),
    Dismiss: t("Dismiss"),
    Error: t("Error"),
    Increment: t("Increment"),
    Light: t("Light"),
    "Link to heading": t("Link to heading"),
    Logo: t("Logo"),
    "Made with Streamlit v": t("Made with Streamlit v"), // before its version
    "Main menu": t("Main menu"),
    "Navigate to home page": t("Navigate to home page"),
    "No results": t("No results"),
    Open: t("Open"),
    "Page not found": t("Page not found"),
    "Press Ctrl+Enter to apply": t("Press Ctrl+Enter to apply"),
    "Press Enter to apply": t("Press Enter to apply"),
    "Press ⌘+Enter to apply": t("Press ⌘+Enter to apply"),
    "Show suggestions": t("Show options"),
    "Skip to main content": t("Skip to main content"),
    "Selected values": t("Selected values"),
    Suggestions: t("Options"),
    System: t("System"),
    "The page that you have requested does not seem to exist. Running the app's main page.": t(
      "The page that you have requested does not seem to exist. Running the app's main page.",
    ),
    Theme: t("Theme"),
    Upload: t("Upload"),
    "file upload": t("file upload"),
    "error icon": t("Error"),
    "info icon": t("Note"),
    progress: t("Progress"),
  };
}
