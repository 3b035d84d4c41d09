// All buttons of a state: `ready` has four actions, the machine nine.
//
// One call of `available` answers with a row for each button: what it says,
// where it leads, whether it is enabled, and why not. XState is asked for
// each action and answers yes or no; what a button says is the page's affair.
//
// - In the first two rows our object crosses as a plain object, and XState has a live one. In the second, all nine
//   actions are asked for, and ours says of each that is not possible from where it would be.
// - In the third, XState begins with a plain object, too, and finds the actions itself.
// - In the fourth, ours is kept in an instance and is asked for each action, as XState is.

import assert from "node:assert/strict";

import { getNextTransitions } from "xstate";

import { measure } from "./measure.mjs";
import { CONTEXT, OBJECT, actorIn, snapshotIn, veristate, xstate } from "./machines.mjs";

const HERE = ["update", "degrade", "suspend", "deprovision"];

export function buttons() {
  const all = veristate.actions();
  const plain = snapshotIn("ready");
  const stored = { value: "ready", context: OBJECT };
  const live = actorIn("ready").getSnapshot();
  const instance = veristate.instance(plain);
  const numbers = HERE.map((action) => all.indexOf(action));
  const events = Object.fromEntries(all.map((type) => [type, { type }]));

  const available = (options) => () => veristate.available(plain, CONTEXT, options);
  const asked = (names) => () => names.map((name) => live.can(events[name]));
  const found = () => {
    const snapshot = xstate.resolveState(stored);
    return getNextTransitions(snapshot).map(({ eventType }) => [eventType, snapshot.can({ type: eventType })]);
  };
  const cans = () => numbers.map((action) => instance.can(action));

  const enabled = (rows) => rows.map(({ status }) => status === "enabled");
  assert.deepEqual(enabled(available()()), asked(HERE)());
  assert.deepEqual(enabled(available({ all: true })()), asked(all)());
  assert.deepEqual(found(), HERE.map((action) => [action, true]));
  assert.deepEqual(cans(), asked(HERE)());

  const row = (name, ours, theirs) => ({ name, ...measure(repeat(ours), repeat(theirs)) });
  return [
    row("available, 4 snapshot.can", available(), asked(HERE)),
    row("available of all, 9 snapshot.can", available({ all: true }), asked(all)),
    row("available, 4 snapshot.can from a plain object", available(), found),
    row("4 instance.can, 4 snapshot.can", cans, asked(HERE)),
  ];
}

function repeat(ask) {
  return (times) => {
    let answers = 0;
    for (let time = 0; time < times; time += 1) {
      answers += ask().length;
    }
    if (answers === 0) {
      throw new Error("there was no answer");
    }
  };
}
