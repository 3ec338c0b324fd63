// The speaker's window: the lesson's notes, a clock, and what comes next on the stage, whose keys work here too.

import { make } from "../page/elements.ts";
import { keep, kept } from "../page/storage.ts";
import { clockOf } from "./clock.ts";
import type { Asked, Told } from "./channel.ts";
import STYLE from "./notes_window.css";

const STARTED = "bpe-lab-notes-started";
const TICK = 250; // milliseconds
const OF_THE_BUTTON = ["Enter", " ", "Tab"];

export class NotesWindow {
  private readonly page: Document;
  private readonly channel = new BroadcastChannel(location.hash.slice(1));
  private started = Number(kept("sessionStorage", STARTED)) || Date.now();
  private readonly elapsed = make("span", "elapsed");
  private readonly label = make("span", "label");
  private readonly now = make("span", "now");
  private readonly reset = make("button");
  private readonly heading = make("h1");
  private readonly where = make("p", "where");
  private readonly notes = make("p", "notes");
  private readonly nextTitle = make("h2");
  private readonly next = make("p");

  constructor(page: Document) {
    this.page = page;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    page.adoptedStyleSheets.push(sheet);
    const clock = make("div", "clock");
    clock.append(this.elapsed, this.label, this.reset, this.now);
    const next = make("div", "next");
    next.append(this.nextTitle, this.next);
    page.body.append(clock, this.heading, this.where, this.notes, next);
    this.reset.onclick = () => this.start(Date.now());
    this.start(this.started);
    page.onkeydown = (event) => this.key(event);
    this.channel.onmessage = ({ data }: MessageEvent<unknown>) => isTold(data) && this.show(data);
    this.send({});
    setInterval(() => this.tick(), TICK);
  }

  private send(asked: Partial<Asked>) {
    this.channel.postMessage({ asks: true, ...asked });
  }

  private key(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target === this.reset && OF_THE_BUTTON.includes(event.key)) return;
    if (["Tab", "Shift", "ArrowUp", "ArrowDown", "n", "f", "F5"].includes(event.key)) return; // this window's own
    this.send({ key: event.key });
    event.preventDefault();
  }

  private start(at: number) {
    this.started = at;
    keep("sessionStorage", STARTED, String(at));
    this.tick();
  }

  private tick() {
    this.elapsed.textContent = clockOf(Date.now() - this.started);
    this.now.textContent = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  }

  private show(told: Told) {
    this.page.title = told.title;
    this.label.textContent = told.elapsed;
    this.reset.textContent = told.reset;
    this.heading.textContent = told.heading;
    this.where.textContent = told.where;
    this.notes.textContent = told.notes;
    this.nextTitle.textContent = told.nextTitle;
    this.next.textContent = told.next;
  }
}

function isTold(data: unknown): data is Told {
  return typeof data === "object" && data !== null && "heading" in data;
}
