// May this action be done? Each of the nine actions is asked for in `ready`, where four are possible.
//
// An instance is asked with the number of the action, a snapshot of XState
// with an event that is made beforehand. In the second row the object is not
// kept inside: it crosses into WebAssembly as a plain object each time.

import { measure } from "./measure.mjs";
import { CONTEXT, actorIn, snapshotIn, veristate } from "./machines.mjs";

export function asking() {
  const actions = veristate.actions();
  const numbers = [...actions.keys()];
  const events = actions.map((type) => ({ type }));
  const instance = veristate.instance(snapshotIn("ready"));
  const plain = snapshotIn("ready");
  const snapshot = actorIn("ready").getSnapshot();

  const count = (list, can) => (times) => {
    let possible = 0;
    for (let time = 0; time < times; time += 1) {
      for (const item of list) {
        possible += can(item) ? 1 : 0;
      }
    }
    if (possible !== 4 * times) {
      throw new Error(`${possible / times} of the actions are possible`);
    }
  };
  const theirs = count(events, (event) => snapshot.can(event));
  return [
    {
      name: "instance.can, snapshot.can",
      goal: 3,
      ...measure(count(numbers, (action) => instance.can(action)), theirs, actions.length),
    },
    {
      name: "can with plain objects, snapshot.can",
      ...measure(count(actions, (action) => veristate.can(plain, action, CONTEXT)), theirs, actions.length),
    },
  ];
}
