// Taking steps: a circle of five, on an object that is kept inside.
//
// An instance keeps what the record of each step needs; an actor keeps no
// history, and tells observers (here: none). A new instance is made for each
// turn, which is not in its time. In the first row the records are left
// inside, in the others they are written out as plain objects, as a store
// needs them: after each step, and after each hundred.

import { measure } from "./measure.mjs";
import { CIRCLE, CONTEXT, actorIn, snapshotIn, veristate } from "./machines.mjs";

const AT = Date.parse(CONTEXT.timestamp);

export function stepping() {
  const name = (records) => `instance.apply${records}, actor.send`;
  return [
    { name: name(""), goal: 5, ...measure(apply(0), send(), CIRCLE.length) },
    { name: name(" with records, each"), ...measure(apply(1), send(), CIRCLE.length) },
    { name: name(" with records, by 100"), ...measure(apply(100), send(), CIRCLE.length) },
  ];
}

/** Takes the records after so many steps; never for 0. */
function apply(every) {
  const names = veristate.actions();
  const actions = CIRCLE.map((name) => names.indexOf(name));
  return (times) => {
    const instance = veristate.instance(snapshotIn("ready"));
    let taken = 0;
    const start = process.hrtime.bigint();
    for (let time = 0; time < times; time += 1) {
      for (const action of actions) {
        taken += instance.apply(action, AT) ? 1 : 0;
        if (every > 0 && taken % every === 0) {
          instance.takeRecords();
        }
      }
    }
    const took = Number(process.hrtime.bigint() - start);
    if (taken !== CIRCLE.length * times || veristate.states()[instance.state()] !== "ready") {
      throw new Error("the circle was not closed");
    }
    instance.free();
    return took;
  };
}

function send() {
  const actor = actorIn("ready");
  const events = CIRCLE.map((type) => ({ type }));
  return (times) => {
    for (let time = 0; time < times; time += 1) {
      for (const event of events) {
        actor.send(event);
      }
    }
    if (actor.getSnapshot().value !== "ready") {
      throw new Error("the circle was not closed");
    }
  };
}
