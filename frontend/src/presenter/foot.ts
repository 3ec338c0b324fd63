// Elements of the stage outside the app: the tabs of the cards with the list of keys above them, the black screen, the
// enlarged token under the pointer, marks where there is more to scroll to, and short messages.

import { build, copyTheme, make, makeShadow } from "../page/elements.ts";
import { t } from "../i18n/words.ts";

const THEME = [
  "background-color",
  "secondary-background-color",
  "text-color",
  "border-color",
  "primary-color",
  "font",
  "code-font",
];
const STYLE = `
:host { position: fixed; inset: 0; z-index: 1000001; pointer-events: none; font: clamp(14px, min(1.15vw, 2.05vh), 44px)/1.35 var(--st-font);
  color: var(--st-text-color); }
.foot { position: absolute; inset: auto 0 0; pointer-events: auto; border-top: 1px solid var(--st-border-color); background: var(--st-secondary-background-color); }
.bar { display: flex; align-items: center; gap: .4em; padding: .3em .9em; box-sizing: border-box; }
.tabs { display: flex; gap: .25em; min-width: 0; overflow-x: auto; flex: 1; scrollbar-width: none; }
button { flex: none; padding: .28em .7em; border: 0; border-radius: .4em; background: none; color: inherit; font: inherit; white-space: nowrap; cursor: pointer; }
button:hover { background: color-mix(in oklab, var(--st-text-color) 9%, transparent); }
button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: -2px; }
button[aria-selected=true] { background: var(--st-text-color); color: var(--st-background-color); }
b { margin-inline-end: .5em; font-weight: 600; font-variant-numeric: tabular-nums; opacity: .75; }
button[aria-selected=true] b { opacity: 1; }
.keys { padding: .45em 1.2em; border-bottom: 1px solid var(--st-border-color); background: var(--st-text-color); color: var(--st-background-color); }
.keys dl { display: flex; flex-wrap: wrap; gap: .15em 1.6em; margin: 0; }
.keys dl div { display: flex; gap: .5em; white-space: nowrap; }
.keys dt { font-weight: 650; }
.keys dd { margin: 0; }
.message { position: absolute; inset-inline: 0; bottom: 7em; width: fit-content; max-width: 80%; margin: auto; padding: .5em 1.2em; border-radius: .5em;
  background: var(--st-text-color); color: var(--st-background-color); font-size: 1.4em; box-shadow: 0 .2em 1em rgb(0 0 0 / .3); }
.more { position: absolute; width: 1.4em; border-radius: 1em; background: var(--st-text-color); color: var(--st-background-color); text-align: center; opacity: .88; transform: translate(-115%, -115%); }
.black { position: absolute; inset: 0; background: #000; pointer-events: auto; cursor: none; }
.large { position: absolute; max-width: 70vw; padding: .15em .5em; border: 1px solid var(--st-border-color); border-radius: .25em;
  background: var(--st-background-color); font: 600 clamp(34px, min(4.4vw, 7.8vh), 160px)/1.3 var(--st-code-font), monospace;
  white-space: pre-wrap; overflow-wrap: anywhere; box-shadow: 0 .1em .4em rgb(0 0 0 / .25); }
.large small { display: block; font: 400 clamp(16px, min(1.4vw, 2.5vh), 50px)/1.3 var(--st-font); }
.said { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
[hidden] { display: none; }
`;

/** What the foot asks of the stage. */
interface FootAsks {
  choose: (key: string) => void;
  wake: () => void;
  leave: () => void;
  help: () => void;
  resized: () => void;
}

export class Foot {
  private readonly asks: FootAsks;
  readonly host = make("div");
  private readonly root: ShadowRoot;
  readonly foot = make("section", "foot");
  readonly tabs = make("div", "tabs");
  readonly keys = make("section", "keys");
  readonly large = make("div", "large");
  readonly black = make("div", "black");
  private readonly message = make("div", "message");
  private readonly marks = make("div");
  private readonly said = make("div", "said");

  constructor(asks: FootAsks) {
    this.asks = asks;
    this.host.id = "bpe-lab-stage";
    this.root = makeShadow(this.host, STYLE);
    this.foot.setAttribute("aria-label", t("Stage"));
    this.tabs.setAttribute("role", "tablist");
    this.tabs.setAttribute("aria-label", t("Cards of the page"));
    this.tabs.onkeydown = (event) => this.tabKey(event);
    const help = make("button", "", t("Keys"));
    help.prepend(make("b", "", "?"));
    help.setAttribute("aria-keyshortcuts", "?");
    help.onclick = () => asks.help();
    const leave = make("button", "", "\u00d7");
    leave.title = t("Leave the stage (Esc key)");
    leave.setAttribute("aria-label", t("Leave the stage"));
    leave.onclick = () => asks.leave();
    const bar = make("div", "bar");
    bar.append(this.tabs, help, leave);
    this.foot.append(this.keys, bar);
    this.keys.setAttribute("aria-label", t("Keys"));
    this.large.setAttribute("aria-hidden", "true");
    this.black.onpointerdown = () => asks.wake();
    this.said.setAttribute("role", "status");
    this.message.setAttribute("role", "status");
    this.marks.setAttribute("aria-hidden", "true");
    this.keys.hidden = this.large.hidden = this.black.hidden = this.message.hidden = true;
    this.root.append(this.foot, this.marks, this.message, this.large, this.black, this.said);
  }

  /** Copy the theme of a component of the app: the foot is outside the app and inherits none. */
  dress(el: Element) {
    copyTheme(el, this.host, THEME);
    return this.host.style.getPropertyValue("--st-background-color");
  }

  showTabs(cards: [key: string, title: string][], chosen: string | undefined) {
    const titles = cards.map(([, title]) => title).join("\n");
    if (this.tabs.dataset.titles !== titles) {
      const hadFocus = this.root.activeElement?.getAttribute("role") === "tab";
      this.tabs.dataset.titles = titles;
      this.tabs.replaceChildren(...cards.map(([key, title], at) => this.tab(key, title, at)));
      if (hadFocus) this.focusTab();
    }
    for (const [at, tab] of [...this.tabs.children].entries()) {
      const isChosen = cards[at]?.[0] === chosen;
      tab.setAttribute("aria-selected", String(isChosen));
      if (tab instanceof HTMLElement) tab.tabIndex = isChosen ? 0 : -1;
      if (isChosen) tab.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }

  private tab(key: string, title: string, at: number) {
    const tab = make("button", "", title);
    tab.setAttribute("role", "tab");
    if (at < 9) {
      tab.prepend(make("b", "", at + 1));
      tab.setAttribute("aria-keyshortcuts", String(at + 1));
    }
    tab.onclick = () => this.asks.choose(key);
    return tab;
  }

  private focusTab() {
    const chosen = this.tabs.querySelector("[aria-selected=true]");
    if (chosen instanceof HTMLElement) chosen.focus();
  }

  private tabKey(event: KeyboardEvent) {
    const tabs = [...this.tabs.querySelectorAll("button")];
    const at = tabs.indexOf(this.root.activeElement as HTMLButtonElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    tabs[(to + tabs.length) % tabs.length].click();
    this.focusTab();
    event.preventDefault();
  }

  /** Show the list of keys above the tabs: it covers nothing, since the cards make room for it. */
  showKeys(lines: [keys: string, what: string][]) {
    const list = make("dl");
    list.append(...lines.map(([keys, what]) => build("div", {}, make("dt", "", keys), make("dd", "", what))));
    this.keys.replaceChildren(list);
    this.keys.hidden = false;
    this.asks.resized();
  }

  hideKeys() {
    if (this.keys.hidden) return;
    this.keys.hidden = true;
    this.asks.resized();
  }

  /** Show a message until the next key. */
  tell(text: string) {
    this.message.hidden = !text;
    this.message.textContent = text;
  }

  /** Mark areas that have more below, at their lower right corners. */
  markMore(corners: [right: number, bottom: number][]) {
    const places = corners.map((corner) => corner.map(Math.round));
    const now = JSON.stringify(places);
    if (this.marks.dataset.places === now) return;
    this.marks.dataset.places = now;
    this.marks.replaceChildren(
      ...places.map(([left, top]) => {
        const mark = make("div", "more", "\u2193");
        mark.style.left = `${left}px`;
        mark.style.top = `${top}px`;
        return mark;
      }),
    );
  }

  /** Enlarge a token for the back row, above or below its position. */
  enlarge(box: DOMRect, text: string, note: string) {
    this.large.replaceChildren(text, ...(note ? [make("small", "", note)] : []));
    this.large.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = this.large;
    this.large.style.left = Math.max(8, Math.min(box.left, innerWidth - width - 8)) + "px";
    this.large.style.top = (box.top - height - 12 > 0 ? box.top - height - 12 : box.bottom + 12) + "px";
  }

  say(text: string) {
    this.said.textContent = text;
  }
}
