// Copies the URL, shows it large with its QR code, or shows the line that embeds a card. The click is sent to the server as an action; once it is
// acknowledged, the URL contains all earlier actions, also the input that the click itself committed by blurring a field.

import { loadPart } from "../../bridge/parts.ts";
import { doneUntilNow } from "../../bridge/outbox.ts";
import { View } from "../../bridge/view.ts";
import { copyText, sayBriefly } from "../../page/clipboard.ts";
import { build, find, icon } from "../../page/elements.ts";
import { isForOthers, linkForOthers, reachBy, type Openers } from "../../page/link.ts";
import { t } from "../../i18n/words.ts";

const OFTEN = 30; // milliseconds between two checks for acknowledgements
const MOST = 4_500; // milliseconds; browsers refuse clipboard writes five seconds after a click

interface CopyLinkData {
  name: string;
  /** Who can open a link, and with which scheme, host and port; "" for those in the address bar. */
  openers: Openers;
  site: string;
  /** Starts the app for others. */
  command: string;
  /** Setting without which no page may frame the app; "" if it is set. */
  framing: string;
  /** Code of a link that is shown; without rows the link is too long for one. */
  qr: { of: string; rows: string[] } | null;
}

type LinkPart = Awaited<ReturnType<typeof loadPart<"link">>>;

const TAGS = "m8 7-5 5 5 5m8-10 5 5-5 5";
const QR = "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2M20 14v3M14 20h2M19 20h1";

export class CopyLink extends View<CopyLinkData> {
  private shown: { link: string; draw: (rows: string[]) => unknown } | null = null;
  private data: CopyLinkData | null = null;
  private readonly opened = new Set<string>(); // names of dialogs

  static markup() {
    const words = { "aria-label": t("Link for the class"), title: t("Link for the class, with a QR code") };
    const ofEmbedding = { "aria-label": t("Copy embed code"), title: t("Copy embed code: a card in a page of your course") };
    return [
      build(
        "div",
        { class: "both" },
        build(
          "button",
          { type: "button", "data-do": "copy" },
          icon(24, "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1-1"),
          build("span", { class: "label", "aria-live": "polite" }, t("Copy link")),
        ),
        build("button", { type: "button", "data-do": "show", ...words }, icon(24, QR)),
        build("button", { type: "button", "data-do": "embed", ...ofEmbedding }, icon(24, TAGS)),
      ),
    ];
  }

  update(component: Mount<CopyLinkData>) {
    const { data } = component;
    this.data = data;
    this.mountOutbox(data.name, component);
    reachBy(data.openers, data.site);
    find(this.root, "[data-do=copy]", HTMLButtonElement).onclick = () => this.copy();
    find(this.root, "[data-do=show]", HTMLButtonElement).onclick = () => this.show();
    find(this.root, "[data-do=embed]", HTMLButtonElement).onclick = () => this.embed();
    if (data.qr?.of === this.shown?.link) this.shown?.draw(data.qr?.rows ?? []);
  }

  private async copy() {
    const label = find(this.root, ".label", HTMLElement);
    const link = await this.link();
    const done = link !== null && (await copyText(link));
    const copied = isForOthers() ? t("Copied") : t("Copied; works on this machine only");
    const said = done ? copied : link !== null ? t("Copy it from the address bar") : t("Too long: save a lesson file");
    sayBriefly(label, said, t("Copy link"));
  }

  private show() {
    return this.openOnce("show", ({ openers, command }, whole, part, closed) => {
      const link = whole ?? linkForOthers(location.origin + location.pathname); // too long: the page in its initial state
      const close = () => {
        closed();
        this.shown = null;
        this.outbox?.act("show", "", { replaces: true });
      };
      this.shown = { link, draw: part.showLink({ link, openers, command }, this.root, close, () => void this.embed()) };
      if (isForOthers()) this.outbox?.act("show", link, { replaces: true });
    });
  }

  private embed() {
    return this.openOnce("embed", (data, link, part, closed) => part.showEmbedding({ ...data, link }, this.root, closed));
  }

  /** Open a dialog once: a click while the link is awaited opens no other. */
  private async openOnce(name: string, draw: (data: CopyLinkData, link: string | null, part: LinkPart, closed: () => void) => void) {
    if (this.opened.has(name)) return;
    this.opened.add(name);
    const closed = () => void this.opened.delete(name);
    try {
      const [link, part] = await Promise.all([this.link(), loadPart("link")]);
      if (this.data) draw(this.data, link, part, closed);
      else closed();
    } catch {
      closed(); // the server is unreachable; the next click tries again
    }
  }

  /** The link with all actions up to now, as others can open it; null if it is too long. */
  private async link() {
    this.outbox?.act("copy", null, { replaces: true });
    await answered();
    dispatchEvent(new Event("bpe-lab-write-address"));
    return document.documentElement.dataset.link === "too long" ? null : linkForOthers(location.href);
  }
}

/** Wait until the server has acknowledged this click and all earlier actions. */
async function answered() {
  const end = performance.now() + MOST;
  const isTaken = doneUntilNow();
  while (!isTaken() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, OFTEN));
}
