// What outlives the drawing of a page, which is drawn again in another language: what the reader has set.

const values = new Map<string, unknown>();
const ends: (() => void)[] = [];

/** A value that the page has when it is drawn again. */
export class Kept<T> {
  private readonly name: string;
  private readonly first: T;

  /** @param name unique on the page; `first`: value until it is set */
  constructor(name: string, first: T) {
    this.name = name;
    this.first = first;
  }

  get value(): T {
    return values.has(this.name) ? (values.get(this.name) as T) : this.first;
  }

  set value(value: T) {
    values.set(this.name, value);
  }
}

/** Call this before the page is drawn again. */
export function whenRedrawn(end: () => void) {
  ends.push(end);
}

/** Call the registered callbacks, once each, and forget them. */
export function endDrawn() {
  for (const end of ends.splice(0)) end();
}
