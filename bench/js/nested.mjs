// A step in a machine of 40 states, three levels deep, with four regions (`../nested.json`), against XState.
//
// XState gets what `toXstate` exports. First it is checked that both sides answer every action alike, and are in the
// same states, all along a walk of some thousand steps.
//
// - `one region`: a leaf is left and another entered, in one of four regions.
// - `four regions`: the same in all of them, by one action.
// - `circle`: seven steps that also leave and enter a state with states inside, end one, which completes the state
//   around it, and leave and enter everything (`reenter`).
// - `can` asks for all actions of the machine; 15 of 32 are possible.
//
// What the sides do beyond the common part is said in `asking.mjs`, `stepping.mjs` and `deciding.mjs`.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { createActor, createMachine, transition } from "xstate";

import { Machine } from "../../web/pkg/veristate.js";
import { CONTEXT, OBJECT } from "./machines.mjs";
import { measure } from "./measure.mjs";

const AT = Date.parse(CONTEXT.timestamp);

const ONE_REGION = ["payment_next", "payment_back"];
const FOUR_REGIONS = ["turn", "turn", "turn"];
const CIRCLE = ["payment_next", "stock_fail", "stock_retry", "turn", "shipping_end", "shipping_begin", "restart"];

const definition = JSON.parse(readFileSync(new URL("../nested.json", import.meta.url), "utf8"));
const veristate = new Machine(definition);
const xstate = createMachine(veristate.toXstate());
const actions = veristate.actions();

/** The rows for `printComparisons`. */
export function nested() {
  assertAgreement();
  const begin = { plain: begun(), live: walked(["submit"]) };
  return [
    ...asking(begin),
    ...[
      ["one region", ONE_REGION],
      ["four regions", FOUR_REGIONS],
      ["circle", CIRCLE],
    ].flatMap(([name, path]) => [...stepping(name, path, begin), ...deciding(name, path, begin)]),
  ];
}

function asking({ plain, live }) {
  const instance = veristate.instance(plain);
  const events = actions.map((type) => ({ type }));
  const numbers = [...actions.keys()];
  const expected = events.filter((event) => live.can(event)).length;
  const count = (list, can) => (times) => {
    let possible = 0;
    for (let time = 0; time < times; time += 1) {
      for (const item of list) {
        possible += can(item) ? 1 : 0;
      }
    }
    assert.equal(possible, expected * times);
  };
  const theirs = count(events, (event) => live.can(event));
  return [
    {
      name: "instance.can, snapshot.can",
      ...measure(count(numbers, (action) => instance.can(action)), theirs, actions.length),
    },
    {
      name: "can with plain objects, snapshot.can",
      ...measure(count(actions, (action) => veristate.can(plain, action, CONTEXT)), theirs, actions.length),
    },
  ];
}

function stepping(name, path, { plain, live }) {
  const numbers = path.map((action) => actions.indexOf(action));
  const events = path.map((type) => ({ type }));
  const apply = (every) => (times) => {
    const instance = veristate.instance(plain);
    let taken = 0;
    const start = process.hrtime.bigint();
    for (let time = 0; time < times; time += 1) {
      for (const number of numbers) {
        taken += instance.apply(number, AT) ? 1 : 0;
        if (every > 0 && taken % every === 0) {
          instance.takeRecords();
        }
      }
    }
    const took = Number(process.hrtime.bigint() - start);
    assert.equal(taken, path.length * times);
    assert.deepEqual(instance.snapshot().states, plain.states);
    instance.free();
    return took;
  };
  const actor = createActor(xstate, { snapshot: live }).start();
  const send = (times) => {
    for (let time = 0; time < times; time += 1) {
      for (const event of events) {
        actor.send(event);
      }
    }
    assert.deepEqual(actor.getSnapshot().value, live.value);
  };
  return [
    { name: `${name}: instance.apply, actor.send`, ...measure(apply(0), send, path.length) },
    { name: `${name}: instance.apply with records, each`, ...measure(apply(1), send, path.length) },
  ];
}

function deciding(name, path, { plain, live }) {
  const stored = { value: live.value, context: OBJECT };
  const events = path.map((type) => ({ type }));
  const decide = (snapshot, { type }) => veristate.decide(snapshot, type, CONTEXT).snapshot;
  const step = (snapshot, event) => transition(xstate, snapshot, event)[0];
  const stepPlain = (snapshot, event) => xstate.getPersistedSnapshot(step(xstate.resolveState(snapshot), event));
  const round = (begin, take) => (times) => {
    let end;
    for (let time = 0; time < times; time += 1) {
      end = events.reduce(take, begin);
    }
    assert.deepEqual(end.states ?? end.value, begin.states ?? begin.value);
  };
  const row = (title, ours, theirs) => ({ name: `${name}: ${title}`, ...measure(ours, theirs, path.length) });
  return [
    row("decide, transition", round(plain, decide), round(live, step)),
    row("decide, transition from and to plain objects", round(plain, decide), round(stored, stepPlain)),
  ];
}

/** A new object after `submit`, as a store would hold it. */
function begun() {
  const { snapshot } = veristate.start({ object_id: "object-1", object: OBJECT }, CONTEXT);
  return veristate.decide(snapshot, "submit", CONTEXT).snapshot;
}

/** A live snapshot of XState after these events. */
function walked(types) {
  const actor = createActor(xstate).start();
  for (const type of types) {
    actor.send({ type });
  }
  return actor.getSnapshot();
}

/** Walks both sides through the same actions, asking each of them at every place. */
function assertAgreement() {
  let seed = 12_345;
  const below = (bound) => {
    seed = (seed * 48_271) % (2 ** 31 - 1);
    return seed % bound;
  };
  const visited = new Set();
  let [instance, actor] = [veristate.instance(begun()), createActor(xstate, { snapshot: walked(["submit"]) }).start()];
  for (let round = 0; round < 5_000; round += 1) {
    const states = instance.snapshot().states;
    const snapshot = actor.getSnapshot();
    assert.deepEqual(leaves(snapshot.value), states);
    visited.add(states.join(" "));
    const possible = [];
    for (const [number, type] of actions.entries()) {
      const can = instance.can(number);
      assert.equal(can, snapshot.can({ type }), `${type} in ${states}`);
      if (can && (type !== "cancel" || round % 50 === 0)) {
        possible.push(number);
      }
    }
    if (possible.length === 0) {
      instance.free();
      [instance, actor] = [veristate.instance(begun()), createActor(xstate, { snapshot: walked(["submit"]) }).start()];
      continue;
    }
    const number = possible[below(possible.length)];
    assert.ok(instance.apply(number, AT));
    actor.send({ type: actions[number] });
  }
  instance.free();
  assert.ok(visited.size > 200, `the walk saw only ${visited.size} configurations`);
}

/** The paths of the innermost states in a value of XState, in document order. */
function leaves(value, around = "") {
  if (typeof value === "string") {
    return [around + value];
  }
  return Object.entries(value).flatMap(([name, inner]) =>
    Object.keys(inner).length === 0 && typeof inner === "object" ? [around + name] : leaves(inner, `${around}${name}.`),
  );
}
