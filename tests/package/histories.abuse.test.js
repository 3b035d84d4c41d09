// What a program does by mistake with histories and logs: each is an error, and the package goes on working after it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";

import { detectFormat, initSync, Log, Machine, readRecords } from "veristate";

before(() => initSync({ module: readFileSync(new URL(import.meta.resolve("veristate/veristate_bg.wasm"))) }));

const definition = {
  object_type: "Door",
  initial_state: "open",
  states: [{ name: "open" }, { name: "shut", is_terminal: true }],
  transitions: [{ name: "close", from_state: "open", to_state: "shut", action: "close" }],
};
const now = "2026-01-02T00:00:00Z";
const row = { object_id: "d-1", from_state: null, to_state: "open", timestamp: "2026-01-01T00:00:00Z" };

function code(run) {
  try {
    run();
  } catch (error) {
    assert.equal(error.name, "VeristateError", String(error));
    return error.code;
  }
  return "no error";
}

const strange = () => [undefined, null, 42, true, Symbol("x"), 10n, () => 1, [1], { no_such_field: 1 }, new Proxy({}, { ownKeys: () => assert.fail() })];

test("an argument of another type is an error, not a fault of memory", () => {
  const machine = new Machine(definition);
  const history = machine.history([row], { now });
  const log = machine.log();
  const reader = machine.log().reader("csv");
  for (const value of strange()) {
    assert.equal(code(() => machine.history(value, { now })), "invalid-argument");
    assert.equal(code(() => machine.history([row], value)), "invalid-argument");
    assert.equal(code(() => history.cycle(value, "open")), "invalid-argument");
    assert.equal(code(() => history.cycle("open", value)), "invalid-argument");
    assert.equal(code(() => log.addObjects(value)), "invalid-argument");
    assert.equal(code(() => log.addColumns(value)), "invalid-argument");
    assert.equal(code(() => log.read(value, "csv")), "invalid-argument");
    assert.equal(code(() => log.read("", value)), "invalid-argument");
    assert.equal(code(() => log.report(value)), "invalid-argument");
    assert.equal(code(() => log.objects(value)), "invalid-argument");
    assert.equal(code(() => log.replay(machine, value)), "invalid-argument");
    assert.equal(code(() => log.records(value)), "invalid-argument");
    assert.equal(code(() => log.discover(value)), "invalid-argument");
    if (value !== 42) assert.equal(code(() => log.stateAt(value)), "invalid-argument");
    assert.equal(code(() => reader.feed(value)), "invalid-argument");
    assert.equal(code(() => readRecords(value, "csv")), "invalid-argument");
    assert.equal(code(() => readRecords("", value)), "invalid-argument");
    assert.equal(code(() => detectFormat(value)), "invalid-argument");
    if (value !== undefined && value !== null) {
      assert.equal(code(() => history.dwell(value)), "invalid-argument");
      assert.equal(code(() => history.card(value)), "invalid-argument");
      assert.equal(code(() => readRecords("", "csv", value)), "invalid-argument");
      assert.equal(code(() => detectFormat("", value)), "invalid-argument");
      if (value !== 42) assert.equal(code(() => history.stateAt(value)), "invalid-argument");
    }
  }
  for (const value of ["tomorrow", "2026-01-01", "2026-01-01T00:00:00", 1e300, NaN, Infinity]) {
    assert.equal(code(() => history.stateAt(value)), "invalid-argument");
    assert.equal(code(() => history.snapshotAt(value)), "invalid-argument");
    assert.equal(code(() => machine.history([row], { now: value })), "invalid-argument");
    assert.equal(code(() => machine.history([{ ...row, timestamp: value }], { now })), "invalid-argument");
    assert.equal(code(() => history.dwell({ window: [value, now] })), "invalid-argument");
  }
  assert.equal(history.stateAt(now).states[0], "open");
  assert.equal(log.size, 0);
});

test("what is no row says which, and why", () => {
  const machine = new Machine(definition);
  const message = (rows) => {
    try {
      machine.history(rows, { now });
    } catch (error) {
      return error.message;
    }
    return "";
  };
  assert.match(message([row, { ...row, timestamp: "2026-01-01T00:00:00" }]), /`rows`.*offset.*\/1/s);
  assert.match(message([row, {}]), /object_id.*\/1/s);
  assert.match(message([row, 5]), /\/1/);
  assert.equal(code(() => machine.history([row, { ...row, object_id: "d-2" }], { now })), "mixed-objects");
  assert.equal(code(() => machine.history([{ ...row, sequence: -1 }], { now })), "invalid-argument");
  assert.equal(code(() => machine.history([{ ...row, sequence: 1.5 }], { now })), "invalid-argument");
  assert.equal(code(() => machine.history([{ ...row, to_states: [] , to_state: undefined }], { now })), "invalid-argument");
});

test("numbers beyond 2^53 and texts that are not Unicode do no harm", () => {
  const machine = new Machine(definition);
  const text = `{"object_id":"d-1","sequence":18446744073709551615,"from_state":null,"to_state":"open","timestamp":"2026-01-01T00:00:00Z"}\n`;
  const { records, refused } = readRecords(text, "json_lines");
  assert.equal(refused.length, 0);
  assert.equal(records[0].sequence, 2 ** 64);
  assert.equal(machine.log().read(text, "json_lines").summary.used, 1);

  const lone = "d-\ud800";
  assert.equal(code(() => machine.history([{ ...row, object_id: lone }], { now })), "invalid-argument");
  assert.equal(code(() => machine.log().addObjects([{ object_id: lone }])), "invalid-argument");
  assert.equal(readRecords(`object_id,to_state,timestamp\n${lone},open,2026-01-01T00:00:00Z`, "csv").summary.rows, 1);
  assert.equal(machine.history([{ ...row, object_id: "__proto__", object: JSON.parse('{"__proto__":1}') }], { now }).rows()[0].object_id, "__proto__");
});

test("a column is of its kind and means something, or nothing is added", () => {
  const machine = new Machine(definition);
  const log = machine.log();
  const good = () => ({ objects: ["a"], object: Uint32Array.of(0), time: BigInt64Array.of(0n), from: Int32Array.of(-1), to: Int32Array.of(0) });
  for (const field of ["object", "time", "from", "to", "sequence"]) {
    for (const value of [[1], "1", 1, {}, new Uint8Array(8), new Float64Array(1), new DataView(new ArrayBuffer(8)), new Proxy(Uint32Array.of(0), {}), Object.create(BigInt64Array.prototype)]) {
      assert.equal(code(() => log.addColumns({ ...good(), [field]: value })), "invalid-argument", field);
    }
  }
  for (const wrong of [
    { object: Uint32Array.of(1) },
    { object: Uint32Array.of(0, 0) },
    { time: BigInt64Array.of(2n ** 63n - 1n) },
    { to: Int32Array.of(2) },
    { to: Int32Array.of(-1) },
    { from: Int32Array.of(-2) },
    { sequence: new Uint32Array(2) },
    { states: [] },
    { states: [1] },
    { objects: [1] },
    { objects: "a" },
    { no_such_field: 1 },
    { object: undefined },
    { time: null },
  ]) {
    assert.equal(code(() => log.addColumns({ ...good(), ...wrong })), "invalid-argument", JSON.stringify(Object.keys(wrong)));
  }
  assert.equal(code(() => log.addColumns({ ...good(), get time() { throw new Error("trap"); } })), "invalid-argument");
  assert.equal(code(() => log.addColumns({ ...good(), objects: undefined, object: Uint32Array.of(4_000_000_000) })), "invalid-argument");
  assert.equal(log.size, 0);
  log.addColumns(good());
  assert.equal(log.size, 1);
  assert.equal(code(() => new Log().addColumns(good())), "invalid-argument");
  assert.equal(code(() => new Log().report({ as_of: now })), "invalid-argument");
});

test("an array that lies about its length is taken for what it is", () => {
  const bytes = new TextEncoder().encode("object_id,to_state,timestamp\nd,open,2026-01-01T00:00:00Z\n");
  const lies = [2 ** 31, -1, NaN, "x"].map((length) => Object.defineProperty(bytes.slice(), "length", { value: length }));
  const throws = Object.defineProperty(bytes.slice(), "length", {
    get() {
      throw new Error("trap");
    },
  });
  class Longer extends Uint8Array {
    get length() {
      return 2 ** 30;
    }
  }
  for (const lie of [...lies, throws, new Longer(bytes)]) assert.equal(readRecords(lie, "csv").summary.used, 1);
  const gone = bytes.slice();
  structuredClone(gone.buffer, { transfer: [gone.buffer] });
  assert.equal(code(() => readRecords(gone, "csv")), "invalid-argument");
  assert.equal(readRecords(new Uint8Array(0), "csv").summary.used, 0);
});

test("a handle that is freed throws, and the others go on", () => {
  const machine = new Machine(definition);
  const history = machine.history([row], { now });
  const log = machine.log();
  const reader = log.reader("csv");
  log.free();
  reader.feed(new TextEncoder().encode("object_id,to_state,timestamp\nd,open,2026-01-01T00:00:00Z\n"));
  assert.equal(reader.end().summary.used, 1);
  reader.free();
  machine.free();
  assert.equal(history.card().states[0].state, "open");
  history.free();
  for (const call of [() => history.timeline(), () => log.report({ as_of: now }), () => reader.end(), () => machine.log()]) assert.throws(call, Error);
  assert.throws(() => new Machine(definition).diff({}), Error);
  assert.throws(() => new Log().use({}), Error);
  assert.equal(new Machine(definition).history([], { now, created_at: 0 }).stateAt(now).states[0], "open");
});

test("a guard that is asked for a card may ask and free histories", () => {
  const guarded = { ...definition, transitions: [{ ...definition.transitions[0], guard: "may_close" }] };
  const machine = new Machine(guarded);
  let inner = 0;
  machine.registerGuard("may_close", () => {
    inner += 1;
    const other = machine.history([row], { now });
    other.timeline();
    other.free();
    return true;
  });
  const card = machine.history([row], { now }).card();
  assert.ok(inner > 0);
  assert.equal(card.actions[0].status, "enabled");
});

test("options of readers are strict", () => {
  for (const options of [{ column: {} }, { columns: { no_such: "x" } }, { offset: "Berlin" }, { delimiter: ";;" }, { row_bytes: 0 }, { row_bytes: -1 }, []]) {
    assert.equal(code(() => readRecords("", "csv", options)), "invalid-argument", JSON.stringify(options));
    const log = new Log();
    assert.equal(code(() => log.reader("csv", options)), "invalid-argument");
    assert.equal(log.size, 0);
    log.addObjects([]);
  }
});
