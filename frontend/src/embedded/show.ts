// Shows one card of the page alone, for a frame in another page: hides the rest, and reports its height to that page.
//
// The message to the page around this one is { bpeLab: 1, height: 412 }: the version, and CSS pixels. docs/serving.md
// documents it; another form gets another version.

import { build, copyTheme, elementOf, heightOf, isServerIdle, make, makeShadow, setText } from "../page/elements.ts";
import { cardAsked, isEmbedded } from "../page/embedded.ts";
import type { StageData } from "../presenter/acts.ts";
import { t } from "../i18n/words.ts";
import { framedCards, onlyRule, wholeLink, type FramedCard } from "./cards.ts";
import FOOT from "./foot.css";
import PAGE from "./page.css";

const VERSION = 1;
const COLUMN = 760; // px of a course page
const LINE = 24; // px of the foot
const CONTENT = "[data-testid=stMainBlockContainer]";
const LOOK_AGAIN = 250; // milliseconds
const LOOKS = 4; // at an idle page before a card is missing: a chart or a table appears a moment later
const LONGEST = 80; // characters of a card's name that are repeated
const THEME = ["background-color", "text-color", "primary-color", "link-color", "border-color", "font"];

const sheet = new CSSStyleSheet();
const host = make("div");
const said = make("p");
const back = make("button");
const link = make("a");
const content = new ResizeObserver(tell);

let page = ""; // the first that was shown
let observed: Element | null = null; // content of the page, which Streamlit replaces with the page
let shown: { data: StageData; card: FramedCard | undefined } | undefined;
let told = 0; // height
let missed = 0; // checks of an idle page without the card

document.adoptedStyleSheets.push(sheet);
if (isEmbedded) {
  sheet.replaceSync(`${PAGE} ${CONTENT} { visibility: hidden; }`);
  addEventListener("click", openInNewTab, { capture: true });
}

/** Height of containers alone in a frame of default width: the layout changes for it, and back before painting. */
export function heightAlone(keys: string[]) {
  const el = document.querySelector<HTMLElement>(CONTENT);
  const scroller = el?.parentElement;
  const at = scroller?.scrollTop ?? 0;
  sheet.replaceSync(`${PAGE} ${onlyRule(keys)} ${CONTENT} { width: min(100%, ${COLUMN}px); }`);
  const height = heightOf(el);
  sheet.replaceSync("");
  scroller?.scrollTo(0, at);
  return height + LINE;
}

/**
 * Show the card that the URL names.
 * @param data of the page's cards
 * @param dressed element of the app, whose theme the foot takes
 */
export function showCard(data: StageData, dressed: Element) {
  if (!page) begin(data.page);
  copyTheme(dressed, host, THEME);
  const card = data.page === page ? framedCards(data).find(({ name }) => name === cardAsked) : undefined;
  shown = { data, card };
  missed = 0;
  back.hidden = data.page === page;
  link.textContent = t("Open in BPE Lab");
  back.textContent = t("Back");
  sheet.replaceSync(`${PAGE} ${onlyRule(card?.keys ?? [])}`);
  say();
}

function begin(opened: string) {
  page = opened;
  host.id = "bpe-lab-embedded";
  back.type = "button";
  back.onclick = () => history.back();
  link.target = "_blank";
  link.rel = "noopener";
  for (const name of ["pointerdown", "focus", "keydown"]) link.addEventListener(name, aim);
  said.setAttribute("role", "status");
  makeShadow(host, FOOT).append(build("footer", {}, said, back, link));
  document.body.append(host);
  content.observe(host);
  aim();
  setInterval(look, LOOK_AGAIN);
}

/** Have the link lead to the whole page as it is now. */
function aim() {
  dispatchEvent(new Event("bpe-lab-write-address"));
  link.href = wholeLink(location.href);
}

/** Observe the page's content; if the card does not appear, report it missing. */
function look() {
  const el = document.querySelector(CONTENT);
  if (el && el !== observed) content.observe((observed = el));
  const key = shown?.card?.keys[0];
  const isMissing = key !== undefined && isServerIdle() && !elementOf(key);
  missed = isMissing ? missed + 1 : 0;
  say();
}

/** Say why there is no card. */
function say() {
  const text = whyMissing();
  setText(said, text);
  said.hidden = !text;
}

function whyMissing() {
  if (!shown) return "";
  const { data, card } = shown;
  if (data.page !== page) return t("This is on another page.");
  if (card) return missed < LOOKS ? "" : t("“{card}” is not open on this page.", { card: card.title });
  const names = framedCards(data).map(({ name }) => name).join(", ");
  const given = cardAsked.length > LONGEST ? `${cardAsked.slice(0, LONGEST)}…` : cardAsked;
  return given
    ? t("This page has no card “{card}”. Its cards are {names}.", { card: given, names })
    : t("The address names no card. The cards of this page are {names}.", { names });
}

/** Report the height of the content to the embedding page. */
function tell() {
  if (!shown || (said.hidden && !elementOf(shown.card?.keys[0] ?? ""))) return; // nothing is visible yet
  const el = document.querySelector(CONTENT);
  const height = Math.ceil((el?.getBoundingClientRect().height ?? 0) + host.getBoundingClientRect().height);
  document.documentElement.style.setProperty("--foot", `${host.offsetHeight}px`);
  if (height === told || parent === window) return;
  told = height;
  parent.postMessage({ bpeLab: VERSION, height }, "*"); // numbers only, which any embedding page may know
}

/** Links to pages of the app open them whole, in a tab of their own. */
function openInNewTab(event: MouseEvent) {
  const to = event.composedPath().find((el) => el instanceof HTMLAnchorElement);
  if (!to || to.target || to.hasAttribute("download") || to.origin !== location.origin || to.getAttribute("href")?.startsWith("#")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  open(wholeLink(to.href), "_blank", "noopener");
}
