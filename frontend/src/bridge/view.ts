// Base class of views. Views draw payloads in their method `update`; bridge/mounts.ts creates and ends them.

import { mountedOutbox, type Outbox } from "./outbox.ts";
import { readPayload } from "./payload.ts";
import type { Tokens } from "../tokens/spans.ts";

/** What the header of every payload has; `name`: of the outbox, if the view has one. */
interface Head {
  rev: string;
  name?: string;
}

/** Tokens of a text, and the elements of each. */
export interface Segmentation {
  tokens: Tokens;
  elements: (at: number) => HTMLElement[];
}

/** All views of the page. */
export const views = new Set<View<unknown>>();

export abstract class View<Data = Uint8Array> {
  readonly root: HTMLElement;
  outbox: Outbox | null = null;
  protected rev: string | null = null; // of the drawn body
  private readonly ends: (() => void)[] = [];

  /** @param root mount point, which holds the markup */
  constructor(root: HTMLElement) {
    this.root = root;
    views.add(this);
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

  /** Texts whose tokens this view draws; elements with a `row` are of the segmentation with that index. */
  segmentations(): Segmentation[] {
    return [];
  }

  /** What holds tokens with a key of their own; null for nothing. */
  get keyed(): ParentNode | null {
    return this.root;
  }

  /** Register cleanup callbacks for when the view is unmounted. */
  protected onEnd(...ends: (() => void)[]) {
    this.ends.push(...ends);
  }

  /** Clean up when the view is unmounted. */
  end() {
    views.delete(this);
    this.outbox?.left(this.root);
    for (const end of this.ends) end();
  }
}
