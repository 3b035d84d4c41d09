// What a program does by mistake: each is an error with a code, and the package goes on working after it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";

import { check, evaluate, initSync, Machine } from "veristate";

before(() => initSync({ module: readFileSync(new URL(import.meta.resolve("veristate/veristate_bg.wasm"))) }));

const definition = {
  object_type: "Door",
  initial_state: "open",
  states: [{ name: "open" }, { name: "shut", is_terminal: true }],
  transitions: [
    { name: "close", from_state: "open", to_state: "shut", action: "close", guard: "may_close" },
    { name: "touch", from_state: "open", action: "touch" },
  ],
};
const ctx = { timestamp: 1000 };

function door() {
  const machine = new Machine(definition);
  return { machine, snapshot: machine.start({ object_id: "door-1" }, ctx).snapshot };
}

function code(run) {
  try {
    run();
  } catch (error) {
    assert.equal(error.name, "VeristateError");
    return error.code;
  }
  return "no error";
}

test("an argument of another type is an error, not a fault of memory", () => {
  const { machine, snapshot } = door();
  const wrong = [undefined, null, 42, {}, { length: -1 }, [], Symbol("x"), 10n, new Proxy({}, {})];
  for (const value of wrong) {
    assert.equal(code(() => check(value)), "invalid-argument");
    assert.equal(code(() => evaluate(value)), "invalid-argument");
    assert.equal(code(() => machine.can(snapshot, value)), "invalid-argument");
    assert.equal(code(() => machine.decide(snapshot, value, ctx)), "invalid-argument");
    assert.equal(code(() => machine.permits(snapshot, value)), "invalid-argument");
    assert.equal(code(() => machine.checkObject(value)), "invalid-argument");
    assert.equal(code(() => machine.canTransition(value, "shut")), "invalid-argument");
    assert.equal(code(() => machine.registerGuard("may_close", value)), "invalid-argument");
  }
  assert.equal(code(() => machine.decide("close", snapshot, ctx)), "invalid-argument");
  assert.equal(machine.can(snapshot, "touch"), true);
  machine.free();
});

test("an error says what cannot be written as JSON", () => {
  const { machine, snapshot } = door();
  const circle = {};
  circle.circle = circle;
  assert.throws(() => machine.decide(snapshot, "touch", ctx, { object: circle }), /`request` cannot be written as JSON: .*circular/);
  assert.throws(() => machine.decide(snapshot, "touch", ctx, { object: 10n }), /`request` cannot be written as JSON: .*BigInt/);
});

test("a guard that throws something odd is unknown, however often", () => {
  const { machine, snapshot } = door();
  const thrower = () => {
    throw Object.defineProperty(new Error("outer"), "message", {
      get() {
        throw new Error("inner");
      },
    });
  };
  const hostile = {
    get() {
      throw new Error("get");
    },
    getPrototypeOf() {
      throw new Error("prototype");
    },
  };
  const throwing = (value) => () => {
    throw value;
  };
  for (const guard of [thrower, throwing(new Proxy(new Error("x"), hostile)), throwing(Symbol("x")), throwing(undefined)]) {
    machine.registerGuard("may_close", guard);
    for (let time = 0; time < 500; time += 1) assert.equal(machine.decide(snapshot, "close", ctx).code, "guard-unknown");
  }
  const instance = machine.instance(snapshot);
  assert.equal(instance.apply(0, 1000), false);
  assert.equal(instance.apply(1, 1000), true);
  instance.free();
  machine.free();
});

test("what is no number of an action is no action", () => {
  const { machine, snapshot } = door();
  const instance = machine.instance(snapshot);
  for (const value of ["touch", undefined, NaN, {}, 1.5, -1, 2 ** 32, 2 ** 32 + 1, Infinity]) {
    assert.equal(instance.can(value), false);
    assert.equal(instance.apply(value, 1000), false);
    assert.equal(instance.refusal().code, "unknown-action");
  }
});

test("a guard of an instance sees the time of the step", () => {
  const { machine, snapshot } = door();
  machine.registerGuard("may_close", (object, now) => now.timestamp === "1970-01-01T00:00:02Z");
  const instance = machine.instance(snapshot);
  assert.equal(instance.apply(0, 1000), false);
  assert.equal(instance.apply(0, 2000), true);
});

test("long names and large data are bounded", () => {
  const long = "x".repeat(1_000_000);
  const [found] = check(JSON.stringify({ ...definition, states: [{ name: "open", display_name: long }, definition.states[1]] }));
  assert.equal(found.code, "limit-exceeded");

  const { machine, snapshot } = door();
  const large = { ...snapshot, object: long };
  assert.equal(code(() => machine.simulate(large, ctx, Array(5000).fill({ action: "touch" }))), "limit-exceeded");
  assert.equal(machine.can(snapshot, "touch"), true);
});
