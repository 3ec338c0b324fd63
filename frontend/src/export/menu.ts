// Menu of the views' picture buttons: one per page, mounted outside the app and never part of a picture.

import { copyTheme, make, makeShadow } from "../page/elements.ts";
import { keep, keptValue } from "../page/storage.ts";
import { language, t } from "../i18n/words.ts";
import { textOf, type Subject } from "./caption.ts";
import { chartsDrawn, drawnView, pngOf, type PictureOptions } from "./view.ts";

const SAVED_OPTIONS = "bpe-lab-picture";
const ANSWERED = 1_200; // milliseconds after which the menu closes by itself
const THEME = ["background-color", "secondary-background-color", "text-color", "border-color", "primary-color", "font"];
const STYLE = `
:host { position: fixed; z-index: 1000000; inset: 0 auto auto 0; }
.menu { position: fixed; display: grid; min-width: 190px; padding: 6px; border: 1px solid var(--st-border-color); border-radius: 10px;
  background: var(--st-secondary-background-color); color: var(--st-text-color); font: 14px/1.3 var(--st-font); box-shadow: 0 6px 24px rgb(0 0 0 / .22); }
button { display: flex; gap: 8px; padding: 7px 10px; border: 0; border-radius: 6px; background: none; color: inherit; font: inherit; text-align: start; cursor: pointer; }
button:hover, button:focus-visible { background: color-mix(in oklab, var(--st-text-color) 9%, transparent); outline: none; }
button:focus-visible { box-shadow: inset 0 0 0 2px var(--st-primary-color); }
.check { width: 1em; }
hr { width: 100%; margin: 5px 0; border: 0; border-top: 1px solid var(--st-border-color); }
p { margin: 0; padding: 6px 10px; max-width: 220px; }
p:empty { display: none; }
`;

export class PictureMenu {
  subject: Subject = { names: {}, trainedOn: "", settings: "" };
  readonly language = language();
  button: HTMLElement | null = null;
  private readonly options = savedOptions();
  private timer = 0;
  readonly host = make("div");
  private readonly root: ShadowRoot;
  private readonly menu = make("div", "menu");
  private readonly says = make("p");

  constructor() {
    this.host.id = "bpe-lab-picture-menu";
    this.root = makeShadow(this.host, STYLE);
    this.menu.setAttribute("role", "menu");
    this.menu.setAttribute("aria-label", t("Picture"));
    this.says.setAttribute("role", "status");
    this.build();
  }

  private build() {
    const acts: [name: string, act: () => Promise<string>][] = [
      [t("Copy picture"), () => this.copyPicture()],
      [t("Copy SVG text"), () => this.copyText()],
      [t("Download SVG"), () => this.save("svg")],
      [t("Download PNG"), () => this.save("png")],
    ];
    const items = acts.map(([name, act]) => {
      const item = make("button", "", name);
      item.setAttribute("role", "menuitem");
      item.onclick = () => this.run(act);
      return item;
    });
    this.menu.append(
      ...items,
      make("hr"),
      this.choice(t("For print"), "print"),
      this.choice(t("With caption"), "caption"),
    );
    this.root.append(this.menu);
    this.menu.append(this.says);
    this.menu.onkeydown = (event) => this.key(event);
  }

  private choice(name: string, option: keyof PictureOptions) {
    const item = make("button");
    const check = make("span", "check");
    check.setAttribute("aria-hidden", "true");
    item.append(check, name);
    item.setAttribute("role", "menuitemcheckbox");
    const show = () => {
      item.setAttribute("aria-checked", String(this.options[option]));
      check.textContent = this.options[option] ? "\u2713" : "";
    };
    show();
    item.onclick = () => {
      this.options[option] = !this.options[option];
      keep("localStorage", SAVED_OPTIONS, JSON.stringify(this.options));
      show();
    };
    return item;
  }

  private get items() {
    return [...this.menu.querySelectorAll("button")];
  }

  get isOpen() {
    return this.button !== null;
  }

  /** @param button of a view */
  open(button: HTMLElement) {
    this.close();
    this.button = button;
    copyTheme(button, this.menu, THEME);
    button.setAttribute("aria-expanded", "true");
    this.says.textContent = "";
    document.body.append(this.host);
    const at = button.getBoundingClientRect();
    const { width, height } = this.menu.getBoundingClientRect();
    const below = at.bottom + 4 + height <= innerHeight;
    this.menu.style.left = Math.max(8, Math.min(at.right - width, innerWidth - width - 8)) + "px";
    this.menu.style.top = (below ? at.bottom + 4 : Math.max(8, at.top - height - 4)) + "px";
    this.items[0].focus();
  }

  /** @param options `focus`: return the focus to the button */
  close({ focus = false }: { focus?: boolean } = {}) {
    clearTimeout(this.timer);
    const { button } = this;
    this.button = null;
    button?.removeAttribute("aria-expanded");
    this.host.remove();
    if (focus) button?.focus();
  }

  private key(event: KeyboardEvent) {
    const { items } = this;
    const at = items.indexOf(this.root.activeElement as HTMLButtonElement);
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 };
    if (event.key in steps) items[(steps[event.key] + items.length) % items.length].focus();
    else if (event.key === "Escape") this.close({ focus: true });
    else if (event.key === "Tab") {
      this.close({ focus: true });
      return;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Run the chosen action, report its result, and close. */
  private async run(act: () => Promise<string>) {
    const { button } = this;
    try {
      this.says.textContent = await act();
      if (button !== this.button) return; // the menu has since been closed, or opened for another view
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.close({ focus: true }), ANSWERED);
    } catch (error) {
      this.says.textContent =
        error instanceof RangeError
          ? t("Too large for a picture. Show less of it.")
          : t("This browser cannot copy it here: download it instead.");
    }
  }

  /** Picture of the view as it is now, with the current link. */
  private async drawn() {
    const root = this.button?.closest(".tv");
    if (!(root instanceof HTMLElement)) throw new RangeError("no view");
    dispatchEvent(new Event("bpe-lab-write-address"));
    await chartsDrawn(root);
    return drawnView(root, this.options, this.subject, await textOf(location.href));
  }

  private async copyPicture() {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": this.drawn().then(pngOf) })]);
    return t("Copied");
  }

  private async copyText() {
    await navigator.clipboard.writeText((await this.drawn()).svg);
    return t("Copied");
  }

  private async save(kind: "svg" | "png") {
    const picture = await this.drawn();
    const blob = kind === "png" ? await pngOf(picture) : new Blob([picture.svg], { type: "image/svg+xml" });
    const link = make("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${picture.name}.${kind}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    return t("Saved as {file}", { file: link.download });
  }
}

function savedOptions(): PictureOptions {
  const saved = keptValue<Partial<PictureOptions>>("localStorage", SAVED_OPTIONS);
  return { print: saved?.print === true, caption: saved?.caption !== false };
}
