// Base class of views. Views draw payloads in their method `update`; bridge/mounts.ts creates and ends them.

import { mountedOutbox, type Outbox } from "./outbox.ts";
import { readPayload } from "./payload.ts";

/** What the header of every payload has; `name`: of the outbox, if the view has one. */
interface Head {
  rev: string;
  name?: string;
}

export abstract class View<Data = Uint8Array> {
  readonly root: HTMLElement;
  outbox: Outbox | null = null;
  protected rev: string | null = null; // of the drawn body
  private readonly ends: (() => void)[] = [];

  /** @param root mount point, which holds the markup */
  constructor(root: HTMLElement) {
    this.root = root;
  }

  /** Draw a payload. */
  abstract update(component: Mount<Data>): void;

  /** Parse a payload, and mount the outbox named in its header; the body is null if it is already drawn. */
  protected open<OwnHead extends Head, Body>(component: Mount): { head: OwnHead; body: Body | null } {
    const read = readPayload<OwnHead, Body>(component.data, this.rev);
    this.rev = read.head.rev;
    if (read.head.name) this.mountOutbox(read.head.name, component);
    return read;
  }

  protected mountOutbox(name: string, component: Mount<unknown>) {
    return (this.outbox = mountedOutbox(name, component));
  }

  /** Register cleanup callbacks for when the view is unmounted. */
  protected onEnd(...ends: (() => void)[]) {
    this.ends.push(...ends);
  }

  /** Clean up when the view is unmounted. */
  end() {
    this.outbox?.left(this.root);
    for (const end of this.ends) end();
  }
}
