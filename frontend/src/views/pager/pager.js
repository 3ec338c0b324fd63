// @ts-check
// Pager. Its position is ahead of the page's, so that every press counts from the previous one.

import { View } from "../../bridge/view.js";
import { takeEarlyKeys, handlePageKeys } from "../../page/keys.js";
import { clamp } from "../../page/numbers.js";
import { build, find, icon, make } from "../../page/elements.js";
import { t } from "../../i18n/words.js";

/**
 * `back`, `forward`: the keys; `small`: name of one item, for buttons without words; `done`: acknowledgement of the
 * pager's actions.
 * @typedef {{ at: number, count: number, what: string, back: string[], forward: string[], small: string, name: string,
 *   done: import("../../bridge/outbox.js").Answer }} PagerData
 */

export class Pager extends View {
  static markup() {
    return [
      build("div", { class: "pager", role: "group" },
        build("button", { type: "button", "data-do": "back" }, icon(16, "M10 3 5 8l5 5"), make("span", "", t("Previous"))),
        build("button", { type: "button", "data-do": "forward", class: "primary" }, icon(16, "m6 3 5 5-5 5"), make("span", "", t("Next"))),
      ),
    ];
  }

  /** @param {HTMLElement} root */
  constructor(root) {
    super(root);
    this.bar = find(root, ".pager", HTMLElement);
    this.back = find(root, "button[data-do=back]", HTMLButtonElement);
    this.forward = find(root, "button[data-do=forward]", HTMLButtonElement);
    /** @type {PagerData | null} */
    this.data = null;
    this.at = 0;
    this.back.onclick = () => this.go(this.at - 1);
    this.forward.onclick = () => this.go(this.at + 1);
  }

  /** @param {Mount<PagerData>} component */
  update(component) {
    const { data } = component;
    const first = this.data === null;
    this.data = data;
    const outbox = this.mountOutbox(data.name, component);
    outbox.answered(data.done);
    const at = Number(outbox.ahead("go", data.done) ?? data.at);
    this.at = clamp(at, 0, Math.max(0, data.count - 1));
    this.bar.setAttribute("aria-label", data.what);
    const { small } = data;
    this.bar.classList.toggle("small", small !== "");
    this.name(this.back, small && t("Previous {what}", { what: small }), t("The one before"), data.back[0]);
    this.name(this.forward, small && t("Next {what}", { what: small }), t("The next one"), data.forward[0]);
    this.show();
    if (first && data.forward.length) this.listen();
  }

  listen() {
    const key = (/** @type {string} */ name, /** @type {boolean} */ repeat) => this.key(name, repeat);
    this.onEnd(handlePageKeys(key));
    takeEarlyKeys(key);
  }

  /**
   * @param {HTMLButtonElement} button
   * @param {string} small name for a button without words, "" for one with words
   * @param {string} title
   * @param {string | undefined} key
   */
  name(button, small, title, key) {
    button.title = small || (key ? t("{title} ({key})", { title, key: shownKey(key) }) : title);
    if (small) button.setAttribute("aria-label", button.title);
  }

  show() {
    this.back.disabled = this.at <= 0;
    this.forward.disabled = this.at >= (this.data?.count ?? 0) - 1;
  }

  /** @param {number} target */
  go(target) {
    const at = clamp(target, 0, Math.max(0, (this.data?.count ?? 0) - 1));
    if (at === this.at) return;
    this.at = at;
    this.show();
    this.outbox?.act("go", at, { replaces: true });
  }

  /**
   * @param {string} key
   * @param {boolean} repeat
   * @returns {boolean} whether the pager handles this key
   */
  key(key, repeat) {
    const way = this.data?.forward.includes(key) ? 1 : this.data?.back.includes(key) ? -1 : 0;
    if (way && !(repeat && this.outbox?.waits())) this.go(this.at + way); // held down: as fast as pages appear
    return way !== 0;
  }
}

/** @param {string} key */
function shownKey(key) {
  return { ArrowLeft: "\u2190", ArrowRight: "\u2192" }[key] ?? key.toUpperCase();
}
