// Random statecharts, played in Veristate and in XState: after every event the same states are active.
//
// A config is imported with `fromXstate`; a machine of Veristate is made of that, and of what its export gives
// when it is imported again. The export is played in XState, too. `ORACLE_SEED` and `ORACLE_COUNT` choose the run; a failure names its seed, with which
// it can be run again by itself.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { createMachine, getInitialSnapshot, getNextSnapshot } from "xstate";

import { Machine, fromXstate, initSync } from "../../web/pkg/veristate.js";
import { difference } from "./differences.js";
import { GUARDS, generate, sequence } from "./generate.js";
import { Random } from "./random.js";

initSync({ module: readFileSync(new URL("../../web/pkg/veristate_bg.wasm", import.meta.url)) });

const FIRST = Number(process.env.ORACLE_SEED ?? 1);
const COUNT = Number(process.env.ORACLE_COUNT ?? 500);
const SEQUENCES = 6;
const CONTEXT = { timestamp: "2026-01-01T12:00:00Z" };

/** Machines on which the two must have been compared to the end of at least one sequence. */
const ENOUGH = 0.7;

test(`${COUNT} random statecharts from seed ${FIRST} are played alike`, () => {
  const seen = { whole: 0, events: 0, choice: 0, domain: 0, memory: 0, inside: 0, ended: 0 };
  for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
    const random = new Random(seed);
    const config = generate(random);
    const text = JSON.stringify(config);
    const hint = `ORACLE_SEED=${seed} ORACLE_COUNT=1; ${text}`;
    const theirs = makeTheirs(config);
    const ours = make(fromXstate(text), hint);
    const out = JSON.stringify(ours.toXstate());
    const again = make(fromXstate(out), hint);
    const back = makeTheirs(JSON.parse(out));
    let whole = 0;
    for (let index = 0; index < SEQUENCES; index++) {
      const events = sequence(random);
      const end = play(theirs, back, [ours, again], events, seen, hint);
      if (end === undefined) whole += 1;
      else seen[end] += 1;
    }
    if (whole > 0) seen.whole += 1;
    ours.free();
    again.free();
  }
  console.log(JSON.stringify(seen));
  assert.ok(COUNT < 100 || seen.whole >= ENOUGH * COUNT, `only ${seen.whole} of ${COUNT} machines were compared`);
});

/**
 * Plays a sequence on all sides: the config in XState, its export there, and the machines of Veristate. Tells why
 * it stopped, or nothing.
 */
function play(theirs, back, ours, events, seen, hint) {
  let expected = getInitialSnapshot(theirs);
  if (expected.status === "error") throw expected.error;
  let returned = getInitialSnapshot(back);
  let snapshots = ours.map((machine) => accepted(machine.start({ object_id: "x" }, CONTEXT), hint).snapshot);
  const played = [];
  const compare = () => {
    const leaves = leavesOf(expected.value);
    for (const [index, snapshot] of snapshots.entries()) {
      const where = `${["import", "import of the export"][index]} after ${JSON.stringify(played)}; ${hint}`;
      assert.deepEqual(asTheirs(snapshot.states, ours[index]), leaves, where);
    }
    const there = asTheirs(leavesOf(returned.value), ours[0]);
    assert.deepEqual(there, leaves, `export in XState after ${JSON.stringify(played)}; ${hint}`);
    seen.events += 1;
  };
  compare();
  for (const type of events) {
    // A machine of XState that has ended takes nothing any more. Here a state around all others may.
    if (expected.status === "done") return "ended";
    const differs = difference(theirs, expected, { type });
    if (differs !== undefined && differs !== "memory") return differs;
    expected = getNextSnapshot(theirs, expected, { type });
    returned = getNextSnapshot(back, returned, { type });
    played.push(type);
    snapshots = snapshots.map((snapshot, index) => {
      const machine = ours[index];
      const decision = machine.decide(snapshot, machine.actionForXstateEvent(type) ?? type, CONTEXT);
      // What nothing takes is refused here, and passed over by XState.
      return decision.outcome === "accepted" ? decision.snapshot : snapshot;
    });
    compare();
    if (differs) return differs;
  }
  return undefined;
}

/** A machine of XState, which warns of much that is meant. */
function makeTheirs(config) {
  const { warn } = console;
  console.warn = () => {};
  try {
    return createMachine(config).provide({
      guards: Object.fromEntries(Object.entries(GUARDS).map(([name, says]) => [name, () => says])),
      actions: { effect: () => {}, done: () => {} },
    });
  } finally {
    console.warn = warn;
  }
}

function make(definition, hint) {
  try {
    const machine = new Machine(definition);
    for (const name of machine.hostGuards()) machine.registerGuard(name, () => GUARDS[name]);
    return machine;
  } catch (error) {
    error.message += `; ${JSON.stringify(error.diagnostics ?? [])}; ${hint}`;
    throw error;
  }
}

function accepted(decision, hint) {
  assert.equal(decision.outcome, "accepted", `${JSON.stringify(decision)}; ${hint}`);
  return decision;
}

/** The innermost active states, as paths. */
function leavesOf(value, path = []) {
  if (typeof value === "string") return [[...path, value].join(".")];
  const inside = Object.entries(value);
  if (inside.length === 0) return [path.join(".")];
  return inside.flatMap(([key, value]) => leavesOf(value, [...path, key])).sort();
}

/**
 * The same without the state that stands for the machine itself, where there is one, and without the end that a
 * region has inside where XState makes the region itself an end.
 */
function asTheirs(states, machine) {
  const { states: outermost } = machine.definition;
  const isWrapped = outermost.length === 1 && outermost[0].name === "m";
  return states.map((state) => (isWrapped ? state.slice("m.".length) : state).replace(/\.final$/, "")).sort();
}
