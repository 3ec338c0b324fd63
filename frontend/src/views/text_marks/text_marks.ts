// A text with labelled spans. Click to select a word or a mark, drag to select characters, or use keys; then choose a
// label.

import { View } from "../../bridge/view.ts";
import { build, find, make } from "../../page/elements.ts";
import { appendText, showCaptions, type CaptionsHead } from "../../tokens/drawing.ts";
import { t } from "../../i18n/words.ts";
import { Choice, chosenText, restText, type Mark } from "./choosing.ts";

interface MarksHead extends CaptionsHead {
  rev: string;
  name: string;
  label: string;
  of: string;
  labels: [string, string][];
  editable: boolean;
}

interface MarksBody {
  text: string;
  rest: number;
  marks: Mark[];
}

const isCoarse = matchMedia("(pointer: coarse)");

function hint() {
  if (isCoarse.matches) return t("Tap a word or drag over characters, then choose a label.");
  return t(
    "Click a word or drag over characters, then choose a label. Keys: \u2190 \u2192 a word, Shift + \u2190 \u2192 a character.",
  );
}

export class TextMarks extends View {
  private readonly box: HTMLElement;
  private readonly said: HTMLElement;
  private readonly buttons: HTMLElement;
  private head: MarksHead | null = null;
  private body: MarksBody = { text: "", rest: 0, marks: [] };
  private choice: Choice;
  private cells: HTMLElement[] = [];
  private from: number | null = null; // character of the pointer press
  private isDragged = false;
  private isDone = false; // the selection is marked: no longer shown, but the starting point for keys

  private drawnLabels = "";

  static markup() {
    return [make("div", "marked-text"), build("p", { class: "chosen", role: "status" }), make("div", "labels")];
  }

  constructor(root: HTMLElement) {
    super(root);
    this.box = find(root, ".marked-text", HTMLElement);
    this.box.dir = "auto";
    this.said = find(root, ".chosen", HTMLElement);
    this.buttons = find(root, ".labels", HTMLElement);
    this.choice = new Choice("");
    this.listen();
  }

  update(component: Mount) {
    const { head, body } = this.open<MarksHead, MarksBody>(component);
    const isOther = head.of !== this.head?.of;
    this.head = head;
    showCaptions(this.root, head);
    this.box.setAttribute("aria-label", head.label);
    this.box.classList.toggle("editable", head.editable);
    if (head.editable) {
      this.box.tabIndex = 0;
      this.box.setAttribute("role", "textbox"); // read-only, with a selection
      this.box.setAttribute("aria-readonly", "true");
      this.box.setAttribute("aria-multiline", "true");
    } else this.box.setAttribute("role", "group");
    if (!body) return;
    this.body = body;
    if (isOther) {
      this.choice = new Choice(body.text);
      this.from = null;
    }
    this.draw();
    this.showChoice();
  }

  private draw() {
    const { text, rest, marks } = this.body;
    const titles = new Map(this.head?.labels);
    this.cells = this.choice.characters.map(({ text: shown }, number) => {
      const cell = make("span", "c");
      cell.dataset.at = String(number);
      appendText(cell, shown);
      return cell;
    });
    const parts: Node[] = [];
    let mark: HTMLElement | null = null;
    let nth = 0;
    this.choice.characters.forEach(({ at, text: shown }, number) => {
      if (mark && at >= marks[nth][1]) {
        endMark(mark, marks[nth][2]);
        mark = null;
      }
      while (nth < marks.length && marks[nth][1] <= at) nth += 1;
      if (!mark && nth < marks.length && marks[nth][0] <= at) {
        const label = marks[nth][2];
        mark = make("span", "mark " + label.replace(/^[BI]-/, ""));
        mark.title = titles.get(label) ?? label;
        parts.push(mark);
      }
      const drawn: Node[] = [this.cells[number]];
      if (shown.includes("\n")) drawn.push(new Text("\n"));
      else if (shown === " ") drawn.push(make("wbr")); // its symbol allows no line break
      if (mark) mark.append(...drawn);
      else parts.push(...drawn);
    });
    if (mark) endMark(mark, marks[nth][2]);
    this.box.replaceChildren(...parts, ...(rest ? [" ", make("span", "rest", restText(rest))] : []));
    this.box.dataset.text = text.length ? "" : "empty";
    this.drawButtons();
  }

  private drawButtons() {
    const { head } = this;
    const labels = head?.editable ? head.labels : [];
    const drawn = JSON.stringify(labels);
    if (drawn === this.drawnLabels) return; // a button that is being pressed stays
    this.drawnLabels = drawn;
    const buttons = labels.map(([label, title], number) => {
      const button = make("button", "label " + label);
      button.type = "button";
      button.append(make("kbd", "", number + 1), make("b", "", label), make("span", "", title));
      button.onclick = () => this.mark(label);
      return button;
    });
    if (labels.length) {
      const remove = make("button", "label remove");
      remove.type = "button";
      remove.append(make("kbd", "", t("Del")), make("span", "", t("Remove")));
      remove.onclick = () => this.mark("");
      buttons.push(remove);
    }
    this.buttons.replaceChildren(...buttons);
  }

  private showChoice() {
    const { choice, cells, body, head } = this;
    const range = this.isDone ? null : choice.range;
    choice.characters.forEach(({ at }, number) => {
      cells[number]?.classList.toggle("on", range !== null && range[0] <= at && at < range[1]);
    });
    this.said.hidden = !head?.editable;
    const chosen = range && chosenText(choice);
    this.said.textContent = chosen || hint();
    this.said.classList.toggle("hint", !chosen);
    const isMarked = range !== null && choice.isMarked(body.marks);
    for (const button of this.buttons.querySelectorAll("button")) {
      button.disabled = button.classList.contains("remove") ? !isMarked : range === null;
    }
  }

  private listen() {
    const { box } = this;
    box.onpointerdown = (event) => {
      const at = cellOf(event);
      if (!this.head?.editable || at === null || event.button !== 0) return;
      this.isDone &&= !event.shiftKey;
      if (event.shiftKey) this.choice.extend(at);
      else this.from = at;
      this.isDragged = false;
      this.showChoice();
    };
    box.onpointermove = (event) => {
      const at = cellOf(event);
      if (this.from === null || at === null || !(event.buttons & 1) || (at === this.from && !this.isDragged)) return;
      this.isDragged = true;
      this.isDone = false;
      this.choice.drag(this.from, at);
      this.showChoice();
    };
    box.onpointerup = () => {
      if (this.from !== null && !this.isDragged) {
        this.choice.click(this.from, this.body.marks);
        this.isDone = false;
      }
      this.from = null;
      this.showChoice();
    };
    box.onkeydown = (event) => {
      if (this.head?.editable && this.key(event)) event.preventDefault();
    };
  }

  /** @returns whether it handles the key */
  private key({ key, shiftKey, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
    if (ctrlKey || altKey || metaKey) return false;
    const { choice } = this;
    const number = Number(key) - 1;
    const right = getComputedStyle(this.box).direction === "rtl" ? -1 : 1; // in reading direction
    const by = { ArrowLeft: -right, ArrowRight: right, Home: -Infinity, End: Infinity }[key];
    if (by !== undefined && shiftKey && Number.isFinite(by)) choice.grow(by);
    else if (by !== undefined) choice.step(by);
    else if (key === "Escape") choice.range = null;
    else if (key === "Delete" || key === "Backspace") this.mark("");
    else if (key !== " " && this.head?.labels[number]) this.mark(this.head.labels[number][0]);
    else return false;
    if (by !== undefined) this.isDone = false;
    this.showChoice();
    return true;
  }

  /** @param label "" to remove */
  private mark(label: string) {
    const { range } = this.choice;
    if (!range || this.isDone || !this.head || (!label && !this.choice.isMarked(this.body.marks))) return;
    this.outbox?.act("marked", [this.head.of, range[0], range[1], label]);
    this.isDone = true;
    this.box.focus({ preventScroll: true });
    this.showChoice();
  }
}

function endMark(mark: HTMLElement, label: string) {
  mark.append(make("b", "name", label));
}

/** The character below the pointer: the target of a finger's events stays where it was put down. */
function cellOf({ target, clientX, clientY }: PointerEvent): number | null {
  const root = target instanceof Element ? target.getRootNode() : null;
  const below = root instanceof ShadowRoot ? root.elementFromPoint(clientX, clientY) : null;
  const at = below?.closest<HTMLElement>(".c")?.dataset.at;
  return at === undefined ? null : Number(at);
}
