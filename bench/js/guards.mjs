// Guards in Node, against `@marcbachmann/cel-js` and `@bufbuild/cel`: the four expressions of `../guards.json`.
//
// Both have read the expression beforehand: cel-js as the function that `parse` gives, @bufbuild/cel as that of
// `plan`. They are given plain objects, and say yes.
//
// - `instance.can` asks an instance for the one action of its state, which has this guard: the object is kept inside.
// - `can` with plain objects takes the object across into WebAssembly each time.
// - `evaluate` reads the expression each time, too, and its answer says what was read. In its last row, cel-js reads
//   the expression each time as well.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { celEnv, parse as parseBufbuild, plan } from "@bufbuild/cel";
import { parse } from "@marcbachmann/cel-js";

import { Machine, evaluate } from "../../web/pkg/veristate.js";
import { measure } from "./measure.mjs";

const { expressions, object, ctx, otherwise } = JSON.parse(
  readFileSync(new URL("../guards.json", import.meta.url), "utf8"),
);
const GOOD = { object, ctx };
const BAD = { object: { ...object, ...otherwise.object }, ctx: otherwise.ctx };

export function guards() {
  return expressions.flatMap(({ name, text }) => {
    const machine = machineWith(text);
    const instance = instanceOf(machine, GOOD);
    const snapshot = snapshotOf(GOOD.object);
    const celJs = parse(text);
    const bufbuild = plan(celEnv(), parseBufbuild(text));
    for (const [variables, answer] of [[GOOD, true], [BAD, false]]) {
      assert.equal(instanceOf(machine, variables).can(0), answer, text);
      assert.equal(machine.can(snapshotOf(variables.object), "approve", variables.ctx), answer, text);
      assert.equal(evaluate(text, variables).value, answer, text);
      assert.equal(celJs(variables), answer, text);
      assert.equal(bufbuild(variables), answer, text);
    }

    const theirs = { "cel-js": () => celJs(GOOD), "@bufbuild/cel": () => bufbuild(GOOD) };
    const row = (what, rival, ours, options = {}) => ({
      name: `${name}: ${what}, ${rival}`,
      ...options,
      ...measure(yes(ours), yes(theirs[rival] ?? (() => parse(text)(GOOD)))),
    });
    return [
      row("instance.can", "cel-js", () => instance.can(0), { goal: 1 }),
      row("instance.can", "@bufbuild/cel", () => instance.can(0), { goal: 1 }),
      row("can with plain objects", "cel-js", () => machine.can(snapshot, "approve", GOOD.ctx)),
      row("can with plain objects", "@bufbuild/cel", () => machine.can(snapshot, "approve", GOOD.ctx)),
      row("evaluate", "cel-js", () => evaluate(text, GOOD).value),
      row("evaluate", "@bufbuild/cel", () => evaluate(text, GOOD).value),
      row("evaluate", "cel-js that parses", () => evaluate(text, GOOD).value),
    ];
  });
}

/** A machine whose one action has this guard. */
export function machineWith(guard) {
  return new Machine({
    object_type: "Order",
    version: 1,
    initial_state: "open",
    states: [{ name: "open" }, { name: "approved", is_terminal: true }],
    transitions: [{ name: "approve", from_state: "open", to_state: "approved", action: "approve", guard }],
  });
}

export function snapshotOf(object) {
  return {
    object_id: "order-1",
    states: ["open"],
    version: 1,
    entered_at: { open: "2026-01-01T12:00:00Z" },
    object,
    memory: {},
    requests: [],
    definition_version: 1,
  };
}

function instanceOf(machine, variables) {
  const instance = machine.instance(snapshotOf(variables.object));
  instance.setContext(variables.ctx);
  return instance;
}

function yes(ask) {
  return (times) => {
    for (let time = 0; time < times; time += 1) {
      if (ask() !== true) {
        throw new Error("the answer is no");
      }
    }
  };
}
