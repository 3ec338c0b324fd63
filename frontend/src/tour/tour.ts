// The tour of a tab: points at one thing at a time, and goes on when the visitor has done it. It survives reloads and
// changes of page, and leaves nothing behind.

import { following, subscribeStep } from "../bridge/current_step.ts";
import { TOUR, pageNow } from "../bridge/restore.ts";
import { isOnStage, make } from "../page/elements.ts";
import { keep } from "../page/storage.ts";
import { showWelcome } from "../page/welcome.ts";
import { t } from "../i18n/words.ts";
import { STEPS, type Seen } from "./steps.ts";
import STYLE from "./tour.css";

const NEXT_KEY = "t";
const AROUND = 6; // px between the ring and what it points at
const AFTER_DOING = 700; // milliseconds to see what was done
const THEME = ["background-color", "text-color", "primary-color", "font"];

export class Tour {
  private readonly ended: () => void;
  private readonly host = make("div");
  private readonly ring = make("div", "ring");
  private readonly card = make("section", "card");
  private readonly count = make("p", "count");
  private readonly sentence = make("p", "says");
  private readonly back = this.button("", () => this.go(this.number - 1));
  private readonly on = this.button("on", () => this.go(this.number + 1));
  private readonly close = this.button("close", () => this.end());
  private readonly listening = new AbortController();
  private readonly unsubscribe: () => void;
  private number = 0;
  private from: number | null = null; // step of the player when this step began
  private clicked = false;
  private shown = ""; // what is drawn
  private frame = 0;
  private timer = 0;

  /** @param ended is called at its end */
  constructor(ended: () => void, step: number) {
    this.ended = ended;
    this.host.id = TOUR;
    const root = this.host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    this.card.setAttribute("role", "region"); // no dialog: the keys go to the page
    this.sentence.setAttribute("aria-live", "polite");
    const foot = make("div", "foot");
    foot.append(this.count, this.back, this.on);
    this.card.append(this.close, this.sentence, foot);
    root.append(this.ring, this.card);
    document.body.append(this.host);
    const { signal } = this.listening;
    document.addEventListener("click", (event) => this.seeClick(event), { capture: true, signal });
    document.addEventListener("keydown", (event) => this.key(event), { signal });
    this.unsubscribe = subscribeStep(() => this.look());
    this.go(step);
    this.on.focus();
    this.follow();
  }

  private button(className: string, press: () => void) {
    const button = make("button", className);
    button.type = "button";
    button.onclick = press;
    return button;
  }

  /** Copy the theme of a component of the app, which the tour is outside of. */
  dress(el: Element) {
    const style = getComputedStyle(el);
    for (const name of THEME) this.host.style.setProperty(`--st-${name}`, style.getPropertyValue(`--st-${name}`));
  }

  private go(to: number) {
    clearTimeout(this.timer);
    this.timer = 0;
    if (to >= STEPS.length) {
      this.end();
      return;
    }
    this.number = Math.max(0, to);
    this.from = following.step;
    this.clicked = false;
    keep("sessionStorage", TOUR, String(this.number));
    showWelcome(!this.number);
    this.write();
    this.target()?.scrollIntoView({ block: "center" });
  }

  /** Write the texts, also after a change of language. */
  write() {
    const step = STEPS[this.number];
    const isLast = this.number === STEPS.length - 1;
    this.card.setAttribute("aria-label", t("Tour"));
    this.sentence.textContent = step.says();
    this.count.textContent = isLast ? "" : t("{done} of {all}", { done: this.number + 1, all: STEPS.length - 1 });
    this.back.textContent = t("Back");
    this.back.hidden = !this.number;
    this.on.textContent = isLast ? t("Done") : step.done ? t("Skip") : t("Go on");
    this.on.title = t("T key");
    this.on.setAttribute("aria-keyshortcuts", NEXT_KEY);
    this.close.textContent = "\u00d7";
    this.close.title = t("End the tour");
    this.close.setAttribute("aria-label", t("End the tour"));
  }

  // ---- what the visitor does ------------------------------------------------------------------------------

  private seeClick(event: Event) {
    const path = event.composedPath().filter((each) => each instanceof Element);
    const target = this.target();
    if (target && path.includes(target) && path.some((each) => each.matches(".t"))) this.clicked = true;
  }

  private key(event: KeyboardEvent) {
    const [from] = event.composedPath();
    const isText = from instanceof Element && from.matches("input:not([type=range]), textarea, [contenteditable=true]");
    if (event.key !== NEXT_KEY || isText || event.ctrlKey || event.metaKey || event.altKey || isOnStage()) return;
    this.go(this.number + 1);
  }

  private seen(): Seen {
    const last = lastStepIn(document.querySelector(".st-key-player"));
    return { page: pageNow(), at: following.step, last, from: this.from, clicked: this.clicked };
  }

  /** Go on, after a moment, if the step is done. */
  private look() {
    const { page, done } = STEPS[this.number];
    if (this.from === null && pageNow() === page) this.from = following.step;
    if (done && !this.timer && done(this.seen())) this.timer = setTimeout(() => this.go(this.number + 1), AFTER_DOING);
  }

  // ---- what it points at ----------------------------------------------------------------------------------

  /** Element to point at; on another page, the link to the step's page. */
  private target(): Element | null {
    const { page, at } = STEPS[this.number];
    const link = `[data-testid=stTopNavLink][href$="/${page === "train" ? "" : page}"]`;
    const isHere = pageNow() === page;
    return [...document.querySelectorAll(isHere ? at : link)].find((el) => el.getClientRects().length) ?? null;
  }

  /** Keep the ring around the target. */
  private follow() {
    this.frame = requestAnimationFrame(() => this.follow());
    this.look();
    const box = isOnStage() ? null : this.target()?.getBoundingClientRect();
    const shown = box ? [box.left, box.top, box.width, box.height].map(Math.round).join() : String(isOnStage());
    if (shown === this.shown) return;
    this.shown = shown;
    this.host.hidden = isOnStage();
    this.ring.hidden = !box;
    if (!box) return;
    const { style } = this.ring;
    style.left = `${box.left - AROUND}px`;
    style.top = `${box.top - AROUND}px`;
    style.width = `${box.width + 2 * AROUND}px`;
    style.height = `${box.height + 2 * AROUND}px`;
    this.card.classList.toggle("above", box.top > innerHeight / 2 && box.bottom > innerHeight - 160);
  }

  end() {
    keep("sessionStorage", TOUR, null);
    showWelcome(false);
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
    this.listening.abort();
    this.unsubscribe();
    this.host.remove();
    this.ended();
  }
}

/** Last step of the player in an element: its slider is in the shadow tree of a component. */
function lastStepIn(el: Element | null): number | null {
  for (const inner of el ? [el, ...el.querySelectorAll("*")] : []) {
    const slider = inner.shadowRoot?.querySelector("input[type=range]");
    if (slider instanceof HTMLInputElement) return Number(slider.max);
  }
  return null;
}
