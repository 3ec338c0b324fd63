// @ts-check
// Base class of views. Views draw payloads in their method `update`; bridge/mounts.js creates and ends
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
    this.rev = null; // of the drawn body
    /** @type {(() => void)[]} */
    this.ends = [];
  }

  /**
   * Parse a payload, and mount the outbox named in its header.
   * @param {Mount} component
   * @returns {{ head: any, body: any }} body: null if already drawn
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
   * Register cleanup callbacks for when the view is unmounted.
   * @param {...() => void} ends
   */
  onEnd(...ends) {
    this.ends.push(...ends);
  }

  /** Clean up when the view is unmounted. */
  end() {
    this.outbox?.left(this.root);
    for (const end of this.ends) end();
  }
}
