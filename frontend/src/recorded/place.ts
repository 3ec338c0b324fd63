// A place of a recorded page where a view is drawn. The actions that the view sends are handled here, once each.

import { drawAt } from "../bridge/mounts.ts";
import { actionsOfTab, takeAcknowledgements, type Action } from "../bridge/outbox.ts";
import { language } from "../i18n/words.ts";
import { make } from "../page/elements.ts";
import { whenRedrawn } from "./kept.ts";
import { RECORDED_VIEWS } from "./views.ts";
import { bytesOf } from "./recording.ts";

/** Handlers of a view's actions, by name. */
export type Acts = Record<string, (value: unknown) => void>;

const taken: Record<string, number> = {}; // number of the last action done, by place

export class Place {
  readonly host: HTMLElement = make("div", "view");
  private readonly root = this.host.attachShadow({ mode: "open" });
  private readonly view: string;
  private readonly key: string;
  private readonly acts: Acts;
  private end: ReturnType<typeof drawAt> | null = null; // of what is drawn
  /** Called when an action is handled. */
  onDone: () => void = () => {};

  /** @param view name of the view; `key`: of this place */
  constructor(view: string, key: string, acts: Acts = {}) {
    this.view = view;
    this.key = key;
    this.acts = acts;
    whenRedrawn(() => typeof this.end === "function" && this.end());
  }

  /** Number of the last action done, as views take it. */
  get done(): [tab: string, number: number] {
    return [actionsOfTab().tab, taken[this.key] ?? 0];
  }

  draw(data: unknown) {
    const tell = (_name: string, message: unknown) => this.take(message as [tab: string, actions: Action[]]);
    const component = { parentElement: this.root, setTriggerValue: tell, setStateValue: tell };
    this.end = drawAt(RECORDED_VIEWS, { ...component, data: [this.view, language(), data] });
  }

  /** Draw what is published under the key. */
  follow() {
    this.draw(bytesOf([{ relayed: this.key, rev: "" }, {}]));
    return this;
  }

  private take([tab, actions]: [tab: string, actions: Action[]]) {
    for (const [number, name, value] of actions) {
      if (number <= (taken[this.key] ?? 0)) continue;
      taken[this.key] = number;
      this.acts[name]?.(value);
    }
    queueMicrotask(() => {
      takeAcknowledgements([tab, taken]);
      this.onDone();
    });
  }
}
