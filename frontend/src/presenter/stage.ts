// Button that opens the stage. There is one stage per tab, which persists across pages; its script is loaded with the
// first entry. In an embedded page it shows the card that the URL names instead.

import { loadPart } from "../bridge/parts.ts";
import { View } from "../bridge/view.ts";
import { build, find, icon, makeSvg, wasReloaded } from "../page/elements.ts";
import { isEmbedded } from "../page/embedded.ts";
import { handleKeysFirst, takeEarlyFirst } from "../page/keys.ts";
import { keptValue } from "../page/storage.ts";
import { language, t } from "../i18n/words.ts";
import type { StageData } from "./acts.ts";
import type { SavedStage, Stage } from "./show.ts";

const SAVED = "bpe-lab-stage"; // in the tab's storage
const ASKED_FOR = "stage"; // in a URL: ?stage=1

let stage: Stage | undefined;
let newest: { data: StageData; button: HTMLElement } | undefined;
let isOpened = false; // whether the initial state is already decided
let early: KeyboardEvent[] | null = null; // keys pressed while the script is loading

export class StageButton extends View<StageData> {
  static markup() {
    const attributes = {
      type: "button",
      "aria-label": t("Stage"),
      "aria-keyshortcuts": "s",
      title: t("Stage: over the whole screen, for an audience (S key)"),
    };
    const screen = makeSvg("rect", { x: 3, y: 4, width: 18, height: 12, rx: 1.5 });
    return [build("button", attributes, icon(24, screen, "M12 16v4m-4 0h8"))];
  }

  update({ data }: Mount<StageData>) {
    const button = find(this.root, "button", HTMLButtonElement);
    newest = { data, button };
    if (isEmbedded) {
      void loadPart("link").then((part) => part.showCard(data, this.root));
      return;
    }
    button.onclick = () => void enter();
    if (stage) {
      if (stage.language !== language()) stage = stage.again();
      stage.update(data, button);
    }
    if (isOpened) return;
    isOpened = true;
    handleKeysFirst(firstKey);
    if (takeEarlyFirst() || isAskedFor()) void enter();
  }
}

/** The cards of the page. */
export function cardsOfPage() {
  return newest?.data;
}

function savedStage() {
  return keptValue<Partial<SavedStage>>("sessionStorage", SAVED);
}

/** Whether the tab was reloaded on the stage, or the URL requests it. */
function isAskedFor() {
  const saved = savedStage();
  if (wasReloaded() && saved) return saved.on === true;
  const [entry] = performance.getEntriesByType("navigation");
  return new URL(entry?.name || location.href).searchParams.has(ASKED_FOR);
}

/** Keys before the first entry. */
function firstKey(event: KeyboardEvent) {
  if (early) early.push(event);
  else if (event.key === "s" && !event.shiftKey && !event.repeat) void enter();
  else return false;
  return true;
}

async function enter() {
  if (stage) {
    stage.enter();
    return;
  }
  if (early) return;
  early = [];
  try {
    const part = await loadPart("stage");
    stage = new part.Stage(SAVED, savedStage() ?? {});
    if (newest) stage.update(newest.data, newest.button);
    stage.enter();
    for (const event of early) stage.earlyKey(event);
  } catch {
    // the server is unreachable; the next key or click tries again
  }
  early = null;
}
