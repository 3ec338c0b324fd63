// Button that begins the tour. While the tour is offered, on Train, the button says what it is.

import { pageNow } from "../../bridge/restore.ts";
import { View } from "../../bridge/view.ts";
import { build, find, icon, make } from "../../page/elements.ts";
import { becomeKnown, isKnown, isWelcomeShown } from "../../page/welcome.ts";
import { beginTour, offers, resumeTour, type TourOffer } from "../../tour/begin.ts";
import type { Plan } from "../../tour/steps.ts";

interface TourData extends Plan {
  title: string;
}

export class TourButton extends View<TourData> implements TourOffer {
  plan: TourData | null = null;
  private readonly button: HTMLButtonElement;

  static markup() {
    const question = "M9.2 9.2a2.9 2.9 0 1 1 4 2.9c-.8.4-1.2.9-1.2 1.8M12 17h.01";
    const circle = "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z";
    return [build("button", { type: "button" }, icon(24, circle, question), make("span", "offer"))];
  }

  constructor(root: HTMLElement) {
    super(root);
    this.button = find(root, "button", HTMLButtonElement);
    this.button.onclick = () => beginTour(0, this.plan?.of);
    offers.add(this);
    this.onEnd(() => offers.delete(this));
  }

  update({ data }: Mount<TourData>) {
    this.plan = data;
    find(this.root, ".offer", HTMLElement).textContent = data.label;
    this.button.ariaLabel = data.label;
    this.button.title = data.title;
    resumeTour(data);
  }

  offer() {
    this.button.classList.toggle("offered", this.isOffered());
  }

  protected isOffered() {
    return pageNow() === "train" && !isKnown() && !isWelcomeShown();
  }

  ended(of?: string): void;
  ended() {
    becomeKnown();
  }
}
