// Choices as buttons: one of them, or any number. A choice is sent by its name, so that no change of a label loses it.

import { View } from "../../bridge/view.ts";
import { build, find, make, setText } from "../../page/elements.ts";
import type { Answer } from "../../bridge/outbox.ts";

interface Option {
  name: string;
  title: string;
  note: string; // beside the title, "" for none
}

interface ChoiceData {
  name: string;
  label: string;
  labelled: boolean; // whether the label is in sight
  several: boolean;
  options: Option[];
  chosen: string[];
  done: Answer;
}

const WAYS: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

export class Choice extends View<ChoiceData> {
  private data: ChoiceData | null = null;
  private readonly ahead = new Map<string, boolean>(); // choices that the page's data do not contain yet

  static markup() {
    return [build("p", { class: "label" }), build("div", { class: "choice" })];
  }

  update(component: Mount<ChoiceData>) {
    const { data } = component;
    this.data = data;
    const outbox = this.mountOutbox(data.name, component);
    outbox.answered(data.done);
    if (!outbox.waits()) this.ahead.clear();
    const label = find(this.root, ".label", HTMLElement);
    label.textContent = data.label;
    label.hidden = !data.labelled;
    this.draw();
  }

  private isChosen(name: string) {
    if (this.data?.several) return this.ahead.get(name) ?? this.data.chosen.includes(name);
    return this.ahead.size ? this.ahead.has(name) : Boolean(this.data?.chosen.includes(name));
  }

  private draw() {
    const { data } = this;
    if (!data) return;
    const group = find(this.root, ".choice", HTMLElement);
    group.setAttribute("role", data.several ? "group" : "radiogroup");
    group.setAttribute("aria-label", data.label);
    while (group.children.length > data.options.length) group.lastChild?.remove();
    data.options.forEach((option, at) => {
      const button = group.children[at] ?? group.appendChild(this.button());
      this.fill(button as HTMLButtonElement, option);
    });
    const radios = data.several ? [] : this.buttons();
    const entry = radios.find((each) => each.ariaChecked === "true") ?? radios[0];
    for (const each of radios) each.tabIndex = each === entry ? 0 : -1;
  }

  private button() {
    const button = build("button", { type: "button" }, make("span", "title"), " ", make("span", "count"));
    button.onclick = () => this.choose(button.dataset.name ?? "");
    button.onkeydown = (event) => this.key(event, button);
    return button;
  }

  private fill(button: HTMLButtonElement, { name, title, note }: Option) {
    const isChosen = this.isChosen(name);
    button.dataset.name = name;
    button.setAttribute("role", this.data?.several ? "button" : "radio");
    button.setAttribute(this.data?.several ? "aria-pressed" : "aria-checked", String(isChosen));
    button.classList.toggle("chosen", isChosen);
    const texts: [string, string][] = [[".title", title], [".count", note]];
    for (const [part, text] of texts) setText(find(button, part, HTMLElement), text);
  }

  private buttons() {
    return [...this.root.querySelectorAll("button")];
  }

  /** Choose an option; where several can be chosen, toggle it. */
  private choose(name: string) {
    const { data, outbox } = this;
    const isTaken = !data?.several || !this.isChosen(name);
    if (!data || (!data.several && this.isChosen(name))) return;
    if (!data.several) this.ahead.clear();
    this.ahead.set(name, isTaken);
    outbox?.act("chose", [name, isTaken], { replaces: ([other]: [string]) => !data.several || other === name });
    this.draw();
  }

  /** Move among the options with the arrow keys; a single choice moves along. */
  private key(event: KeyboardEvent, from: HTMLButtonElement) {
    const way = WAYS[event.key];
    if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation(); // not a key of the page
    const buttons = this.buttons();
    const to = buttons[(buttons.indexOf(from) + way + buttons.length) % buttons.length];
    to.focus();
    if (!this.data?.several) this.choose(to.dataset.name ?? "");
  }
}
