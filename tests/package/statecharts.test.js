// Machines inside states, and what other formats make of them, as a program in Node uses the package.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";

import { fromScxml, fromXstate, initSync, Machine } from "veristate";

before(() => initSync({ module: readFileSync(new URL(import.meta.resolve("veristate/veristate_bg.wasm"))) }));

const ctx = { timestamp: "2026-01-01T12:00:00Z" };

const track = (name, action) => ({
  name,
  sub_machine: {
    initial_state: "open",
    states: [{ name: "open" }, { name: "closed", is_terminal: true }],
    transitions: [{ name: action, from_state: "open", to_state: "closed", action }],
  },
});

const review = {
  object_type: "Review",
  initial_state: "draft",
  states: [
    { name: "draft" },
    { name: "review", regions: [track("legal", "agree"), track("money", "pay")] },
    { name: "done", is_terminal: true },
  ],
  transitions: [
    { name: "submit", from_state: "draft", to_state: "review", action: "submit", side_effects: ["tell"] },
    { name: "withdraw", from_state: "review", to_state: "draft", action: "withdraw" },
    { name: "finish", trigger: "completion", from_state: "review", to_state: "done" },
  ],
};

const lamp = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="off">
  <state id="off"><transition event="switch.on" target="on"/></state>
  <state id="on"><transition event="switch *" target="off"/></state>
</scxml>`;

const player = {
  id: "player",
  initial: "empty",
  states: {
    empty: { on: { insert: { target: "loaded", guard: "is_round", actions: "spin" } } },
    loaded: {
      initial: "stopped",
      states: { stopped: { on: { play: "playing" } }, playing: { on: { "stop.*": "stopped" } } },
      on: { eject: "empty" },
    },
  },
};

/** The states after each event; one that nothing waits for changes nothing. */
function play(machine, events, action) {
  let { snapshot } = machine.start({ object_id: "object-1" }, ctx);
  return events.map((event) => {
    const decision = machine.decide(snapshot, action(event) ?? event, ctx);
    if (decision.outcome === "accepted") snapshot = decision.snapshot;
    return snapshot.states.join(" + ");
  });
}

function caught(run) {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof Error);
    assert.equal(error.name, "VeristateError");
    return error;
  }
  return assert.fail("nothing is thrown");
}

test("an instance says which leaves are active", () => {
  const machine = new Machine(review);
  const names = machine.states();
  const leaves = (instance) => [...instance.leaves()].map((leaf) => names[leaf]);
  const instance = machine.instance(machine.start({ object_id: "review-1" }, ctx).snapshot);
  instance.setContext(ctx);
  assert.deepEqual(leaves(instance), ["draft"]);
  const now = Date.parse(ctx.timestamp);
  const apply = (action) => instance.apply(machine.actions().indexOf(action), now);
  assert.equal(apply("submit"), true);
  assert.deepEqual(leaves(instance), ["review.legal.open", "review.money.open"]);
  assert.equal(instance.state(), instance.leaves()[0]);
  assert.equal(apply("pay"), true);
  assert.deepEqual(leaves(instance), ["review.legal.open", "review.money.closed"]);
  assert.equal(apply("agree"), true);
  assert.deepEqual(leaves(instance), ["done"]);
  machine.free();
});

test("an outline lists all states, and the arrows of a drawing are found by their names", () => {
  const machine = new Machine(review);
  const outline = machine.outline();
  assert.deepEqual(outline.map((state) => state.path), machine.states());
  const region = outline.find((state) => state.path === "review.legal");
  assert.deepEqual(region, {
    path: "review.legal",
    parent: "review",
    pointer: "/states/1/regions/0",
    title: "legal",
    shape: "compound",
    is_region: true,
    is_initial: false,
    is_terminal: false,
  });
  assert.equal(outline[0].parent, null);
  const names = (options) => machine.edges(options).map((edge) => edge.transition);
  assert.deepEqual(new Set(names()), new Set(["submit", "withdraw", "finish", "agree", "pay"]));
  assert.deepEqual(names({ direction: "LR" }), names());
  assert.equal(caught(() => machine.edges({ direction: "UP" })).code, "invalid-argument");
});

test("flatten gives a definition that goes the same ways", () => {
  const machine = new Machine(review);
  const flat = machine.flatten();
  assert.equal(flat.states.length, 5);
  assert.ok(flat.states.every((state) => state.sub_machine === undefined && state.regions === undefined));
  const flattened = new Machine(flat);
  // The path of a state whose name has dots is another text than the name.
  const leaves = new Map(flattened.states().map((path, index) => [path, flat.states[index].metadata.states.join(" + ")]));
  const same = (event) => event;
  const events = ["submit", "pay", "withdraw", "submit", "agree", "submit", "pay"];
  assert.deepEqual(play(flattened, events, same).map((path) => leaves.get(path)), play(machine, events, same));
  assert.equal(caught(() => machine.flatten({ configurations: 2 })).code, "limit-exceeded");
  assert.equal(caught(() => machine.flatten({ configuration: 2 })).code, "invalid-argument");
});

test("routes lead to every configuration, and test vectors take every transition", () => {
  const machine = new Machine(review);
  const routes = machine.routes();
  assert.equal(routes.length, 5);
  for (const { states, actions } of routes) {
    const reached = play(machine, actions, (event) => event).at(-1) ?? "draft";
    assert.equal(reached, states.join(" + "));
  }
  const { object_type, vectors, unreachable } = machine.testVectors();
  assert.equal(object_type, "Review");
  assert.deepEqual(unreachable, []);
  const steps = vectors.flatMap((vector) => vector.steps);
  const taken = new Set(steps.flatMap((step) => step.transitions));
  assert.deepEqual(taken, new Set(["submit", "withdraw", "finish", "agree", "pay"]));
  for (const vector of vectors) {
    const [creation, ...rest] = vector.steps;
    assert.equal(creation.action, null);
    let { snapshot } = machine.start({ object_id: "review-1" }, ctx);
    for (const step of rest) {
      const decision = machine.decide(snapshot, step.action, ctx);
      assert.deepEqual(decision.transitions, step.transitions);
      assert.deepEqual(decision.effects.map((effect) => effect.name), step.effects);
      snapshot = decision.snapshot;
      assert.deepEqual(snapshot.states, step.states);
    }
  }
  for (const ask of ["routes", "testVectors"]) {
    assert.equal(caught(() => machine[ask]({ configurations: 2 })).code, "limit-exceeded");
  }
});

test("an SCXML document is imported, played by its events and exported again", () => {
  const machine = new Machine(fromScxml(lamp));
  assert.equal(machine.actionForEvent("switch.on.slowly"), "switch.on");
  assert.equal(machine.actionForEvent("switch.off"), "switch");
  assert.equal(machine.actionForEvent("moon"), "*");
  const events = ["moon", "switch", "switch.on", "switch.on", "switch.on.slowly", "moon"];
  const expected = ["off", "off", "on", "off", "on", "off"];
  const played = (machine) => play(machine, events, (event) => machine.actionForEvent(event));
  assert.deepEqual(played(machine), expected);
  assert.deepEqual(machine.leftOut("scxml"), []);
  const again = new Machine(fromScxml(machine.toScxml()));
  assert.deepEqual(played(again), expected);
  assert.equal(again.toScxml(), machine.toScxml());
});

test("a config of XState is imported, played by its events and exported again", () => {
  const definition = fromXstate(player);
  assert.deepEqual(fromXstate(JSON.stringify(player)), definition);
  const events = ["play", "insert", "play", "stop.now", "play", "eject", "moon"];
  const expected = ["empty", "loaded.stopped", "loaded.playing", "loaded.stopped", "loaded.playing", "empty", "empty"];
  const played = (definition) => {
    const machine = new Machine(definition);
    machine.registerGuard("is_round", () => true);
    return play(machine, events, (event) => machine.actionForXstateEvent(event));
  };
  assert.deepEqual(played(definition), expected);
  const machine = new Machine(definition);
  assert.equal(machine.actionForXstateEvent("stop.now"), "stop.*");
  assert.equal(machine.actionForXstateEvent("moon"), undefined);
  assert.deepEqual(machine.leftOut("xstate").map((left) => left.code), ["action"]);
  const config = machine.toXstate();
  assert.equal(Object.getPrototypeOf(config), Object.prototype);
  assert.deepEqual(JSON.parse(JSON.stringify(config)), config);
  assert.deepEqual(played(fromXstate(config)), expected);
});

test("a definition that was exported and imported again goes the same ways", () => {
  const machine = new Machine(review);
  const events = ["submit", "pay", "withdraw", "submit", "agree", "submit", "pay"];
  const expected = play(machine, events, (event) => event);
  assert.equal(expected.at(-1), "done");
  const leaves = (definition) => {
    const again = new Machine(definition);
    const names = new Map(again.outline().map((state) => [state.path, state.title]));
    const title = (path) => path.split(" + ").map((path) => names.get(path)).join(" + ");
    return play(again, events, (event) => event).map(title);
  };
  const titles = leaves(review);
  assert.deepEqual(leaves(fromXstate(machine.toXstate())), titles);
  assert.deepEqual(leaves(fromScxml(machine.toScxml())), titles);
  const [left] = machine.leftOut("scxml");
  assert.equal(left.code, "side-effects");
  assert.match(left.pointer, /^\/transitions\/0/);
  assert.equal(caught(() => machine.leftOut("yaml")).code, "invalid-argument");
});

test("what has no counterpart is refused with its place", () => {
  const script = lamp.replace('<state id="off">', '<state id="off"><onentry><log expr="1"/></onentry>');
  const refused = caught(() => fromScxml(script));
  assert.equal(refused.code, "invalid-scxml");
  assert.equal(refused.diagnostics[0].code, "executable-content");
  assert.deepEqual([refused.diagnostics[0].line, refused.diagnostics[0].column], [2, 28]);
  assert.ok(refused.diagnostics[0].help.length > 0);
  assert.equal(caught(() => fromScxml("no document")).code, "invalid-scxml");

  const invoking = { initial: "a", states: { a: { invoke: { src: "fetch" } } } };
  const found = caught(() => fromXstate(invoking));
  assert.equal(found.code, "invalid-xstate");
  const [finding] = found.diagnostics;
  assert.deepEqual([finding.pointer, finding.line, finding.column], ["/states/a/invoke", null, null]);
  assert.doesNotMatch(found.message, /line/);
  const [written] = caught(() => fromXstate(JSON.stringify(invoking, null, 2))).diagnostics;
  assert.deepEqual([written.pointer, written.line], ["/states/a/invoke", 5]);
  assert.equal(caught(() => fromXstate("no config")).code, "invalid-xstate");

  assert.equal(caught(() => fromScxml(lamp, { bytes: 10 })).diagnostics[0].code, "limit-exceeded");
  assert.equal(caught(() => fromXstate(player, { bytes: 10 })).diagnostics[0].code, "limit-exceeded");
  assert.equal(caught(() => fromScxml(lamp, { byte: 10 })).code, "invalid-argument");
});

test("a config that holds a function is refused: it would be lost in silence", () => {
  const inline = structuredClone(player);
  inline.states.empty.on.insert.guard = () => true;
  const refused = caught(() => fromXstate(inline));
  assert.equal(refused.code, "invalid-argument");
  assert.match(refused.message, /`guard`/);
  const circle = { initial: "a", states: {} };
  circle.states.a = circle;
  assert.equal(caught(() => fromXstate(circle)).code, "invalid-argument");
});

test("an import of another type is an error, not a fault of memory", () => {
  for (const value of [undefined, null, 42, [], Symbol("x"), 10n, () => true]) {
    assert.equal(caught(() => fromScxml(value)).code, "invalid-argument");
    assert.ok(["invalid-argument", "invalid-xstate"].includes(caught(() => fromXstate(value)).code));
  }
  const machine = new Machine(review);
  for (const value of [undefined, null, 42, {}, []]) {
    assert.equal(caught(() => machine.leftOut(value)).code, "invalid-argument");
    assert.equal(caught(() => machine.actionForEvent(value)).code, "invalid-argument");
    assert.equal(caught(() => machine.actionForXstateEvent(value)).code, "invalid-argument");
  }
});
