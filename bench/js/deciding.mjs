// The pure function: from a state and an action to the next state, for a circle of five steps.
//
// `decide` takes and gives plain objects, as a store holds them, and its
// answer carries the record and the version beside the next state. XState's
// `transition` takes and gives live snapshots, which hold the machine's nodes.
//
// - In the first row each side has what it likes: plain objects, live ones.
// - In the second, XState begins with plain objects, too (`resolveState`), and
//   ends with them (`getPersistedSnapshot`).
// - In the third, both begin and end with text.

import { transition } from "xstate";

import { measure } from "./measure.mjs";
import { CIRCLE, CONTEXT, OBJECT, snapshotIn, veristate, xstate } from "./machines.mjs";

export function deciding() {
  const plain = snapshotIn("ready");
  const stored = { value: "ready", context: OBJECT };
  const live = xstate.resolveState(stored);
  const thaw = (snapshot) => xstate.resolveState(snapshot);
  const freeze = (snapshot) => xstate.getPersistedSnapshot(snapshot);
  const step = (snapshot, event) => transition(xstate, snapshot, event)[0];

  const decide = (snapshot, { type }) => veristate.decide(snapshot, type, CONTEXT).snapshot;
  const decideText = (text, event) => JSON.stringify(decide(JSON.parse(text), event));
  const stepPlain = (snapshot, event) => freeze(step(thaw(snapshot), event));
  const stepText = (text, event) => JSON.stringify(stepPlain(JSON.parse(text), event));

  const row = (name, ours, theirs) => ({ name, ...measure(ours, theirs, CIRCLE.length) });
  return [
    { goal: 3, ...row("decide, transition", circle(plain, decide), circle(live, step)) },
    row("decide, transition from and to plain objects", circle(plain, decide), circle(stored, stepPlain)),
    row(
      "decide, transition from and to text",
      circle(JSON.stringify(plain), decideText),
      circle(JSON.stringify(stored), stepText),
    ),
  ];
}

/** Goes round, beginning at the same place each time. */
function circle(begin, step) {
  const events = CIRCLE.map((type) => ({ type }));
  return (times) => {
    let end;
    for (let time = 0; time < times; time += 1) {
      end = events.reduce(step, begin);
    }
    const { states, value } = typeof end === "string" ? JSON.parse(end) : end;
    if ((states?.[0] ?? value) !== "ready") {
      throw new Error("the circle was not closed");
    }
  };
}
