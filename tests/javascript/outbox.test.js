// The outbox of a component's actions: acknowledged actions are not pending, unacknowledged ones are not dropped.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Outbox, actionsOfTab, doneUntilNow, missingAt } from "../../frontend/src/bridge/outbox.ts";

const TAB = "this tab";
const PLACE = {};

/** Outbox of a component on the page, and the sent actions. */
function onPage() {
  const actions = new Outbox(TAB);
  const sent = [];
  actions.mounted(PLACE, (name, value) => sent.push(structuredClone(value)));
  return { actions, sent };
}

/** Same as `act`, without the timer of a page. */
function act(actions, name, value, replaces = false) {
  actions.add(name, value, replaces);
  actions.send(0);
}

test("an action is sent at once, under the tab's name and its number", () => {
  const { actions, sent } = onPage();
  act(actions, "picked", [1, 2]);
  assert.deepEqual(sent, [[TAB, [[1, "picked", [1, 2]]]]]);
});

test("what was not answered is sent again with the next action, in order", () => {
  const { actions, sent } = onPage();
  act(actions, "picked", "a");
  act(actions, "picked", "b");
  assert.deepEqual(sent[1], [TAB, [[1, "picked", "a"], [2, "picked", "b"]]]);
});

test("an answer ends the actions up to its number and no others", () => {
  const { actions } = onPage();
  for (const value of ["a", "b", "c"]) act(actions, "picked", value);
  actions.answered([TAB, 2]);
  assert.deepEqual(actions.waiting, [[3, "picked", "c"]]);
  assert.ok(actions.waits("picked"));
  assert.ok(!actions.waits("typed"));
});

test("an update without an answer ends nothing", () => {
  const { actions } = onPage();
  act(actions, "move", [1, false]);
  for (const answer of [null, undefined, [TAB, 0], ["another tab", 9]]) actions.answered(answer);
  assert.ok(actions.waits("move"));
});

test("what is forgotten is not sent again and holds nothing up", () => {
  const { actions, sent } = onPage();
  act(actions, "move", [7, true], true);
  actions.forget("move");
  assert.ok(!actions.waits("move"));
  assert.equal(actions.ahead("move", [TAB, 0]), undefined);
  act(actions, "play", true);
  assert.deepEqual(sent[1], [TAB, [[2, "play", true]]]);
});

test("where nothing is left that counts, nothing is on its way", () => {
  const { actions } = onPage();
  act(actions, "move", [7, true], true);
  assert.ok(actions.sentUpTo > actions.takenUpTo);
  actions.forget("move");
  assert.equal(actions.sentUpTo, actions.takenUpTo);
});

test("where only the newest counts it replaces the others of its name, under a number of its own", () => {
  const { actions } = onPage();
  act(actions, "typed", "a", true);
  act(actions, "picked", "x");
  act(actions, "typed", "ab", true);
  assert.deepEqual(actions.waiting, [[2, "picked", "x"], [3, "typed", "ab"]]);
  actions.answered([TAB, 2]); // to a message older than the newest
  assert.deepEqual(actions.waiting, [[3, "typed", "ab"]]);
});

test("a paced action waits for the answer to the one before, and the newest follows it", () => {
  const { actions, sent } = onPage();
  act(actions, "move", 1, true);
  const later = (value) => {
    assert.ok(actions.sentUpTo > actions.takenUpTo);
    actions.add("move", value, true);
  };
  later(2);
  later(3);
  assert.equal(sent.length, 1);
  actions.answered([TAB, 1]);
  assert.deepEqual(sent[1], [TAB, [[3, "move", 3]]]);
  actions.answered([TAB, 3]);
  assert.equal(sent.length, 2);
  assert.ok(!actions.waits());
});

test("it is due again after a while, each time in vain after a longer one, up to a limit", () => {
  const { actions, sent } = onPage();
  act(actions, "picked", "a");
  assert.ok(!actions.isDue(100));
  let now = 0;
  const pauses = [];
  for (let times = 0; times < 8; times++) {
    const before = now;
    while (!actions.isDue(now)) now += 100;
    pauses.push(now - before);
    actions.sendAgain(now);
  }
  assert.equal(sent.length, 9);
  assert.ok(pauses.every((pause, at) => at === 0 || pause >= pauses[at - 1]));
  assert.equal(pauses[6], pauses[7]);
});

test("it is not due while the server works, nor before it has been idle for a while", () => {
  const { actions } = onPage();
  act(actions, "picked", "a");
  assert.ok(!actions.isDue(50_000, Infinity));
  assert.ok(!actions.isDue(50_000, 49_800));
  assert.ok(actions.isDue(52_000, 49_800));
});

test("nothing is due once all is answered", () => {
  const { actions } = onPage();
  act(actions, "picked", "a");
  actions.answered([TAB, 1]);
  assert.ok(!actions.isDue(Infinity));
});

test("what was made before the newest answer is old", () => {
  const { actions } = onPage();
  act(actions, "go", 1);
  act(actions, "go", 2);
  actions.answered([TAB, 2]);
  assert.ok(actions.isOld([TAB, 1]));
  assert.ok(!actions.isOld([TAB, 2]));
  assert.ok(!actions.isOld(null)); // a restarted server
});

test("what was made before the newest answer shows less than was asked for, also to a view that is new", () => {
  const { actions } = onPage();
  act(actions, "go", 7);
  assert.equal(actions.ahead("go", [TAB, 0]), 7); // still pending
  actions.answered([TAB, 1]);
  assert.equal(actions.ahead("go", [TAB, 0]), 7);
  assert.equal(actions.ahead("go", [TAB, 1]), undefined);
  assert.equal(actions.ahead("speed", [TAB, 0]), undefined);
});

test("what a page that was left still waits for is due as soon as it is back", () => {
  const { actions, sent } = onPage();
  act(actions, "picked", "a");
  actions.left(PLACE);
  assert.ok(!actions.isDue(Infinity));
  actions.send(5);
  assert.equal(sent.length, 1);
  actions.mounted({}, (name, value) => sent.push(value));
  assert.ok(actions.isDue(6));
});

test("a component that was redrawn before the old one left stays on the page", () => {
  const { actions } = onPage();
  actions.mounted({}, () => {});
  actions.left(PLACE);
  assert.notEqual(actions.tell, null);
});

test("a component that was in two places stays on the page in the one that came first", () => {
  const { actions, sent } = onPage();
  const second = {};
  actions.mounted(second, () => assert.fail("this place is gone"));
  actions.left(second);
  act(actions, "picked", "a");
  assert.equal(sent.length, 1);
});

test("what was taken is kept for a reload until the address says it", () => {
  const { actions } = onPage();
  act(actions, "move", [1, false], true);
  actions.answered([TAB, 1]);
  assert.deepEqual(actions.taken, [[1, "move", [1, false]]]);
  act(actions, "play", true);
  actions.written([TAB, 1]);
  assert.deepEqual(actions.taken, []);
  assert.deepEqual(actions.waiting, [[2, "play", true]]);
});

test("what was taken of a page that was left is kept for a reload on another page", () => {
  const { actions } = onPage();
  act(actions, "chose", "a");
  act(actions, "chose", "b");
  actions.answered([TAB, 1]);
  actions.left(PLACE);
  actions.answered([TAB, 2]);
  assert.deepEqual(actions.taken.map(([number]) => number), [1, 2]);
  actions.mounted(PLACE, () => {});
  actions.written([TAB, 2]);
  assert.deepEqual(actions.taken, [], "the page is back, and its address says it");
});

test("a reload that took an address which was replaced meanwhile does what that one did not hold", () => {
  const saved = [
    { address: "/?step=20", done: { player: [["move", [21, false]]] } },
    { address: "/?step=21", done: { player: [["move", [22, false]]] } },
    { address: "/?step=22", done: {} },
  ];
  assert.deepEqual(missingAt("/?step=20", saved), saved);
  assert.deepEqual(missingAt("/?step=22", saved), [saved[2]]);
  assert.deepEqual(missingAt("/encode", saved), []);
  assert.deepEqual(missingAt("/?step=7", saved), [saved[2]]);
  const andBack = [...saved, { address: "/?step=20", done: {} }];
  assert.deepEqual(missingAt("/?step=20", andBack), [andBack[3]]);
});

test("what waits stays bounded, the newest is kept", () => {
  const { actions } = onPage();
  for (let number = 1; number <= 1000; number++) act(actions, "picked", number);
  assert.equal(actions.waiting.length, 200);
  assert.deepEqual(actions.waiting.at(-1), [1000, "picked", 1000]);
});

test("what was done until now is taken when the newest of every component is, whatever is done meanwhile", () => {
  const [player, field] = [onPage().actions, onPage().actions];
  for (const [key, actions] of Object.entries({ player, field })) actionsOfTab().of.set(key, actions);
  act(player, "move", 1, true);
  act(field, "typed", "a");
  const isTaken = doneUntilNow();
  act(player, "move", 2, true);
  player.answered([TAB, 1]);
  assert.ok(!isTaken());
  field.answered([TAB, 1]);
  assert.ok(isTaken());
  assert.ok(!doneUntilNow()());
});

test("an action is packed as before for the first resend, and whole from the second on", () => {
  const { actions, sent } = onPage();
  actions.pack = ([number, , value], isAgain) => `${isAgain ? "all of" : "change to"} ${value} ${number}`;
  act(actions, "typed", "tex");
  actions.answered([TAB, 1]);
  sent.length = 0;
  act(actions, "typed", "text");
  actions.sendAgain(5_000);
  actions.sendAgain(10_000);
  const packed = sent.map(([, [[, , value]]]) => value);
  assert.deepEqual(packed, ["change to text 2", "change to text 2", "all of text 2"]);
  assert.deepEqual(actions.waiting, [[2, "typed", "text"]]);
});

test("a component that is mounted again resends its actions whole", () => {
  const { actions, sent } = onPage();
  actions.pack = ([, , value], isAgain) => `${isAgain ? "all of" : "change to"} ${value}`;
  act(actions, "typed", "text");
  actions.left(PLACE);
  actions.mounted({}, (name, value) => sent.push(structuredClone(value)));
  actions.sendAgain(5_000);
  assert.equal(sent.at(-1)[1][0][2], "all of text");
});
