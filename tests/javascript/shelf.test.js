// The browser's storage is bounded: the newest entries stay.

import assert from "node:assert/strict";
import { test } from "node:test";

import { forget, keep, keptOn, withoutRoom } from "../../frontend/src/views/shelf/store.ts";
import { numbers } from "./helpers.js";

test("the newest stay as long as they fit, in number and in size", () => {
  const kept = [{ size: 4 }, { size: 9 }, { size: 3 }, { size: 1 }];
  assert.deepEqual(withoutRoom(kept, { most: 9, bytes: 8 }), [{ size: 9 }]);
  assert.deepEqual(withoutRoom(kept, { most: 1, bytes: 8 }), kept.slice(1));
  assert.deepEqual(withoutRoom(kept, { most: 9, bytes: 99 }), []);
});

test("whatever is kept, it is within the limits, and what alone is too large is not kept", () => {
  const next = numbers(3);
  for (let each = 0; each < 500; each += 1) {
    const limits = { most: next() % 6, bytes: next() % 100 };
    const kept = Array.from({ length: next() % 9 }, () => ({ size: next() % 60 }));
    const gone = withoutRoom(kept, limits);
    const stay = kept.filter((one) => !gone.includes(one));
    assert.ok(stay.length <= limits.most);
    assert.ok(stay.reduce((sum, { size }) => sum + size, 0) <= limits.bytes);
    for (const one of kept) if (one.size > limits.bytes) assert.ok(gone.includes(one));
  }
});

/** A storage in which every answer takes a while. */
function slowStorage() {
  const items = new Map();
  const soon = (request, result) => {
    setTimeout(() => {
      request.result = result;
      request.onsuccess?.();
    });
    return request;
  };
  const store = {
    getAll: () => soon({}, [...items.values()]),
    put: (item) => soon({}, items.set(item.name, item)),
    delete: ([, name]) => soon({}, items.delete(name)),
  };
  const transaction = () => {
    const made = { objectStore: () => store };
    setTimeout(() => setTimeout(() => made.oncomplete()));
    return made;
  };
  return { open: () => soon({}, { transaction, close() {} }) };
}

test("what is forgotten while it is being saved is not there afterwards", async () => {
  globalThis.indexedDB = slowStorage();
  const limits = { most: 9, bytes: 99 };
  await Promise.all([keep("texts", "a", "typed", limits), forget("texts", "a"), keep("texts", "b", "typed", limits)]);
  assert.deepEqual((await keptOn("texts")).map(({ name }) => name), ["b"]);
});
