// IndexedDB storage of a user's files and texts: bounded, and never sent to the server from here.

const DATABASE = "bpe-lab";
const STORE = "kept";

/** Fires an event named after a shelf whose content has changed. */
export const changes = new EventTarget();

export interface Kept {
  shelf: string;
  name: string;
  content: Blob | string;
  size: number;
  at: number; // time
}

/** What a shelf holds at most. */
interface Limits {
  most: number;
  bytes: number;
}

/** Content of a shelf, the newest first. */
export async function keptOn(shelf: string): Promise<Kept[]> {
  const all: Kept[] = await inStore("readonly", (store) => store.getAll());
  return all.filter((each) => each.shelf === shelf).sort((one, other) => other.at - one.at);
}

let writing: Promise<unknown> = Promise.resolve();

/** Write after all that was begun before: an item that is being saved may be forgotten at once. */
function inOrder(write: () => Promise<void>): Promise<void> {
  const written = writing.then(write);
  writing = written.catch(() => {});
  return written;
}

/** Save an item under its name, and evict the oldest items over the limits. */
export function keep(shelf: string, name: string, content: Blob | string, limits: Limits) {
  return inOrder(() => save(shelf, name, content, limits));
}

export function forget(shelf: string, name: string) {
  return inOrder(() => remove(shelf, name));
}

async function save(shelf: string, name: string, content: Blob | string, limits: Limits) {
  const size = typeof content === "string" ? 2 * content.length : content.size;
  const others = (await keptOn(shelf)).filter((each) => each.name !== name);
  const at = Math.max(Date.now(), (others[0]?.at ?? 0) + 1); // files of one upload keep their order
  const kept = { shelf, name, content, size, at };
  const gone = withoutRoom([kept, ...others], limits);
  for (const each of gone) await remove(shelf, each.name);
  if (!gone.includes(kept)) await inStore("readwrite", (store) => store.put(kept));
  changes.dispatchEvent(new Event(shelf));
}

async function remove(shelf: string, name: string) {
  await inStore("readwrite", (store) => store.delete([shelf, name]));
  changes.dispatchEvent(new Event(shelf));
}

/**
 * Items over the limits of a shelf.
 * @param kept the newest first
 */
export function withoutRoom<T extends { size: number }>(kept: T[], { most, bytes }: Limits): T[] {
  let number = 0;
  let size = 0;
  return kept.filter((each) => {
    const fits = number < most && size + each.size <= bytes;
    if (fits) {
      number += 1;
      size += each.size;
    }
    return !fits;
  });
}

/** @returns result of the request, once it is written */
async function inStore<Result>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await opened();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const asked = ask(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close(); // so that the user can clear the site's data at any time
  }
}

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(DATABASE, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: ["shelf", "name"] });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}
