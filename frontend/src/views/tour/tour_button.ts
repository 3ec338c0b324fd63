// Button that begins the tour. Until a browser has taken it, the button on Train says what it is.

import { loadPart } from "../../bridge/parts.ts";
import { TOUR, pageNow } from "../../bridge/restore.ts";
import { View } from "../../bridge/view.ts";
import { build, find, icon, make, wasReloaded } from "../../page/elements.ts";
import { keep, kept } from "../../page/storage.ts";
import { t } from "../../i18n/words.ts";
import type { Tour } from "../../tour/tour.ts";

const TAKEN = "bpe-lab: tour"; // in the browser's storage
const ASKED_FOR = "tour"; // in a URL: ?tour=1

let tour: Tour | null = null;
const offers = new Set<() => void>(); // of the mounted buttons: Streamlit makes others, for example in another language
let isOpened = false; // whether the initial state is already decided

export class TourButton extends View<null> {
  private readonly button: HTMLButtonElement;

  static markup() {
    const attributes = { type: "button", "aria-label": t("Tour"), title: t("Tour: eight steps through the app") };
    const question = "M9.2 9.2a2.9 2.9 0 1 1 4 2.9c-.8.4-1.2.9-1.2 1.8M12 17h.01";
    const circle = "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z";
    return [build("button", attributes, icon(24, circle, question), make("span", "offer", t("Tour")))];
  }

  constructor(root: HTMLElement) {
    super(root);
    this.button = find(root, "button", HTMLButtonElement);
    this.button.onclick = () => this.begin(0);
    const offer = () => this.offer();
    offers.add(offer);
    this.onEnd(() => offers.delete(offer));
  }

  update() {
    this.offer();
    tour?.write();
    if (isOpened) return;
    isOpened = true;
    const saved = wasReloaded() ? kept("sessionStorage", TOUR) : null;
    const [entry] = performance.getEntriesByType("navigation");
    if (saved !== null) this.begin(Number(saved));
    else if (new URL(entry?.name || location.href).searchParams.has(ASKED_FOR)) this.begin(0);
  }

  private offer() {
    this.button.classList.toggle("offered", pageNow() === "train" && kept("localStorage", TAKEN) === null);
  }

  private async begin(step: number) {
    tour?.end();
    let part;
    try {
      part = await loadPart("tour");
    } catch {
      return; // the server is unreachable; the next click tries again
    }
    tour = new part.Tour(() => {
      tour = null;
      keep("localStorage", TAKEN, "1");
      for (const offer of offers) offer();
    }, step);
    tour.dress(this.root);
  }
}
