// @ts-check
// IndexedDB storage of a user's files and texts: bounded, and never sent to the server from here.

const DATABASE = "bpe-lab";
const STORE = "kept";

/** @typedef {{ shelf: string, name: string, content: Blob | string, size: number, at: number }} Kept `at`: time */
/** @typedef {{ most: number, bytes: number }} Limits of a shelf */

/**
 * Content of a shelf, the newest first.
 * @param {string} shelf
 * @returns {Promise<Kept[]>}
 */
export async function keptOn(shelf) {
  /** @type {Kept[]} */
  const all = await inStore("readonly", (store) => store.getAll());
  return all.filter((each) => each.shelf === shelf).sort((one, other) => other.at - one.at);
}

/**
 * Save an item under its name, and evict the oldest items over the limits.
 * @param {string} shelf
 * @param {string} name
 * @param {Blob | string} content
 * @param {Limits} limits
 */
export async function keep(shelf, name, content, limits) {
  const size = typeof content === "string" ? 2 * content.length : content.size;
  const kept = { shelf, name, content, size, at: Date.now() };
  const others = (await keptOn(shelf)).filter((each) => each.name !== name);
  const gone = withoutRoom([kept, ...others], limits);
  for (const each of gone) await forget(shelf, each.name);
  if (!gone.includes(kept)) await inStore("readwrite", (store) => store.put(kept));
}

/**
 * @param {string} shelf
 * @param {string} name
 */
export async function forget(shelf, name) {
  await inStore("readwrite", (store) => store.delete([shelf, name]));
}

/**
 * Items over the limits of a shelf.
 * @template {{ size: number }} T
 * @param {T[]} kept the newest first
 * @param {Limits} limits
 * @returns {T[]}
 */
export function withoutRoom(kept, { most, bytes }) {
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

/**
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest} ask
 * @returns {Promise<any>} result of the request, once it is written
 */
async function inStore(mode, ask) {
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

/** @returns {Promise<IDBDatabase>} */
function opened() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(DATABASE, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: ["shelf", "name"] });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}
