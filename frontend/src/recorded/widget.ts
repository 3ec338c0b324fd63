// What anywidget loads into a notebook: it connects the pages in the notebook's outputs with the kernel, and draws one
// where an output is a view. The page itself is a document of its own: it has its own keys, theme and state.
// Python's side is bpe_core/page/widget.py.

import { GREETING, type Asked, type Told } from "./wire.ts";

interface Model {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  send(content: unknown): void;
  on(name: string, call: (...values: unknown[]) => void): void;
}

/** Message of the kernel: for the pages, or the page of a view. */
type Sent = Told & { page?: string };

const THEMES = { attributes: true, attributeFilter: ["data-jp-theme-light", "data-vscode-theme-kind", "theme"] };
const drawn = new Set<HTMLIFrameElement>(); // by render

/** Connect the pages of a model, present and future ones. */
function initialize({ model }: { model: Model }) {
  const ports = new Map<HTMLIFrameElement, MessagePort>();
  let mover: MessagePort | null = null; // which has set the step itself
  const tellAll = (told: Told, except: MessagePort | null = null) => {
    for (const port of ports.values()) if (port !== except) port.postMessage(told);
  };
  const take = (port: MessagePort, asked: Asked) => {
    if ("want" in asked) {
      model.send(asked);
      return;
    }
    mover = port;
    model.set("step", asked.step);
    mover = null;
    model.save_changes();
  };
  const answer = ({ source, data }: MessageEvent) => {
    const frame = data === GREETING ? framesOf(model).find(({ contentWindow }) => contentWindow === source) : null;
    if (!frame) return;
    const { port1, port2 } = new MessageChannel();
    ports.get(frame)?.close();
    ports.set(frame, port1);
    port1.onmessage = (event: MessageEvent<Asked>) => take(port1, event.data);
    frame.contentWindow?.postMessage(GREETING, "*", [port2]);
    port1.postMessage({ step: model.get("step"), last: model.get("_last"), dark: isDark() });
  };
  const themes = new MutationObserver(() => tellAll({ dark: isDark() }));
  for (const el of [document.documentElement, document.body]) themes.observe(el, THEMES);
  addEventListener("message", answer);
  model.on("change:step", () => tellAll({ step: Number(model.get("step")) }, mover));
  model.on("msg:custom", (sent) => (sent as Sent).page === undefined && tellAll(sent as Told));
  for (const { contentWindow } of framesOf(model)) contentWindow?.postMessage(GREETING, "*");
  return () => {
    removeEventListener("message", answer);
    themes.disconnect();
    for (const port of ports.values()) port.close();
  };
}

/** Draw the page of a model, which the kernel sends. */
function render({ model, el }: { model: Model; el: HTMLElement }) {
  const frame = document.createElement("iframe");
  frame.name = String(model.get("_place"));
  frame.setAttribute("sandbox", "allow-scripts");
  frame.style.cssText = `display:block;width:100%;height:${Number(model.get("_height"))}px;border:0`;
  drawn.add(frame);
  el.append(frame);
  model.on("msg:custom", (sent) => {
    const { page } = sent as Sent;
    if (page !== undefined && !frame.srcdoc) frame.srcdoc = page;
  });
  model.send({ want: "page", of: 0 });
  return () => drawn.delete(frame);
}

function framesOf(model: Model): HTMLIFrameElement[] {
  const name = String(model.get("_place"));
  const inOutputs = document.querySelectorAll<HTMLIFrameElement>(`iframe[name="${CSS.escape(name)}"]`);
  return [...new Set([...inOutputs, ...drawn])].filter((frame) => frame.name === name);
}

/** Whether the notebook is dark, in JupyterLab, VS Code and Colab; null if it does not say. */
function isDark(): boolean | null {
  const { jpThemeLight, vscodeThemeKind } = document.body.dataset;
  if (jpThemeLight) return jpThemeLight === "false";
  if (vscodeThemeKind) return !vscodeThemeKind.includes("light");
  return document.documentElement.getAttribute("theme") === "dark" || null;
}

export default { initialize, render };
