// Choice of the place that a step of a teacher's lesson points at, by a click on the page or in the card's list, and of
// the sentence. While it is mounted, a click on the page selects a place and has no other effect.

import { View } from "../bridge/view.ts";
import { build, make } from "../page/elements.ts";
import { t } from "../i18n/words.ts";
import { Overlay, placeOf, showPlace } from "./overlay.ts";
import type { Answer } from "../bridge/outbox.ts";

interface Place {
  name: string;
  title: string;
  at: string;
  inside: string;
  /** What a learner can do there, each with its words. */
  kinds: [kind: string, words: string][];
  /** Whether it is in the header of every page. */
  in_header: boolean;
}

interface ChooserData {
  name: string; // of the outbox
  done: Answer;
  places: Place[];
  number: number; // that the new step will have
  longest: number; // characters of a sentence
  last: number; // largest step of a player
}

const CHOOSER = "bpe-lab-chooser";
const STRIP = ".st-key-choosing"; // holds the button that leaves
const CLICKS = ["pointerdown", "mousedown", "pointerup", "mouseup", "touchstart", "click", "dblclick"];
const REACH = "reach";

export class StepChooser extends View<ChooserData> {
  private readonly overlay = new Overlay(CHOOSER);
  private data: ChooserData | null = null;
  private drawn = ""; // what the card is drawn for
  private pointed: Place | null = null;
  private chosen: Place | null = null;
  private shown = "";
  private frame = 0;

  constructor(root: HTMLElement) {
    super(root);
    const { card } = this.overlay;
    card.classList.add("choosing");
    card.setAttribute("role", "region");
    card.onkeydown = (event) => {
      if (event.key !== "Escape" || !this.chosen) return;
      event.stopPropagation();
      this.pick(null);
    };
    const listening = new AbortController();
    const options = { capture: true, signal: listening.signal };
    // On the window, before the listeners of the page, which would follow links.
    for (const type of CLICKS) addEventListener(type, (event) => this.take(event), options);
    addEventListener("pointermove", (event) => this.hover(event), options);
    this.onEnd(
      () => listening.abort(),
      () => cancelAnimationFrame(this.frame),
      () => this.overlay.remove(),
    );
  }

  update(component: Mount<ChooserData>) {
    const { data } = component;
    this.mountOutbox(data.name, component).answered(data.done);
    this.data = data;
    this.overlay.dress(this.root);
    const drawn = JSON.stringify([data.number, data.places]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.pick(null);
    if (!this.frame) this.follow();
  }

  // ---- on the page ----------------------------------------------------------------------------------------

  /** Handle a click on the page; the card and the strip handle their own. */
  private take(event: Event) {
    const path = event.composedPath();
    if (this.overlay.has(path) || path.some((each) => each instanceof Element && each.matches(STRIP))) return;
    if (!path.some((each) => each instanceof Element && each.matches("[data-testid=stApp]"))) return;
    if (event.cancelable) event.preventDefault();
    event.stopImmediatePropagation();
    const place = event.type === "click" ? this.placeIn(path) : null;
    if (place) this.pick(place);
  }

  private hover(event: Event) {
    if (this.chosen || this.overlay.has(event.composedPath())) return;
    this.point(this.placeIn(event.composedPath()));
  }

  /** Innermost place that an event's path passes through. */
  private placeIn(path: EventTarget[]): Place | null {
    const places = this.data?.places ?? [];
    for (const [i, each] of path.entries()) {
      if (!(each instanceof Element)) continue;
      const found = places.find(({ at, inside }) => {
        if (!inside) return each.matches(at);
        return each.matches(inside) && path.slice(i).some((outer) => outer instanceof Element && outer.matches(at));
      });
      // Of several elements that match, the first is the place.
      if (found && (!found.inside || placeOf(found.at, found.inside) === each)) return found;
    }
    return null;
  }

  private point(place: Place | null) {
    if (place !== this.pointed) this.shown = "";
    this.pointed = place;
    for (const button of this.overlay.card.querySelectorAll("button[data-place]"))
      button.classList.toggle("on", button instanceof HTMLElement && button.dataset.place === place?.name);
  }

  /** Keep the ring around the place, and list the places that are there. */
  private follow() {
    this.frame = requestAnimationFrame(() => this.follow());
    const place = this.chosen ?? this.pointed;
    const box = place ? (placeOf(place.at, place.inside)?.getBoundingClientRect() ?? null) : null;
    const shown = box ? [place?.name, box.left, box.top, box.width, box.height].join() : "";
    if (shown !== this.shown || !shown) this.overlay.surround(box);
    this.shown = shown;
    for (const button of this.overlay.card.querySelectorAll<HTMLElement>("button[data-place]")) {
      const of = this.data?.places.find(({ name }) => name === button.dataset.place);
      button.hidden = !of || !placeOf(of.at, of.inside);
    }
  }

  // ---- the card -------------------------------------------------------------------------------------------

  private pick(place: Place | null) {
    const { data } = this;
    if (!data) return;
    this.chosen = place;
    this.point(place);
    const { card } = this.overlay;
    card.setAttribute("aria-label", t("Step {number}", { number: data.number }));
    card.replaceChildren(...(place ? this.form(data, place) : this.list(data)));
    if (place) showPlace(placeOf(place.at, place.inside));
    card.querySelector<HTMLElement>("textarea, [tabindex]")?.focus({ preventScroll: true });
  }

  private list({ number, places }: ChooserData) {
    const says = make("p", "says", t("Step {number}: what does it point at? Click it on the page, or here.", { number }));
    says.tabIndex = -1; // read aloud; the next key Tab goes to the first place
    const list = build("div", { class: "places", role: "group" });
    list.setAttribute("aria-label", t("Places of this page"));
    const header = build("details", { class: "places" }, make("summary", "", t("In the header")));
    for (const place of places) {
      const button = build("button", { type: "button", "data-place": place.name }, place.title);
      button.onclick = () => this.pick(place);
      button.onfocus = () => {
        this.point(place);
        showPlace(placeOf(place.at, place.inside));
      };
      button.onpointerenter = () => this.point(place);
      (place.in_header ? header : list).append(button);
    }
    list.append(header);
    return [says, list];
  }

  private form({ number, longest, last }: ChooserData, place: Place) {
    const says = build("textarea", { rows: "2", maxlength: String(longest), required: "" });
    const kind = make("select");
    for (const [value, words] of place.kinds) kind.append(build("option", { value }, words));
    const step = build("input", { type: "number", min: "0", max: String(last), placeholder: t("last") });
    const stepLabel = build("label", {}, t("Step of the player"), step);
    const showStep = () => (stepLabel.hidden = kind.value !== REACH);
    kind.onchange = showStep;
    showStep();
    const other = build("button", { type: "button" }, t("Another place"));
    other.onclick = () => this.pick(null);
    const add = build("button", { class: "on" }, t("Add the step"));
    const foot = build("div", { class: "foot" }, make("span", "count"), other, add);
    const title = make("p", "says", t("Step {number} points at: {place}", { number, place: place.title }));
    const fields = build("div", { class: "fields" }, build("label", {}, t("Goes on"), kind), stepLabel);
    const form = build("form", {}, title, build("label", {}, t("One sentence"), says), fields, foot);
    form.onsubmit = (event) => {
      event.preventDefault();
      const reach = kind.value === REACH && step.value !== "" ? { step: Number(step.value) } : {};
      if (!says.value.trim()) return;
      add.disabled = true;
      this.outbox?.act("chosen", { at: place.name, says: says.value.trim(), done: kind.value, ...reach });
    };
    return [form];
  }
}
