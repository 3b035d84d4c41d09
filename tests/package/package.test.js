// The npm package as a program in Node uses it: plain ES modules, no bundler.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { check, initSync, Machine, schema, version } from "veristate";

const definition = {
  object_type: "Order",
  initial_state: "pending",
  states: [{ name: "pending" }, { name: "approved", is_terminal: true }],
  transitions: [
    {
      name: "approve",
      from_state: "pending",
      to_state: "approved",
      action: "approve",
      guard: "is_small",
      required_permissions: ["order.approve"],
      side_effects: ["ship"],
    },
  ],
};
const ctx = { timestamp: "2026-01-01T12:00:00Z", permissions: ["order.approve"] };

before(() => {
  const file = fileURLToPath(import.meta.resolve("veristate/veristate_bg.wasm"));
  initSync({ module: readFileSync(file) });
});

test("ten lines take an object from its creation to its end", () => {
  const machine = new Machine(definition);
  machine.registerGuard("is_small", (object) => object.amount <= 100);

  const { snapshot } = machine.start({ object_id: "order-1", object: { amount: 20 } }, ctx);
  const [button] = machine.available(snapshot, { permissions: [] });
  assert.equal(button.status, "disabled");
  assert.deepEqual(button.reasons[0].permissions, ["order.approve"]);

  const decision = machine.decide(snapshot, "approve", ctx, { request_id: "r1" });
  assert.equal(decision.outcome, "accepted");
  assert.deepEqual(decision.snapshot.states, ["approved"]);
  assert.deepEqual(decision.effects, [{ key: "order-1:2:0", name: "ship" }]);
  machine.free();
});

test("an answer that was stored as JSON text comes back as it was", () => {
  const machine = new Machine(JSON.stringify(definition));
  machine.registerGuard("is_small", () => true);
  const { snapshot } = machine.start({ object_id: "order-1", object: { tags: ["a"] } }, ctx);
  const stored = JSON.parse(JSON.stringify(snapshot));
  assert.deepEqual(stored, snapshot);
  assert.deepEqual(machine.decide(stored, "approve", ctx), machine.decide(snapshot, "approve", ctx));
  for (const answer of [
    machine.definition,
    machine.diagnostics,
    machine.states(),
    machine.actions(),
    machine.hostGuards(),
    machine.edges(),
    machine.available(snapshot),
    machine.due(snapshot, new Date()),
    machine.simulate(snapshot, ctx, [{ action: "approve" }, { advance: "1h" }]),
    schema(),
  ]) {
    assert.deepEqual(JSON.parse(JSON.stringify(answer)), answer);
  }
});

test("an error is an Error with a name, a code and what was found", () => {
  const broken = { ...definition, initial_state: "pendng" };
  assert.throws(() => new Machine(broken), (error) => {
    assert.ok(error instanceof Error);
    assert.equal(error.name, "VeristateError");
    assert.equal(error.code, "invalid-definition");
    assert.match(error.message, /pendng/);
    assert.equal(error.diagnostics[0].code, "unknown-initial-state");
    assert.equal(error.diagnostics[0].pointer, "/initial_state");
    assert.equal(error.diagnostics[0].line, null);
    return true;
  });

  const machine = new Machine(definition);
  const { snapshot } = machine.start({ object_id: "order-1" }, ctx);
  const code = (name) => ({ name: "VeristateError", code: name });
  assert.throws(() => machine.decide(snapshot, "approve"), code("missing-timestamp"));
  assert.throws(() => machine.start({ object_id: "" }, ctx), code("empty-object-id"));
  assert.throws(() => machine.can({ ...snapshot, states: ["gone"] }, "approve"), code("foreign-snapshot"));
  assert.throws(() => machine.can({ ...snapshot, extra: 1 }, "approve"), code("invalid-argument"));
  assert.throws(() => machine.registerGuard("is_smal", () => true), code("unknown-guard"));
  assert.throws(() => machine.adopt(snapshot, { pending: "gone" }), code("unmapped-state"));
  assert.throws(() => machine.simulate(snapshot, ctx, [{}]), code("invalid-script"));
});

test("a text that is no definition is a finding, not an error", () => {
  const [finding] = check('{\n  "object_typ": "Order" }');
  assert.equal(finding.code, "unknown-field");
  assert.deepEqual([finding.line, finding.column], [2, 3]);
  assert.match(finding.help, /object_type/);
  assert.deepEqual(check(JSON.stringify(definition)).map((found) => found.code), ["host-guard"]);
});

test("an instance takes small numbers, and says what it did", () => {
  const machine = new Machine(definition);
  machine.registerGuard("is_small", () => true);
  const instance = machine.instance(machine.start({ object_id: "order-1" }, ctx).snapshot);
  const approve = machine.actions().indexOf("approve");
  const now = Date.parse(ctx.timestamp);

  assert.equal(instance.apply(approve, now), false);
  assert.equal(instance.refusal().code, "missing-permissions");
  instance.setContext(ctx);
  assert.equal(instance.can(approve), true);
  assert.equal(instance.apply(approve, now), true);
  assert.equal(instance.refusal(), undefined);
  assert.equal(machine.states()[instance.state()], "approved");
  assert.deepEqual(instance.takeRecords().map((record) => record.sequence), [2]);
  assert.deepEqual(instance.takeRecords(), []);
});

test("the package says its version", () => {
  const manifest = fileURLToPath(import.meta.resolve("veristate/package.json"));
  assert.equal(version(), JSON.parse(readFileSync(manifest, "utf8")).version);
});

test("the example of the README says what it promises", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const example = readme.match(/```js\n([\s\S]*?)```/)[1];
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", example], { cwd: root, encoding: "utf8" });
  assert.deepEqual(output.trim().split("\n"), [
    "approve disabled [ '`approve` needs the permission `order.approve`' ]",
    "[ 'approved' ] 2 []",
  ]);
});
