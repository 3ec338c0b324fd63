// The stage of a tab: a scene, or one card of the page, over the whole window. The rest of the page stays mounted but
// hidden, so that player, relays and actions keep working. The stage is defined by stylesheet rules, since Streamlit may
// redraw the card, or another page, at any time.

import { following, subscribeStep } from "../bridge/current_step.ts";
import { classOf, elementOf, heightOf, inside, isServerIdle, zoomOf } from "../page/elements.ts";
import { handleKeysFirst } from "../page/keys.ts";
import { keep } from "../page/storage.ts";
import { language, t } from "../i18n/words.ts";
import { actOf, cardToShow, hidingRule, markRoom, ruleOf, zoomsOf, type StageAct, type StageData } from "./acts.ts";
import { Arrival } from "./arrival.ts";
import { Choices, typeHands } from "./choices.ts";
import { Foot } from "./foot.ts";
import { canDo, clickIn, firstOf, hasAbove, hasBelow, isPlayerDrawn, playerState, scrollersOf } from "./page.ts";
import { MOST_STEPS, walkOf, comesNext, type Seen, type Walk } from "./remote.ts";
import { SceneLayout, partsOf } from "./scene.ts";
import { WholeScreen } from "./screen.ts";
import { Speaking } from "./speaking.ts";

const STRIP = "lesson strip";
const OWN_N = "disagreement pager"; // has the N key, so that the notes are opened by Shift + N
const PAGERS = ["strip pager", "lesson pager"];
const PLAYERS = ["player", "algorithms player"]; // they handle a remote's forward and back
const ANSWERS = ["strip answer", "reveal"]; // buttons
const TOLD_EVERY = 400; // milliseconds; no observer reports changes in the views on which the next step depends
const LOOK = "strip look"; // button that shows a page which waits for an answer
const LESSONS = "lessons"; // page
const QUESTION_CARD = "question";
const ANSWER_CARD = "answer";
const LESSON_TEXT = "lesson text"; // hidden until the class has been asked: it may give the answer away
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
const DRAWN = ".tv, .scroll > *"; // grows with what is drawn in it: the element of a component may keep its height
const LOOKS = [30, 250, 800]; // milliseconds after a step: for a long text the server sends the drawn part
const SETTLED = 600; // milliseconds after which a new page counts as loaded

/** What outlives a reload. */
export interface SavedStage {
  on: boolean;
  cards: Record<string, string>;
}

export class Stage {
  private data: StageData = { page: "", cards: [], beside: null, fits: [], scene: null, alone: null, joined: [], speaker: null };
  private button: HTMLElement | null = null;
  private on = false;
  readonly language = language();
  private readonly screen = new WholeScreen();
  private readonly saved: string; // name in the tab's storage
  private readonly chosen: Record<string, string>; // key of the chosen card by page
  private readonly scene = new SceneLayout();
  private readonly choices = new Choices();
  private readonly speaking: Speaking;
  private readonly arrival = new Arrival({
    place: () => this.place(),
    isDrawn: () => isServerIdle() && isPlayerDrawn(PLAYERS),
    go: (way) => this.on && this.walk(way, false),
  });
  private voted = ""; // question from whose page the lesson's page was opened: the class has answered it there
  private told = ""; // question whose text is shown
  private turned = 0; // cards that it has turned at the last merge
  private readonly watched = new WeakMap<HTMLElement, HTMLElement>(); // containers of areas whose scrolling moves the marks
  private scrolled = 0; // scroll position of the page at the time of entering
  private from = ""; // page at the time of entering
  private frame = 0;
  private fit = { of: "", larger: 1, due: 0 }; // the card, its factor, and the earliest time to measure it
  private readonly sheet = new CSSStyleSheet();
  private applied = ""; // rules of the sheet
  private inner = ""; // those of them that place the shown cards
  private readonly foot: Foot;
  private readonly changes = new MutationObserver(() => this.arrangeSoon());
  private readonly sizes = new ResizeObserver(() => this.arrangeSoon());
  private readonly listening = new AbortController();

  /** @param saved name in the tab's storage */
  constructor(saved: string, { cards = {} }: Partial<SavedStage>) {
    this.saved = saved;
    this.chosen = { ...cards };
    document.adoptedStyleSheets.push(this.sheet);
    this.foot = new Foot({
      choose: (key) => this.choose(key),
      wake: () => this.blacken(false),
      leave: () => this.leave(),
      help: () => this.help(),
      resized: () => this.resize(),
    });
    this.speaking = new Speaking((event) => void document.dispatchEvent(event));
    handleKeysFirst((event) => this.key(event));
    this.listen();
  }

  private listen() {
    const { signal } = this.listening;
    addEventListener("resize", () => this.arrangeSoon(), { signal });
    document.addEventListener("fullscreenchange", () => this.followScreen(), { signal });
    document.addEventListener("keydown", (event) => this.keyInField(event), { capture: true, signal });
    document.addEventListener("pointermove", (event) => this.pointAt(event), { passive: true, signal });
    document.addEventListener("scroll", () => (this.foot.large.hidden = true), {
      capture: true,
      passive: true,
      signal,
    });
    signal.addEventListener("abort", subscribeStep(() => this.followStep()));
    const told = setInterval(() => this.on && this.speaking.isHeard && this.speak(), TOLD_EVERY);
    signal.addEventListener("abort", () => clearInterval(told));
  }

  /** The same stage in another language. */
  again() {
    const { on } = this;
    this.leave();
    this.listening.abort();
    this.speaking.end();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== this.sheet);
    this.foot.large.hidden = true;
    return new Stage(this.saved, { on, cards: this.chosen });
  }

  /** Adopt the data of the page, which may be a new one. */
  update(data: StageData, button: HTMLElement) {
    this.data = data;
    this.button = button;
    if (this.on) this.arrange();
  }

  private save() {
    keep("sessionStorage", this.saved, JSON.stringify({ on: this.on, cards: this.chosen } satisfies SavedStage));
  }

  // ---- entering and leaving -------------------------------------------------------------------------------

  enter() {
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
    this.foot.keys.hidden = this.foot.large.hidden = true;
    this.foot.tell("");
    this.changes.disconnect();
    this.sizes.disconnect();
    this.inner = "";
    this.apply("");
    this.mark(null, "");
    delete document.documentElement.dataset.stage;
    this.foot.host.remove();
    this.fit.of = "";
    this.scene.renew();
    this.screen.want(false);
    const main = document.querySelector("[data-testid=stMain]");
    if (main && this.from === this.data.page) main.scrollTop = this.scrolled;
    this.button?.focus();
    this.save();
  }

  // ---- content --------------------------------------------------------------------------------------------

  /** Cards on the page, and the one that is shown. */
  private present() {
    const parts = partsOf(this.data.scene);
    const cards = this.data.cards.filter(([key]) => (key === this.data.scene?.key ? parts : elementOf(key)));
    const keys = cards.map(([key]) => key);
    const all = this.data.cards.map(([key]) => key);
    const chosen = cardToShow(keys, this.chosen[this.data.page], all);
    const scene = chosen === this.data.scene?.key ? parts : null;
    const shown = scene ? [scene.main, scene.beside, scene.over] : chosen ? [chosen] : [];
    return { cards, chosen, shown, scene };
  }

  private arrangeSoon() {
    if (!this.on || this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      if (this.on) this.arrange();
    });
  }

  /** The list of keys takes room or gives it back. */
  private resize() {
    if (!this.on) return;
    this.fit.of = "";
    this.scene.renew();
    this.arrange();
  }

  /** Position all elements, as large as the window allows. */
  private arrange() {
    if (this.voted && elementOf(LOOK) && this.voted === elementOf("strip question")?.textContent) this.look();
    const { cards, chosen, shown, scene } = this.present();
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
    const line = this.foot.host.style.getPropertyValue("--st-border-color");
    const around = () =>
      [
        UNSEEN,
        `body { background: ${paper}; --line-of-stage: ${line}; --paper-of-stage: ${paper}; }`,
        hidingRule([STRIP, beside, ...shown]),
        ruleOf(STRIP, { ...wide, bottom: tabs, "padding-right": markRoom(innerWidth, innerHeight) }, zooms.foot, look),
        beside ? ruleOf(beside, { ...wide, bottom: tabs + heightOf(strip) }, zooms.foot, BESIDE) : "",
        ...shown.map((key) => `.${classOf(key)} > * { flex-shrink: 0; }`),
        this.isTextHidden() ? `.${classOf(LESSON_TEXT)} { display: none !important; }` : "",
      ].join("\n");
    const space = () => innerHeight - tabs - heightOf(strip) - heightOf(bar);
    this.apply(`${around()}\n${this.inner}`); // to be measured with these rules
    const rest = around();
    const draw = (rules: string) => {
      this.inner = rules;
      this.apply(`${rest}\n${rules}`);
    };
    const card = shown.length ? elementOf(shown[0]) : null;
    if (scene) this.scene.layOut(scene, this.content(), following.step === 0, innerWidth, space(), zooms.card, draw);
    else if (card && chosen) {
      const rule = (larger: number) => cardRule(chosen, space(), zooms.card * larger);
      draw(rule(this.fit.larger));
      this.enlarge(chosen, card, (larger) => draw(rule(larger)));
    } else draw("");
    const parts = shown.map(elementOf);
    for (const el of [strip, bar, ...parts.flatMap((part) => [...(part?.children ?? []), ...inside(part, DRAWN)])]) if (el) this.sizes.observe(el);
    this.mark(card, cards.find(([key]) => key === chosen)?.[1] ?? "");
    this.markMore();
    this.speak();
  }

  /** Apply rules if they are others: after each replacement the browser styles the whole page again. */
  private apply(rules: string) {
    if (rules === this.applied) return;
    this.applied = rules;
    this.sheet.replaceSync(rules);
  }

  /** What is shown, by name: other content is laid out afresh. */
  private content() {
    return [this.data.page, following.of, innerWidth, innerHeight, elementOf("strip question")?.textContent].join("\n");
  }

  /** Name of the place that a remote has reached, without steps. */
  private place() {
    const question = ["to the class", "strip question"].map((key) => elementOf(key)?.textContent);
    return [this.data.page, ...question, elementOf(LOOK) !== null].join("\n");
  }

  /** Keep the merge in sight: in a text longer than its card, the first new token. */
  private followStep() {
    if (!this.on) return;
    this.arrangeSoon();
    const step = following.step;
    for (const wait of LOOKS) setTimeout(() => this.on && following.step === step && this.showMerge(), wait);
  }

  private showMerge() {
    const { shown } = this.present();
    const card = elementOf(shown.includes("text") ? "text" : "");
    const [fresh] = inside(card, ".fresh");
    if (!card || !fresh) return;
    const [box, token] = [card.getBoundingClientRect(), fresh.getBoundingClientRect()];
    if (token.top >= box.top && token.bottom <= box.bottom) return;
    card.scrollTop += (token.top - box.top - box.height / 3) / zoomOf(card);
    this.markMore();
  }

  /** Areas on the stage that scroll: the answer of a lesson first, then the cards. */
  private scrollers() {
    return [STRIP, ...this.present().shown].map(elementOf).flatMap((container) => {
      const found = scrollersOf(container);
      for (const el of found) {
        if (!container || this.watched.has(el)) continue;
        this.watched.set(el, container);
        el.addEventListener("scroll", () => this.on && this.markMore(), { passive: true });
      }
      return found;
    });
  }

  private markMore() {
    const corner = (el: HTMLElement): [number, number] => [(this.watched.get(el) ?? el).getBoundingClientRect().right, el.getBoundingClientRect().bottom];
    this.foot.markMore(this.scrollers().filter(hasBelow).map(corner));
  }

  /**
   * Enlarge a short card to the largest size at which all of it fits. Between steps the factor only decreases: growing
   * and shrinking type would move content that does not change.
   */
  private enlarge(key: string, card: HTMLElement, draw: (larger: number) => void) {
    const { data, fit } = this;
    const of = `${this.content()}\n${key}`;
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
    this.foot.keys.hidden = true;
    this.scene.renew();
    this.arrange();
    const card = elementOf(key);
    if (card) card.scrollTop = 0;
    this.showMerge();
    const { cards } = this.present();
    const at = cards.findIndex(([each]) => each === key);
    if (at >= 0)
      this.foot.say(t("{card}, card {number} of {all}", { card: cards[at][1], number: at + 1, all: cards.length }));
    this.save();
  }

  // ---- keys -----------------------------------------------------------------------------------------------

  /** @returns whether the stage handles it */
  key(event: KeyboardEvent): boolean {
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
    this.foot.large.hidden = true;
    this.foot.tell("");
    const { shown } = this.present();
    const [choices, hands] = [this.choices.open(shown), this.handFields().length > 0];
    const act = actOf(event, { lesson: [STRIP, "lesson pager"].some(elementOf), choices, hands }) ?? this.ofArrow(event);
    if (act?.act !== "keys" && event.key !== "Shift") this.foot.hideKeys();
    if (!act || (act.act === "notes" && !event.shiftKey && elementOf(OWN_N))) return false;
    if (act.act === "walk") return this.walk(act.way, event.repeat);
    if (!event.repeat || act.act === "scroll") this.do(act);
    return true;
  }

  /** Handle a key pressed before the stage was ready: what follows a letter belongs to the letter's field for hands. */
  earlyKey(event: KeyboardEvent) {
    const field = this.handFields().find((each) => each.matches(":focus"));
    if (field instanceof HTMLInputElement) typeHands(field, event);
    else this.key(event);
  }

  /** Remotes with arrows: at the end of the player's steps they walk on. */
  private ofArrow({ key, shiftKey, repeat }: KeyboardEvent): StageAct {
    const player = playerState(PLAYERS);
    if (!player || shiftKey || repeat) return null;
    if (key === "ArrowRight" && !player.on) return { act: "walk", way: 1 };
    return key === "ArrowLeft" && (this.turned || elementOf("strip answered")) ? { act: "walk", way: -1 } : null;
  }

  private do(act: NonNullable<StageAct>) {
    if (act.act === "card") this.chooseAt(act.at);
    else if (act.act === "choice") this.choices.choose(act.at);
    else if (act.act === "hand") this.choices.count(act.at, act.way);
    else if (act.act === "hands") this.handFields()[0]?.focus();
    else if (act.act === "reveal") this.choices.reveal();
    else if (act.act === "lesson") this.goToLesson(act.way);
    else if (act.act === "scroll") this.scroll(act.pages);
    else if (act.act === "black") this.blacken(true);
    else if (act.act === "answer") this.answer();
    else if (act.act === "open") this.open();
    else if (act.act === "keys") this.help();
    else if (act.act === "notes") this.openNotes();
    else if (act.act === "link") clickIn(elementOf("copy link"), "button[data-do=show]");
    else if (act.act === "leave") this.leave();
    else if (act.act === "full screen") this.screen.want(!this.screen.wanted);
  }

  private chooseAt(at: number) {
    const card = this.present().cards[at];
    if (!card) return;
    this.turned = 0;
    this.choose(card[0]);
    this.focusCard();
  }

  /** Open the page of the lesson, whose question the class has seen. */
  private open() {
    this.voted = questionOf();
    this.arrival.expect();
    clickIn(elementOf("open the page"), "a");
  }

  /** Show the page that waits for an answer. */
  private look() {
    this.voted = "";
    this.arrival.expect();
    clickIn(elementOf(LOOK), "button");
  }

  private goToLesson(way: number) {
    this.arrival.expect();
    clickIn(firstOf(PAGERS), `button[data-do=${way > 0 ? "forward" : "back"}]`);
  }

  /** State that determines where a remote goes. */
  private seen(): Seen {
    const pager = firstOf(PAGERS);
    const { cards, chosen, shown } = this.present();
    const answer = elementOf("strip answered");
    const scrolling = answer ? scrollersOf(elementOf(STRIP)) : this.scrollers();
    const asks = elementOf("open the page") !== null;
    return {
      player: playerState(PLAYERS),
      guessing: this.choices.open(shown) > 0,
      covered: elementOf(LOOK) !== null,
      lesson: pager ? { before: canDo(pager, "back"), after: canDo(pager, "forward"), walked: this.walkedSteps() } : null,
      asks,
      text: elementOf(LESSON_TEXT) && (this.isTextHidden() ? "hidden" : "shown"),
      answered: answer !== null,
      onAnswer: asks && chosen === ANSWER_CARD,
      above: scrolling.some(hasAbove),
      below: scrolling.some(hasBelow),
      cards: { after: cards.length - 1 - cards.findIndex(([key]) => key === chosen), turned: this.turned },
    };
  }

  /** Go where a remote goes. @returns false for a step, which is the player's */
  private walk(way: number, repeat: boolean): boolean {
    const seen = this.seen();
    const isBeingDrawn = seen.lesson && !seen.asks && !(seen.player ? isPlayerDrawn(PLAYERS) : isServerIdle());
    if (this.arrival.isAwaited || isBeingDrawn) {
      if (!repeat) this.arrival.hold(way);
      return true;
    }
    const to = walkOf(way, seen);
    if (to === "step") clickIn(firstOf(PLAYERS), `button[data-do=${way > 0 ? "next" : "back"}]`);
    else if (to === "far") this.goFar(way);
    else if (!repeat) this.walkTo(to, way);
    return true;
  }

  private slider() {
    const [slider] = inside(firstOf(PLAYERS), ".slider");
    return slider instanceof HTMLInputElement ? slider : null;
  }

  /** Steps of the player since the lesson's page was opened. */
  private walkedSteps() {
    return Number(this.slider()?.value ?? 0) - (this.data.speaker?.begins ?? 0);
  }

  /** Go to the last step, or back to the one that it followed. */
  private goFar(way: number) {
    const slider = this.slider();
    if (!slider) return;
    slider.value = way > 0 ? slider.max : String((this.data.speaker?.begins ?? 0) + MOST_STEPS);
    slider.dispatchEvent(new Event("input"));
  }

  private walkTo(to: Walk, way: number) {
    if (to === "reveal") this.choices.reveal();
    else if (to === "look") this.look();
    else if (to === "open") this.do({ act: "open" });
    else if (to === "answer" || to === "hide") this.answer();
    else if (to === "scroll") this.scroll(0.8 * way);
    else if (to === "end") this.foot.tell(way > 0 ? t("This is the end.") : t("This is the beginning."));
    else if (to === "card") this.turn(way);
    else if (to === "text") this.tellText(way);
    else {
      this.chosen[LESSONS] = QUESTION_CARD;
      if (to === "question" && elementOf(QUESTION_CARD)) this.choose(QUESTION_CARD);
      else {
        this.arrival.expect();
        if (to === "question") clickIn(elementOf("strip link"), "a");
        else clickIn(elementOf(way > 0 ? "strip next question" : "answer before"), "a, button");
      }
    }
  }

  /** Show the text of the lesson below its question, or hide it. */
  private tellText(way: number) {
    this.told = way > 0 ? questionOf() : "";
    this.resize();
  }

  /** Fields for hands in sight: of the strip, or of the shown cards. */
  private handFields() {
    return this.choices.hands([STRIP, ...this.present().shown]);
  }

  private isTextHidden() {
    return this.told !== questionOf() && !elementOf("shown answer");
  }

  /** Show the card after this one, or the one before. */
  private turn(way: number) {
    const { cards, chosen } = this.present();
    const card = cards[cards.findIndex(([key]) => key === chosen) + way];
    if (!card) return;
    this.turned += way;
    this.choose(card[0]);
  }

  private answer() {
    for (const key of ANSWERS) clickIn(elementOf(key), "button");
    if (elementOf(ANSWER_CARD)) this.choose(ANSWER_CARD);
  }

  /** Scroll the first area that can scroll in that direction. */
  private scroll(pages: number) {
    const el = this.scrollers().find(pages > 0 ? hasBelow : hasAbove);
    if (el) el.scrollTop += pages * el.clientHeight;
    this.markMore();
  }

  /** Send the speaker's window what is shown and what comes next. */
  private speak() {
    const seen = this.seen();
    const { cards, chosen } = this.present();
    const of = this.slider();
    this.speaking.tell({
      speaker: this.data.speaker,
      card: cards.find(([key]) => key === chosen)?.[1] ?? "",
      step: of && [Number(of.value), Number(of.max)],
      next: comesNext(seen),
    });
  }

  private blacken(black: boolean) {
    this.foot.black.hidden = !black;
    this.foot.say(black ? t("Black screen. Any key brings the stage back.") : "");
  }

  private help() {
    if (!this.foot.keys.hidden) {
      this.foot.hideKeys();
      return;
    }
    const has = (keys: string[]) => keys.some(elementOf);
    const lines: [string, string][] = [["1 \u2013 9", t("cards")]];
    const { shown } = this.present();
    if (this.choices.open(shown)) lines.push(["A \u2013 H", t("one hand up, with Shift one down; or type the number")]);
    else if (this.handFields().length) lines.push(["H, A \u2013 H", t("one hand up, with Shift one down; or type the number")]);
    if (has(PLAYERS)) lines.push(["\u2190 \u2192", t("one step")], [t("Space"), t("play, pause")]);
    lines.push(["\u2191 \u2193", t("scroll the card")], ["PgDn PgUp", t("everything in order, by remote")]);
    if (has([STRIP, "lesson pager"])) lines.push(["A", t("answer")], ["Shift + \u2190 \u2192", t("another lesson")]);
    if (elementOf("open the page")) lines.push(["O", t("open the lesson\u2019s page")]);
    lines.push(
      [elementOf(OWN_N) ? "Shift + N" : "N", t("notes and a clock in a separate window")],
      ["Q", t("link for the class")],
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

  private openNotes() {
    this.screen.yieldToWindow();
    const blocked = t("The browser blocks the window with the notes. Allow pop-ups for this address, then press N again.");
    this.foot.tell(this.speaking.open() ? "" : blocked);
  }

  private followScreen() {
    const by = this.screen.changed();
    if (by === "user") this.leave();
    else if (by === "window") this.foot.tell(t("The window with the notes ended full screen: F brings it back."));
  }

  // ---- pointer --------------------------------------------------------------------------------------------

  /** Enlarge a token that has no tooltip; tooltips are enlarged on the stage anyway. */
  private pointAt(event: PointerEvent) {
    const { large } = this.foot;
    if (!this.on) return;
    const token = event.composedPath().find((el) => el instanceof HTMLElement && el.classList.contains("t"));
    if (token instanceof HTMLElement && token.closest("button")) {
      large.hidden = true; // a choice: its neighbours must not be covered
      return;
    }
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

/** Text of the question on the page of a lesson. */
function questionOf() {
  return elementOf("to the class")?.textContent ?? "";
}

/** Rule of the shown card; a table in it is as high as the card allows. */
function cardRule(key: string, height: number, zoom: number) {
  const fill = Math.max(LEAST_TABLE, Math.floor(height / zoom) - AROUND_TABLE);
  return ruleOf(key, { left: 0, width: innerWidth, top: 0, height, "padding-right": markRoom(innerWidth, innerHeight) }, zoom, `${CARD} --table-fill: ${fill}px;`);
}
