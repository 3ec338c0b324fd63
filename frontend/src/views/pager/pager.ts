// Pager. Its position is ahead of the page's, so that every press counts from the previous one.

import { View } from "../../bridge/view.ts";
import { takeEarlyKeys, handlePageKeys } from "../../page/keys.ts";
import { clamp } from "../../page/numbers.ts";
import { build, find, icon, make } from "../../page/elements.ts";
import { t, term } from "../../i18n/words.ts";
import type { Answer } from "../../bridge/outbox.ts";

interface PagerData {
  at: number;
  count: number;
  what: string;
  back: string[]; // keys
  forward: string[];
  small: string; // name of one item, for buttons without words
  name: string;
  act: string; // name of its action
  done: Answer; // to the pager's actions
}

export class Pager extends View<PagerData> {
  private readonly bar: HTMLElement;
  private readonly back: HTMLButtonElement;
  private readonly forward: HTMLButtonElement;
  private data: PagerData | null = null;
  private at = 0;

  static markup() {
    return [
      build(
        "div",
        { class: "pager", role: "group" },
        build(
          "button",
          { type: "button", "data-do": "back" },
          icon(16, "M10 3 5 8l5 5"),
          make("span", "", term("pager", "Previous")),
        ),
        build(
          "button",
          { type: "button", "data-do": "forward", class: "primary" },
          icon(16, "m6 3 5 5-5 5"),
          make("span", "", term("pager", "Next")),
        ),
      ),
    ];
  }

  constructor(root: HTMLElement) {
    super(root);
    this.bar = find(root, ".pager", HTMLElement);
    this.back = find(root, "button[data-do=back]", HTMLButtonElement);
    this.forward = find(root, "button[data-do=forward]", HTMLButtonElement);
    this.back.onclick = () => this.go(this.at - 1);
    this.forward.onclick = () => this.go(this.at + 1);
  }

  update(component: Mount<PagerData>) {
    const { data } = component;
    const first = this.data === null;
    this.data = data;
    const outbox = this.mountOutbox(data.name, component);
    outbox.answered(data.done);
    const at = Number(outbox.ahead(data.act, data.done) ?? data.at);
    this.at = clamp(at, 0, Math.max(0, data.count - 1));
    this.bar.setAttribute("aria-label", data.what);
    const { small } = data;
    this.bar.classList.toggle("small", small !== "");
    this.name(this.back, small && t("Previous {what}", { what: small }), t("The one before"), data.back[0]);
    this.name(this.forward, small && t("Next {what}", { what: small }), t("The next one"), data.forward[0]);
    this.show();
    if (first && data.forward.length) this.listen();
  }

  private listen() {
    const key = (name: string, repeat: boolean) => this.key(name, repeat);
    this.onEnd(handlePageKeys(key));
    takeEarlyKeys(key);
  }

  /** @param small name for a button without words, "" for one with words */
  private name(button: HTMLButtonElement, small: string, title: string, key: string | undefined) {
    button.title = small || (key ? t("{title} ({key})", { title, key: shownKey(key) }) : title);
    if (small) button.setAttribute("aria-label", button.title);
  }

  private show() {
    this.back.disabled = this.at <= 0;
    this.forward.disabled = this.at >= (this.data?.count ?? 0) - 1;
  }

  private go(target: number) {
    const at = clamp(target, 0, Math.max(0, (this.data?.count ?? 0) - 1));
    if (at === this.at || !this.data) return;
    this.at = at;
    this.show();
    this.outbox?.act(this.data.act, at, { replaces: true });
  }

  /** @returns whether the pager handles this key */
  private key(key: string, repeat: boolean): boolean {
    const way = this.data?.forward.includes(key) ? 1 : this.data?.back.includes(key) ? -1 : 0;
    if (way && !(repeat && this.outbox?.waits())) this.go(this.at + way); // held down: as fast as pages appear
    return way !== 0;
  }
}

function shownKey(key: string) {
  return { ArrowLeft: "\u2190", ArrowRight: "\u2192" }[key] ?? key.toUpperCase();
}
