// @ts-check
// What every view has at its mount point. Views draw payloads by their method `update`; bridge/mounts.js makes and ends
// them.

import { mountedOutbox } from "./outbox.js";
import { readPayload } from "./payload.js";

/** @typedef {import("./outbox.js").Outbox} Outbox */

export class View {
  /** @param {HTMLElement} root mount point, which holds the markup */
  constructor(root) {
    this.root = root;
    /** @type {Outbox | null} */
    this.outbox = null;
    /** @type {string | null} */
    this.rev = null; // of the body that is drawn
    /** @type {(() => void)[]} */
    this.ends = [];
  }

  /**
   * Read a payload of bytes, and mount the outbox that its head names.
   * @param {Mount} component
   * @returns {{ head: any, body: any }} body: null if it is drawn already
   */
  open(component) {
    const read = readPayload(component.data, this.rev);
    this.rev = read.head.rev;
    if (read.head.name) this.mountOutbox(read.head.name, component);
    return read;
  }

  /**
   * @param {string} name
   * @param {Mount<any>} component
   */
  mountOutbox(name, component) {
    return (this.outbox = mountedOutbox(name, component));
  }

  /**
   * Call these when the view leaves the page.
   * @param {...() => void} ends
   */
  onEnd(...ends) {
    this.ends.push(...ends);
  }

  /** Leave the page. */
  end() {
    this.outbox?.left(this.root);
    for (const end of this.ends) end();
  }
}
