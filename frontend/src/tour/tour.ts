// The tour of a tab, or the steps of a lesson: points at one thing at a time, and continues when the visitor has done
// it. It survives reloads and changes of page, and leaves nothing behind.

import { following, subscribeStep } from "../bridge/current_step.ts";
import { TOUR, pageNow } from "../bridge/restore.ts";
import { inside, isOnStage, make, setText } from "../page/elements.ts";
import { keep } from "../page/storage.ts";
import { showWelcome } from "../page/welcome.ts";
import { t } from "../i18n/words.ts";
import { OF_APP } from "./begin.ts";
import { stateOf } from "./controls.ts";
import { isOutOfSight, Overlay, placeOf, showPlace } from "./overlay.ts";
import { isDone, type Plan, type Seen } from "./steps.ts";

const NEXT_KEY = "t";
const PLAYERS = ".st-key-player, .st-key-algorithms-player";
const OFFER = ".st-key-strip-steps"; // the button of a lesson's steps
const TOKENS = ".t, .p";
const PAGES = "[data-testid=stExpandSidebarButton]"; // on a phone, the button before the links to pages
const WELCOME = ".st-key-welcome"; // the first screen, shown for its step alone
const AFTER_DOING = 700; // milliseconds to see what was done
const AFTER_CHANGE = 1200; // milliseconds without another change: a text is typed letter by letter
const LOOK = 200; // milliseconds between two checks of the controls
const MOST_ABSENT = 3000; // milliseconds without the steps' button on the lesson's page that end the steps

export class Tour {
  private plan: Plan;
  private readonly ended: () => void;
  private readonly overlay = new Overlay(TOUR);
  private readonly count = make("p", "count");
  private readonly sentence = make("p", "says");
  private readonly back = this.button("", () => this.go(this.number - 1));
  private readonly on = this.button("on", () => this.goOn());
  private readonly close = this.button("close", () => this.end());
  private readonly listening = new AbortController();
  private readonly unsubscribe: () => void;
  private number = 0;
  private isBack = false;
  private from: number | null = null; // step of the player when this step began
  private clicked = false;
  private picked = false;
  private before: string | null = null; // state of the controls before the visitor's first act
  private state = ""; // newest state, since `changedAt`
  private changedAt = 0;
  private lookedAt = 0;
  private isScrolled = false;
  private isLetGo = false; // the visitor has scrolled, clicked or pressed a key since
  private absentSince = 0;
  private shown = ""; // what is drawn
  private frame = 0;
  private timer = 0;

  /**
   * @param ended is called at its end
   */
  constructor(plan: Plan, step: number, ended: () => void) {
    this.plan = plan;
    this.ended = ended;
    const { card } = this.overlay;
    card.setAttribute("role", "region"); // no dialog: the keys go to the page
    this.sentence.setAttribute("aria-live", "polite");
    const foot = make("div", "foot");
    foot.append(this.count, this.back, this.on);
    card.append(this.close, this.sentence, foot);
    const { signal } = this.listening;
    document.addEventListener("click", (event) => this.seeClick(event), { capture: true, signal });
    document.addEventListener("keydown", (event) => this.key(event), { signal });
    for (const each of ["pointerdown", "keydown"])
      document.addEventListener(each, () => this.noteControls(), { capture: true, signal });
    for (const each of ["pointerdown", "keydown", "wheel", "touchmove"])
      document.addEventListener(each, () => (this.isLetGo = true), { capture: true, passive: true, signal });
    this.unsubscribe = subscribeStep(() => this.look());
    this.go(Math.min(step || 0, plan.steps.length - 1));
    this.on.focus();
    this.follow();
  }

  get of() {
    return this.plan.of;
  }

  private button(className: string, press: () => void) {
    const button = make("button", className);
    button.type = "button";
    button.onclick = press;
    return button;
  }

  dress(el: Element) {
    this.overlay.dress(el);
  }

  /** Go to the next step; if its task is to open a page, open it. */
  private goOn() {
    const link = this.step.done === "page" && pageNow() === this.step.page ? placeOf(this.step.at, "") : null;
    if (link instanceof HTMLElement) link.click();
    else this.go(this.number + 1);
  }

  private go(to: number) {
    clearTimeout(this.timer);
    this.timer = 0;
    if (to >= this.plan.steps.length) {
      this.end();
      return;
    }
    this.isBack = to < this.number;
    this.number = Math.max(0, to);
    this.from = following.step;
    this.clicked = this.picked = this.isScrolled = this.isLetGo = false;
    this.before = null;
    keep("sessionStorage", TOUR, JSON.stringify({ of: this.of, at: this.number }));
    showWelcome(this.step.at === WELCOME);
    this.write(this.plan);
  }

  /** Write the texts, also those of another language. */
  write(plan: Plan) {
    this.plan = plan;
    const { steps, label, ends, counted } = plan;
    this.number = Math.min(this.number, steps.length - 1);
    const isLast = this.number === steps.length - 1;
    const step = steps[this.number];
    this.overlay.card.setAttribute("aria-label", label);
    this.say(this.target());
    this.count.textContent = this.number < counted ? t("{done} of {all}", { done: this.number + 1, all: counted }) : "";
    this.back.textContent = t("Back");
    this.back.hidden = !this.number;
    this.on.textContent = isLast ? t("Done") : ["seen", "page"].includes(step.done) ? t("Go on") : t("Skip");
    this.on.title = t("T key");
    this.on.setAttribute("aria-keyshortcuts", NEXT_KEY);
    this.close.textContent = "\u00d7";
    this.close.title = ends;
    this.close.setAttribute("aria-label", ends);
  }

  /** Write the sentence of the step; on another page where the step is, and on a phone where the pages are. */
  private say(target: Element | null) {
    const { page, says } = this.step;
    const name = linkTo(page)?.textContent?.trim() ?? page;
    const here = pageNow() === page ? says : t("This step is on the page {page}.", { page: name });
    const behind = target?.matches(PAGES) ? t("Open the pages with the button \u00bb at the top.") : "";
    setText(this.sentence, [here, behind].filter(Boolean).join(" "));
  }

  // ---- what the visitor does ------------------------------------------------------------------------------

  private seeClick(event: Event) {
    const path = event.composedPath().filter((each) => each instanceof Element);
    const target = this.target();
    if (!target || !path.includes(target)) return;
    this.clicked = true;
    if (path.some((each) => each.matches(TOKENS))) this.picked = true;
  }

  private key(event: KeyboardEvent) {
    const path = event.composedPath();
    const [from] = path;
    if (!(from instanceof Element) || event.ctrlKey || event.metaKey || event.altKey || isOnStage()) return;
    const isText = from.matches("input:not([type=range]), textarea, [contenteditable=true]");
    const target = this.target();
    if (event.key === NEXT_KEY && !isText) this.goOn();
    else if ((event.key === "Enter" || event.key === " ") && target && path.includes(target)) {
      if (from.matches("[tabindex]:not(button, a, input, select, textarea)")) this.clicked = this.picked = true;
    }
  }

  /** Note the controls before the visitor's first act of this step. */
  private noteControls() {
    const target = this.step.done === "change" && this.before === null ? this.target() : null;
    if (target) this.before = this.state = stateOf(target);
  }

  /** Whether a control of the target was changed, and has been stable for a while. */
  private isChanged(now: number) {
    if (this.before === null) return false;
    const target = now >= this.lookedAt + LOOK ? this.target() : null;
    if (target) {
      this.lookedAt = now;
      const state = stateOf(target);
      if (state !== this.state) this.changedAt = now;
      this.state = state;
    }
    return this.state !== this.before && now >= this.changedAt + AFTER_CHANGE;
  }

  private get step() {
    return this.plan.steps[this.number];
  }

  private seen(): Seen {
    const { from, isBack, clicked, picked } = this;
    const [slider] = inside(document.querySelector(PLAYERS), "input[type=range]");
    return {
      page: pageNow(),
      nextPage: this.plan.steps[this.number + 1]?.page,
      at: following.step,
      last: slider instanceof HTMLInputElement ? Number(slider.max) : null,
      from,
      isBack,
      clicked,
      picked,
      changed: this.isChanged(performance.now()),
    };
  }

  /** Go on, after a moment, if the step is done. */
  private look() {
    const { step } = this;
    if (this.from === null && pageNow() === step.page) this.from = following.first; // keys may have moved it on
    if (!this.timer && isDone(step, this.seen())) this.timer = setTimeout(() => this.go(this.number + 1), AFTER_DOING);
  }

  // ---- what it points at ----------------------------------------------------------------------------------

  /** Element to point at; on another page, the link to the step's page; the button of a link that is out of sight. */
  private target(): Element | null {
    const { page, at, inside: within } = this.step;
    const place = pageNow() === page ? placeOf(at, within) : linkTo(page);
    return place && place.getBoundingClientRect().right <= 0 ? document.querySelector(PAGES) : place;
  }

  /** Keep the ring around the target. */
  private follow() {
    this.frame = requestAnimationFrame(() => this.follow());
    this.look();
    if (this.isLeft(performance.now())) {
      this.end();
      return;
    }
    const target = isOnStage() ? null : this.target();
    this.say(target);
    if (target && !this.isLetGo && (!this.isScrolled || isOutOfSight(target))) {
      this.isScrolled = true;
      showPlace(target); // once more where what is drawn later pushes it away
    }
    const box = target?.getBoundingClientRect() ?? null;
    const shown = box ? [box.left, box.top, box.width, box.height].map(Math.round).join() : String(isOnStage());
    if (shown === this.shown) return;
    this.shown = shown;
    this.overlay.hidden = isOnStage();
    this.overlay.surround(box);
  }

  /** Whether a lesson was left: its page is shown without its button, or the list of lessons. */
  private isLeft(now: number) {
    const page = pageNow();
    const isOffered = this.of === OF_APP || document.querySelector(OFFER);
    if (isOffered || (page !== this.step.page && page !== "lessons")) this.absentSince = now;
    this.absentSince ||= now;
    return now > this.absentSince + MOST_ABSENT;
  }

  end() {
    keep("sessionStorage", TOUR, null);
    showWelcome(false);
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
    this.listening.abort();
    this.unsubscribe();
    this.overlay.remove();
    this.ended();
  }
}

/** Link to a page in the app's navigation. */
function linkTo(page: string) {
  return placeOf(`:is([data-testid=stTopNavLink], [data-testid=stSidebarNavLink])[href$="/${page === "train" ? "" : page}"]`, "");
}
