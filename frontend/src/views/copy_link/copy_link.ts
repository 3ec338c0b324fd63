// Copies the URL. The click is sent to the server as an action; once it is acknowledged, the URL contains all earlier
// actions, also the input that the click itself committed by blurring a field.

import { doneUntilNow } from "../../bridge/outbox.ts";
import { View } from "../../bridge/view.ts";
import { copyText, sayBriefly } from "../../page/clipboard.ts";
import { build, find, icon } from "../../page/elements.ts";
import { t } from "../../i18n/words.ts";

const OFTEN = 30; // milliseconds between two checks for acknowledgements
const MOST = 4_500; // milliseconds; browsers refuse clipboard writes five seconds after a click

interface CopyLinkData {
  name: string;
}

export class CopyLink extends View<CopyLinkData> {
  static markup() {
    return [
      build(
        "button",
        { type: "button" },
        icon(24, "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1-1"),
        build("span", { class: "label", "aria-live": "polite" }, t("Copy link")),
      ),
    ];
  }

  update(component: Mount<CopyLinkData>) {
    const outbox = this.mountOutbox(component.data.name, component);
    const button = find(this.root, "button", HTMLButtonElement);
    const label = find(button, ".label", HTMLElement);
    button.onclick = async () => {
      outbox.act("copy", null, { replaces: true });
      await answered();
      dispatchEvent(new Event("bpe-lab-write-address"));
      const whole = document.documentElement.dataset.link !== "too long";
      const done = whole && (await copyText(location.href));
      const said = done ? t("Copied") : whole ? t("Copy it from the address bar") : t("Too long: save a lesson file");
      sayBriefly(label, said, t("Copy link"));
    };
  }
}

/** Wait until the server has acknowledged this click and all earlier actions. */
async function answered() {
  const end = performance.now() + MOST;
  const isTaken = doneUntilNow();
  while (!isTaken() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, OFTEN));
}
