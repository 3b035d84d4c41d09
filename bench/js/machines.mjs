// The machine of nine states in `../instance.json`, for both sides, and proof that they agree.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { createActor, createMachine } from "xstate";

import { Machine, initSync } from "../../web/pkg/veristate.js";

export const PACKAGE = new URL("../../web/pkg/", import.meta.url);

initSync({ module: readFileSync(new URL("veristate_bg.wasm", PACKAGE)) });

export const definition = JSON.parse(readFileSync(new URL("../instance.json", import.meta.url), "utf8"));

export const OBJECT = { name: "primary", gigabytes: 20 };
export const CONTEXT = { actor_id: "user-1", timestamp: "2026-01-01T12:01:00Z" };

export const veristate = new Machine(definition);
export const xstate = createMachine(asXstate(definition));

/** A circle of actions that begins and ends in `ready`. */
export const CIRCLE = ["update", "degrade", "recover", "suspend", "resume"];

/** The same machine as XState has it: without names of transitions. The object is its context. */
function asXstate({ initial_state, states, transitions }) {
  const on = (from) =>
    transitions
      .filter(({ from_state }) => from_state === from)
      .map(({ action, to_state }) => [action, { target: to_state }]);
  const state = ({ name, is_terminal }) =>
    is_terminal ? [name, { type: "final" }] : [name, { on: Object.fromEntries(on(name)) }];
  return { id: "instance", initial: initial_state, context: OBJECT, states: Object.fromEntries(states.map(state)) };
}

/** What a store would hold of an object in this state, for Veristate. */
export function snapshotIn(state) {
  const entered = "2026-01-01T12:00:00Z";
  return {
    object_id: "object-1",
    states: [state],
    version: 1,
    entered_at: { [state]: entered },
    updated_at: entered,
    object: OBJECT,
    memory: {},
    requests: [],
    definition_version: 1,
  };
}

/** A running actor of XState in this state. */
export function actorIn(state) {
  const snapshot = xstate.resolveState({ value: state, context: OBJECT });
  return createActor(xstate, { snapshot }).start();
}

/** Checks that both sides answer every action in every state alike. */
export function assertAgreement() {
  for (const [number, state] of veristate.states().entries()) {
    for (const [action, type] of veristate.actions().entries()) {
      const instance = veristate.instance(snapshotIn(state));
      const actor = actorIn(state);
      assert.equal(instance.state(), number);
      assert.equal(instance.can(action), actor.getSnapshot().can({ type }), `${type} in ${state}`);
      instance.apply(action, Date.parse(CONTEXT.timestamp));
      actor.send({ type });
      assert.equal(veristate.states()[instance.state()], actor.getSnapshot().value);
      instance.free();
    }
  }
}
