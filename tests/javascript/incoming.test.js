// Messages of the server on their way to Streamlit: the answer to a key is painted first.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { follow } from "../../frontend/src/bridge/published.ts";

/** Encoded by Python's own library. */
const BEGINS = bytesOf("EgAiAxoBeA==");
const ENDS = bytesOf("MAM=");
const REFERENCE = bytesOf("WgNhYmM=");
/** For a relay: a frame of "flow", which is renewed, and one of "rest", which is not. */
const TOKENS = bytesOf(
  "CgFhEgQSAgABKrIBGqwB2gOoAQoBaRIHYnBlX2xhYmKZAXJlbGF5IGVuCnsiZnJhbWVzIjpbWyJmbG93Iiw2Ml0sWyJyZXN0Iiw0NV1dfQp7In" +
    "JlbmV3ZWQiOiJmbG93Iiwib3JkZXIiOlsicyIsMl0sInJldiI6IjAxZTdiNzIwZmY1NjZkNTMifQp7fXsib3JkZXIiOlsidCIsMl0sInJldiI6" +
    "IjAxZTdiNzIwZmY1NjZkNTMifQp7fUIBZg==",
);

class MessageEvent extends Event {
  constructor(/** @type {ArrayBuffer} */ data) {
    super("message");
    this.data = data;
  }
}
class WebSocket extends EventTarget {}
/** @type {(() => void)[]} */
let frames = [];
Object.assign(globalThis, { MessageEvent, WebSocket, requestAnimationFrame: (run) => frames.push(run) });
const { expectAnswer, watchMessages } = await import("../../frontend/src/bridge/incoming.ts");
watchMessages();

/** What happens, in order: a letter for each message that Streamlit gets, and the names of drawn frames. */
let seen = "";
/** @type {WebSocket} */
let socket;
/** @type {(() => void)[]} */
let unfollow = [];

/** @param {string} text */
function bytesOf(text) {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** @param {Uint8Array[]} messages */
function arrive(...messages) {
  for (const { buffer } of messages) socket.dispatchEvent(new MessageEvent(buffer));
}

function paint() {
  for (let frame = 0; frame < 2; frame += 1) for (const run of frames.splice(0)) run();
  mock.timers.tick(1);
}

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  frames = [];
  socket = new WebSocket();
  socket.addEventListener("message", ({ data }) => {
    const names = new Map([BEGINS, ENDS, REFERENCE, TOKENS].map((each, at) => [each.buffer, "bert"[at]]));
    seen += names.get(data);
  });
  socket.addEventListener("close", () => (seen += " closed"));
  const heads = { flow: { renewed: "flow", order: ["s", 1] }, rest: { relayed: "rest" } };
  unfollow = Object.entries(heads).map(([name, head]) => {
    const data = new TextEncoder().encode(`${JSON.stringify(head)}\n{}`);
    return follow({ data, parentElement: {} }, () => (seen += ` ${name} `));
  });
  seen = "";
});

afterEach(() => {
  mock.timers.tick(1_000);
  mock.timers.reset();
  for (const end of unfollow) end();
});

test("messages pass at once while no key is answered", () => {
  arrive(BEGINS, REFERENCE);
  assert.equal(seen, "br");
  arrive(ENDS);
  assert.equal(seen, "bre");
});

test("tokens of a typed text are drawn first, and Streamlit gets the whole answer after the paint", () => {
  expectAnswer();
  arrive(BEGINS, REFERENCE);
  assert.equal(seen, "");
  arrive(TOKENS);
  assert.equal(seen, " flow ");
  arrive(ENDS);
  assert.equal(seen, " flow ");
  paint();
  assert.equal(seen, " flow brte");
  arrive(BEGINS);
  assert.equal(seen, " flow brteb");
});

test("an answer without tokens reaches Streamlit when its run ends", () => {
  expectAnswer();
  arrive(ENDS, BEGINS, REFERENCE);
  assert.equal(seen, "", "a run from before the key has ended");
  arrive(ENDS);
  assert.equal(seen, "ebre");
});

test("the answer to a key that comes before the last one is painted waits for its own tokens", () => {
  expectAnswer();
  arrive(BEGINS, TOKENS);
  expectAnswer();
  arrive(ENDS);
  paint();
  assert.equal(seen, " flow bte");
  arrive(BEGINS, REFERENCE);
  assert.equal(seen, " flow bte");
  arrive(TOKENS);
  paint();
  assert.equal(seen, " flow bte flow brt");
});

test("nothing is kept from Streamlit for long, whether or not the page is painted", () => {
  for (const messages of [[BEGINS, REFERENCE], [TOKENS]]) {
    expectAnswer();
    arrive(...messages);
    seen = "";
    mock.timers.tick(1_000);
    assert.equal(seen.length, messages.length);
  }
  arrive(ENDS);
  assert.equal(seen, "te");
});

test("before a connection is closed, Streamlit gets what has arrived", () => {
  expectAnswer();
  arrive(BEGINS, REFERENCE);
  socket.dispatchEvent(new Event("close"));
  assert.equal(seen, "br closed");
});
