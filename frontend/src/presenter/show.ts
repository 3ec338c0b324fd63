// The stage of a tab: one card of the page over the whole window. The rest of the page stays mounted but hidden, so
// that player, relays and actions keep working. The stage is defined by stylesheet rules, since Streamlit may redraw
// the card, or another page, at any time.

import { takeEarlyFirst, handleKeysFirst } from "../page/keys.ts";
import { wasReloaded, zoomOf } from "../page/elements.ts";
import { keep, keptValue } from "../page/storage.ts";
import { language, t } from "../i18n/words.ts";
import { actOf, cardToShow, classOf, hidingRule, ruleOf, zoomsOf, type StageAct, type StageData } from "./acts.ts";
import { Foot } from "./foot.ts";
import { WholeScreen } from "./screen.ts";

const SAVED = "bpe-lab-stage";
const ASKED_FOR = "stage"; // in a URL: ?stage=1
const STRIP = "lesson strip";
const PAGERS = ["strip pager", "lesson pager"];
const PLAYERS = ["player", "algorithms player"]; // they handle a remote's forward and back
const ANSWERS = ["strip answer", "reveal"]; // buttons
const SHOWN_ANSWERS = ["strip answered", "shown answer"];
const QUESTION_CARD = "question";
const ANSWER_CARD = "answer";
const MOST_OF_STRIP = 0.45; // of the window's height
const UNSEEN = `
html, body { overflow: hidden !important; --hands-shown: block; }
[data-testid="stMain"] { overflow: hidden !important; }
.st-key-lesson-strip :is(.st-key-strip-link, .st-key-strip-close) { display: none; }
.st-key-lesson-strip .st-key-strip-question [data-testid="stText"] { font-size: 1.5rem !important; }
.st-key-lesson-strip .st-key-strip-answered :is([data-testid="stMarkdown"] p, [data-testid="stText"]) { font-size: 1.35rem !important; }
`;
const CARD =
  "min-height: 0 !important; padding: 1rem 1.6rem 0.6rem !important; border: 0; border-radius: 0; overflow: auto; overscroll-behavior: contain; outline: none;" +
  " --story-height: auto; --story-border: none; --story-padding: 0; --flow-fill: auto; --tip-text: 1.9rem; --plot-most: 19rem; --picture-shown: none;";
const AROUND_TABLE = 125; // px of a card above and below its table
const LEAST_TABLE = 180; // px
const BESIDE = "padding: 0.25rem 0.8rem 0.35rem; --field-type: 1.35rem; --field-most: 4.9rem;";
const LARGER = [2, 1.7, 1.4, 1.2, 1, 0.85, 0.7]; // factors for short cards, and for a question with its choices
const SETTLED = 600; // milliseconds after which a new page counts as loaded

export class Stage {
  private data: StageData = { page: "", cards: [], beside: null, fits: [] };
  private button: HTMLElement | null = null;
  private on = false;
  readonly language = language();
  private readonly screen = new WholeScreen();
  private chosen: Record<string, string>; // key of the chosen card by page
  private isOpened: boolean; // whether the initial state is already decided
  private scrolled = 0; // scroll position of the page at the time of entering
  private from = ""; // page at the time of entering
  private frame = 0;
  private fit = { of: "", larger: 1, due: 0 }; // the card, its factor, and the earliest time to measure it
  private rules = ""; // of the stylesheet
  private readonly sheet = new CSSStyleSheet();
  private readonly foot: Foot;
  private readonly changes = new MutationObserver(() => this.arrangeSoon());
  private readonly sizes = new ResizeObserver(() => this.arrangeSoon());
  private readonly listening = new AbortController();

  /** @param before the tab's previous stage, in another language */
  constructor(before?: Stage) {
    this.chosen = before?.chosen ?? {};
    this.isOpened = before !== undefined;
    document.adoptedStyleSheets.push(this.sheet);
    this.foot = new Foot({
      choose: (key) => this.choose(key),
      wake: () => this.blacken(false),
      leave: () => this.leave(),
      help: () => this.help(),
    });
    before?.end();
    handleKeysFirst((event) => this.key(event));
    this.listen();
  }

  private listen() {
    const { signal } = this.listening;
    addEventListener("resize", () => this.arrangeSoon(), { signal });
    document.addEventListener("fullscreenchange", () => this.screen.isLost && this.leave(), { signal });
    document.addEventListener("keydown", (event) => this.keyInField(event), { capture: true, signal });
    document.addEventListener("pointermove", (event) => this.pointAt(event), { passive: true, signal });
    document.addEventListener("scroll", () => (this.foot.large.hidden = true), {
      capture: true,
      passive: true,
      signal,
    });
  }

  /** Remove this stage, before another one replaces it. */
  private end() {
    this.leave();
    this.listening.abort();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== this.sheet);
  }

  /** Adopt the data of the page, which may be a new one. */
  update(data: StageData, button: HTMLElement) {
    const isFirst = !this.isOpened;
    this.isOpened = true;
    this.data = data;
    this.button = button;
    button.onclick = () => this.enter();
    const early = isFirst ? takeEarlyFirst() : null;
    if (isFirst) this.resume();
    if (early && !this.on) this.key(early);
    else if (this.on) this.arrange();
  }

  /** Enter the stage at once after a reload on it, or if the URL requests it. */
  private resume() {
    const saved = savedStage();
    this.chosen = saved?.cards ?? {};
    const [entry] = performance.getEntriesByType("navigation");
    const asked = new URL(entry?.name || location.href).searchParams.has(ASKED_FOR);
    if (wasReloaded() && saved ? saved.on : asked) this.enter();
  }

  private save() {
    keep("sessionStorage", SAVED, JSON.stringify({ on: this.on, cards: this.chosen }));
  }

  // ---- entering and leaving -------------------------------------------------------------------------------

  private enter() {
    if (this.on) return;
    this.on = true;
    this.scrolled = document.querySelector("[data-testid=stMain]")?.scrollTop ?? 0;
    this.from = this.data.page;
    document.documentElement.dataset.stage = "";
    document.body.append(this.foot.host);
    this.changes.observe(document.body, { childList: true, subtree: true });
    this.arrange();
    this.focusCard();
    this.screen.want(true);
    this.help();
    const { cards, chosen } = this.present();
    const at = cards.findIndex(([key]) => key === chosen);
    const place = { card: cards[at]?.[1] ?? t("no card"), number: at + 1, all: cards.length };
    this.foot.say(t("Stage: {card}, card {number} of {all}. Question mark: the keys. Escape: leave.", place));
    this.save();
  }

  private leave() {
    if (!this.on) return;
    this.on = false;
    this.blacken(false);
    this.foot.hideKeys();
    this.foot.large.hidden = true;
    this.changes.disconnect();
    this.sizes.disconnect();
    this.put("");
    this.mark(null, "");
    delete document.documentElement.dataset.stage;
    this.foot.host.remove();
    this.fit.of = "";
    this.screen.want(false);
    const main = document.querySelector("[data-testid=stMain]");
    if (main && this.from === this.data.page) main.scrollTop = this.scrolled;
    this.button?.focus();
    this.save();
  }

  // ---- content --------------------------------------------------------------------------------------------

  /** Cards on the page, and the one that is shown. */
  private present() {
    const cards = this.data.cards.filter(([key]) => elementOf(key));
    const keys = cards.map(([key]) => key);
    const all = this.data.cards.map(([key]) => key);
    return { cards, chosen: cardToShow(keys, this.chosen[this.data.page], all) };
  }

  private arrangeSoon() {
    if (!this.on || this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      if (this.on) this.arrange();
    });
  }

  /** Position all elements, as large as the window allows. */
  private arrange() {
    const { cards, chosen } = this.present();
    if (!cards.length && this.foot.tabs.childElementCount) return; // between two pages: keep the tabs
    const { beside } = this.data;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const zooms = zoomsOf(innerWidth, innerHeight, rem);
    const paper = this.button ? this.foot.dress(this.button) : "";
    this.foot.showTabs(cards, chosen);
    const wide = { left: 0, width: innerWidth };
    const most = `max-height: ${((innerHeight * MOST_OF_STRIP) / zooms.foot).toFixed(2)}px; overflow: auto;`;
    const look = `border: 0; border-top: 1px solid var(--accent); border-radius: 0; padding: 0.4rem 1rem; background: ${paper}; ${most}`;
    const tabs = this.foot.foot.offsetHeight;
    const strip = elementOf(STRIP);
    const bar = beside ? elementOf(beside) : null;
    const rulesFor = (stripHigh: number, barHigh: number, larger = this.fit.larger) =>
      [
        UNSEEN,
        `body { background: ${paper}; }`,
        hidingRule([STRIP, beside, chosen]),
        ruleOf(STRIP, { ...wide, bottom: tabs }, zooms.foot, look),
        beside ? ruleOf(beside, { ...wide, bottom: tabs + stripHigh }, zooms.foot, BESIDE) : "",
        chosen ? cardRule(chosen, innerHeight - tabs - stripHigh - barHigh, zooms.card * larger) : "",
        chosen ? `.${classOf(chosen)} > * { flex-shrink: 0; }` : "",
      ].join("\n");
    this.put(rulesFor(heightOf(strip), heightOf(bar)));
    this.put(rulesFor(heightOf(strip), heightOf(bar))); // measured with the first rules applied
    const card = chosen ? elementOf(chosen) : null;
    for (const el of [strip, bar, ...(card?.children ?? [])]) if (el) this.sizes.observe(el);
    if (card && chosen)
      this.enlarge(chosen, card, (larger) => this.put(rulesFor(heightOf(strip), heightOf(bar), larger)));
    this.mark(card, cards.find(([key]) => key === chosen)?.[1] ?? "");
  }

  /**
   * Enlarge a short card as far as all of it fits. Between steps the factor only decreases: growing and shrinking type
   * would move content that does not change.
   */
  private enlarge(key: string, card: HTMLElement, draw: (larger: number) => void) {
    const { data, fit } = this;
    const of = [data.page, key, innerWidth, innerHeight, elementOf("strip question")?.textContent].join("\n");
    const now = performance.now();
    if (fit.of !== of) {
      const isOther = fit.of.split("\n")[0] !== data.page && fit.of !== "";
      this.fit = { of, larger: 1, due: isOther ? now + SETTLED : now };
      if (isOther) setTimeout(() => this.arrangeSoon(), SETTLED + 20);
    }
    const isFirst = this.fit.due !== Infinity && now >= this.fit.due;
    const least = key === QUESTION_CARD ? 0 : 1;
    if (!data.fits.includes(key) || !(isFirst || this.fit.larger > least)) return;
    const from = isFirst ? LARGER[0] : this.fit.larger;
    const sizes = LARGER.filter((each) => each <= from && each >= least);
    const fits = sizes.find((each) => {
      draw(each);
      return each === sizes.at(-1) || (card.scrollHeight <= card.clientHeight && card.scrollWidth <= card.clientWidth);
    });
    this.fit = { of, larger: fits ?? 1, due: isFirst ? Infinity : this.fit.due };
  }

  private put(rules: string) {
    if (rules === this.rules) return;
    this.rules = rules;
    this.sheet.replaceSync(rules);
  }

  /** Mark the card for screen readers. */
  private mark(card: HTMLElement | null, title: string) {
    for (const el of document.querySelectorAll("[data-stage-card]")) {
      if (el === card) continue;
      for (const name of ["data-stage-card", "role", "aria-label", "tabindex"]) el.removeAttribute(name);
    }
    if (!card || card.getAttribute("aria-label") === title) return;
    card.dataset.stageCard = "";
    card.setAttribute("role", "tabpanel");
    card.setAttribute("aria-label", title);
    card.tabIndex = 0;
  }

  private focusCard() {
    const card = document.querySelector("[data-stage-card]");
    if (card instanceof HTMLElement) card.focus({ preventScroll: true });
  }

  private choose(key: string) {
    this.chosen[this.data.page] = key;
    this.foot.hideKeys();
    this.arrange();
    const card = elementOf(key);
    if (card) card.scrollTop = 0;
    const { cards } = this.present();
    const at = cards.findIndex(([each]) => each === key);
    if (at >= 0)
      this.foot.say(t("{card}, card {number} of {all}", { card: cards[at][1], number: at + 1, all: cards.length }));
    this.save();
  }

  // ---- keys -----------------------------------------------------------------------------------------------

  /** @returns whether the stage handles it */
  private key(event: KeyboardEvent): boolean {
    if (!this.on) {
      if (event.key !== "s" || event.shiftKey || event.repeat) return false;
      this.enter();
      return true;
    }
    if (!this.foot.black.hidden) {
      if (event.key === "Escape") this.leave();
      else if (!["Shift", "Control", "Alt", "Meta"].includes(event.key)) this.blacken(false);
      return true;
    }
    const act = actOf(event, { steps: PLAYERS.some(elementOf), lesson: [STRIP, "lesson pager"].some(elementOf) });
    if (!this.foot.keys.hidden && act?.act !== "keys" && event.key !== "Shift") this.foot.hideKeys();
    if (!act) return false;
    if (!event.repeat || act.act === "scroll") this.do(act);
    return true;
  }

  private do(act: NonNullable<StageAct>) {
    if (act.act === "card") this.chooseAt(act.at);
    else if (act.act === "lesson") this.goToLesson(act.way);
    else if (act.act === "turn") this.turn(act.way);
    else if (act.act === "scroll") this.scroll(act.pages);
    else if (act.act === "black") this.blacken(true);
    else if (act.act === "answer") this.answer();
    else if (act.act === "open") clickIn("open the page", "a");
    else if (act.act === "keys") this.help();
    else if (act.act === "leave") this.leave();
    else this.screen.want(!this.screen.wanted);
  }

  private chooseAt(at: number) {
    const card = this.present().cards[at];
    if (!card) return;
    this.choose(card[0]);
    this.focusCard();
  }

  private goToLesson(way: number) {
    const pager = PAGERS.map(elementOf).find((el) => el);
    const shadow = pager && [...pager.querySelectorAll("*")].map((el) => el.shadowRoot).find((root) => root);
    const button = shadow?.querySelector(`button[data-do=${way > 0 ? "forward" : "back"}]`);
    if (button instanceof HTMLElement) button.click();
  }

  /** Forward shows the answer before the next lesson; back leaves the answer for its question first. */
  private turn(way: number) {
    const isOnAnswer = this.present().chosen === ANSWER_CARD;
    if (way > 0 && ANSWERS.some(elementOf) && !SHOWN_ANSWERS.some(elementOf)) return this.answer();
    if (elementOf(QUESTION_CARD)) this.choose(QUESTION_CARD);
    if (way > 0 || !isOnAnswer) this.goToLesson(way);
  }

  private answer() {
    for (const key of ANSWERS) clickIn(key, "button");
    if (elementOf(ANSWER_CARD)) this.choose(ANSWER_CARD);
  }

  private scroll(pages: number) {
    const card = document.querySelector("[data-stage-card]");
    if (card) card.scrollTop += pages * card.clientHeight;
  }

  private blacken(black: boolean) {
    this.foot.black.hidden = !black;
    this.foot.say(black ? t("Black screen. Any key brings the stage back.") : "");
  }

  private help() {
    const has = (keys: string[]) => keys.some(elementOf);
    const lines: [string, string][] = [["1 \u2013 9", t("cards")]];
    if (has(PLAYERS)) lines.push(["\u2190 \u2192", t("one step")], [t("Space"), t("play, pause")]);
    lines.push(["\u2191 \u2193", t("scroll the card")]);
    if (has([STRIP, "lesson pager"])) lines.push(["A", t("answer")], ["Shift + \u2190 \u2192", t("another lesson")]);
    if (elementOf("open the page")) lines.push(["O", t("open the lesson\u2019s page")]);
    lines.push(
      ["B", t("black screen")],
      ["F", t("full screen")],
      ["?", t("these keys")],
      ["Esc", t("leave the stage")],
    );
    this.foot.showKeys(lines);
  }

  /** Let Esc leave a field, which returns the keys to the stage. */
  private keyInField(event: KeyboardEvent) {
    const [field] = event.composedPath();
    if (!this.on || event.key !== "Escape" || event.isComposing) return;
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
    field.blur();
    this.focusCard();
  }

  // ---- pointer --------------------------------------------------------------------------------------------

  /** Enlarge a token that has no tooltip; tooltips are enlarged on the stage anyway. */
  private pointAt(event: PointerEvent) {
    const { large } = this.foot;
    if (!this.on) return;
    const token = event.composedPath().find((el) => el instanceof HTMLElement && el.classList.contains("t"));
    const root = token instanceof HTMLElement ? token.getRootNode() : null;
    if (!(token instanceof HTMLElement) || (root instanceof ShadowRoot && root.querySelector(".tip:popover-open"))) {
      large.hidden = true;
      return;
    }
    const size = parseFloat(getComputedStyle(token).fontSize) * zoomOf(token);
    const note = token.dataset.id ? token.title : "";
    const box = token.getClientRects()[0];
    if (box && size < 0.04 * innerHeight) this.foot.enlarge(box, token.textContent ?? "", note);
    else large.hidden = true;
  }
}

/** Element with this key on the page. */
function elementOf(key: string): HTMLElement | null {
  return document.querySelector(`.stApp .${classOf(key)}`);
}

function clickIn(key: string, tag: string) {
  const el = elementOf(key)?.querySelector(tag);
  if (el instanceof HTMLElement) el.click();
}

function heightOf(el: HTMLElement | null) {
  return el ? Math.round(el.getBoundingClientRect().height) : 0;
}

function savedStage(): { on: boolean; cards: Record<string, string> } | null {
  const saved = keptValue<{ on?: boolean; cards?: Record<string, string> }>("sessionStorage", SAVED);
  return saved && { on: saved.on === true, cards: { ...saved.cards } };
}

/** Rule of the shown card; a table in it is as high as the card allows. */
function cardRule(key: string, height: number, zoom: number) {
  const fill = Math.max(LEAST_TABLE, Math.floor(height / zoom) - AROUND_TABLE);
  return ruleOf(key, { left: 0, width: innerWidth, top: 0, height }, zoom, `${CARD} --table-fill: ${fill}px;`);
}
