// The link of a page, large, with its QR code and who can open it: over everything, also over the stage.

import { build, copyTheme, make, makeShadow, makeSvg } from "../../page/elements.ts";
import { copyText, sayBriefly } from "../../page/clipboard.ts";
import type { Openers } from "../../page/link.ts";
import { t } from "../../i18n/words.ts";
import STYLE from "./dialog.css";

const QUIET = 4; // modules of white around a code
const CLOSING = ["Escape", "q", "PageDown", "PageUp"];
const THEME = ["background-color", "text-color", "primary-color", "border-color", "font", "code-font"];

export interface ShownLink {
  link: string;
  openers: Openers;
  /** Starts the app for others. */
  command: string;
}

/**
 * Show a link.
 * @param dressed element of the app, whose theme the dialog copies
 * @param closed is called when it is closed
 * @param embed shows the line that embeds a card instead
 * @returns draws the rows of the QR code; null if the link is too long for one
 */
export function showLink({ link, openers, command }: ShownLink, dressed: Element, closed: () => void, embed: () => void) {
  const code = make("div", "code");
  const copy = copyButton(t("Copy link"), () => link);
  const instead = build("button", { type: "button" }, t("Copy embed code"));
  const buttons = build("div", { class: "buttons" }, copy, instead);
  const dialog = openDialog(dressed, t("Link for the class"), CLOSING, closed, code, make("p", "link", link), make("p", "note", noteOf(openers, command)), buttons);
  instead.onclick = () => {
    dialog.close();
    embed();
  };
  dialog.classList.toggle("closed", openers !== "others");
  copy.focus();
  return (rows: string[]) => code.replaceChildren(rows.length ? drawn(rows) : make("p", "", t("The link is too long for a QR code. Save a lesson file instead.")));
}

/**
 * Open a dialog over everything.
 * @param dressed element of the app, whose theme the dialog copies
 * @param closing keys that close it
 * @param closed is called when it is closed
 */
export function openDialog(dressed: Element, label: string, closing: string[], closed: () => void, ...content: Node[]) {
  const host = make("div");
  host.id = "bpe-lab-link";
  copyTheme(dressed, host, THEME);
  const close = build("button", { type: "button", class: "close", "aria-label": t("Close"), title: t("Close") }, "\u00d7");
  const dialog = build("dialog", { role: "dialog", "aria-label": label }, close, ...content);
  makeShadow(host, STYLE).append(dialog);
  document.body.append(host);
  close.onclick = () => dialog.close();
  dialog.onclick = (event) => event.target === dialog && dialog.close();
  dialog.onkeydown = (event) => {
    event.stopPropagation();
    if (closing.includes(event.key)) dialog.close();
  };
  dialog.onclose = () => {
    host.remove();
    closed();
  };
  dialog.showModal();
  return dialog;
}

/** Button in a dialog that copies a text. */
export function copyButton(label: string, text: () => string) {
  const button = build("button", { type: "button" }, label);
  button.onclick = async () => sayBriefly(button, (await copyText(text(), button.closest("dialog") ?? button)) ? t("Copied") : t("Copy it from here"), label);
  return button;
}

export function noteOf(openers: Openers, command: string) {
  if (openers === "here") return t("Only this machine can open it. Start the app for others too: {command}", { command });
  if (openers === "no network") return t("Only this machine can open it: it is not on a network.");
  return t("Anyone on the same network can open it.");
}

/** A code in black on white, whatever the theme: not every scanner reads an inverted one. */
function drawn(rows: string[]) {
  const size = rows.length + 2 * QUIET;
  const path = rows.flatMap((row, y) => [...row].map((module, x) => (module === "1" ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : "")));
  const svg = makeSvg("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": t("QR code of the link"), "shape-rendering": "crispEdges" });
  svg.append(makeSvg("rect", { width: size, height: size, fill: "#fff" }), makeSvg("path", { d: path.join(""), fill: "#000" }));
  return svg;
}
