// Histories and logs as a program in JavaScript has them: objects, typed arrays, bytes in chunks. What they mean is
// tested by the corpus.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";

import { detectFormat, History, initSync, Log, Machine, readRecords } from "veristate";

before(() => initSync({ module: readFileSync(new URL(import.meta.resolve("veristate/veristate_bg.wasm"))) }));

const definition = {
  object_type: "Loan",
  initial_state: "asked",
  states: [{ name: "asked" }, { name: "lent", timeout: { after: "14d", action: "remind" } }, { name: "late" }, { name: "back", is_terminal: true }],
  transitions: [
    { name: "lend", from_state: "asked", to_state: "lent", action: "lend" },
    { name: "remind", from_state: "lent", to_state: "late", action: "remind" },
    { name: "return", from_state: ["lent", "late"], to_state: "back", action: "return", guard: "may_return" },
  ],
};

const rows = [
  { object_id: "book-1", from_state: null, to_state: "asked", timestamp: "2026-01-01T10:00:00Z" },
  { object_id: "book-1", from_state: "asked", to_state: "lent", timestamp: new Date("2026-01-01T12:00:00Z") },
  { object_id: "book-1", from_state: "lent", to_state: "late", timestamp: Date.parse("2026-01-15T12:00:00Z") },
];

function csv(count) {
  const lines = ["object_id,sequence,from_state,to_state,timestamp"];
  for (let index = 0; index < count; index += 1) {
    const day = String(1 + (index % 20)).padStart(2, "0");
    lines.push(`book-${index},1,,asked,2026-01-${day}T10:00:00Z`, `book-${index},2,asked,lent,2026-01-${day}T12:00:00Z`);
  }
  return `${lines.join("\r\n")}\r\n`;
}

test("the history of an object, out of plain objects, records and rows that were read", () => {
  const machine = new Machine(definition);
  const history = machine.history(rows, { now: "2026-01-16T12:00:00Z" });
  assert.ok(history instanceof History);
  assert.deepEqual(history.violations(), []);
  assert.deepEqual(history.rows().map((row) => row.row), [1, 2, 3]);
  assert.equal(history.stateAt(new Date("2026-01-02T00:00:00Z")).states[0], "lent");
  assert.equal(history.dwell({ state: "lent" }).states[0].total, "P14D");
  assert.equal(history.dwell().states.length, 4);
  assert.equal(history.cycle("asked", "late").duration, "P14DT2H");
  assert.equal(history.timeline().length, 3);
  assert.deepEqual(history.overdue(), []);
  assert.equal(history.snapshotAt("2026-01-02T00:00:00Z").states[0], "lent");
  assert.equal(history.snapshotAt("2025-01-02T00:00:00Z"), undefined);

  const again = machine.history(history.rows(), { now: "2026-01-16T12:00:00Z" });
  assert.deepEqual(again.timeline(), history.timeline());

  const { record } = machine.start({ object_id: "book-2" }, { timestamp: "2026-01-01T10:00:00Z" });
  const of = machine.history([record], { now: "2026-01-01T11:00:00Z" });
  assert.equal(of.dwell({ state: "asked" }).states[0].total, "PT1H");
  for (const handle of [history, again, of, machine]) handle.free();
});

test("a card asks the guards of the machine as they are when the history is made", () => {
  const machine = new Machine(definition);
  const card = () => machine.history(rows, { now: "2026-01-16T12:00:00Z" }).card({ permissions: [] });
  const action = (card) => card.actions.find((action) => action.action === "return");
  assert.equal(action(card()).status, "unknown");
  machine.registerGuard("may_return", (object, ctx, states) => states.includes("late"));
  assert.equal(action(card()).status, "enabled");
  machine.registerGuard("may_return", () => {
    throw new Error("no");
  });
  assert.equal(action(card()).status, "unknown");
  machine.free();
});

test("a log is read as text, as bytes, and in chunks that end anywhere", () => {
  const text = csv(50);
  const bytes = new TextEncoder().encode(text);
  const read = readRecords(text, "csv");
  assert.deepEqual(readRecords(bytes, "csv"), read);
  assert.deepEqual(readRecords(Buffer.from(bytes), "csv"), read);
  assert.equal(read.summary.used, 100);
  assert.equal(detectFormat(bytes), "csv");
  assert.equal(detectFormat("{", "loans.JSON"), "json_lines");
  assert.equal(detectFormat('[{"a":1}]', null), "json");

  const machine = new Machine(definition);
  const options = { as_of: "2026-02-01T00:00:00Z" };
  const whole = machine.log();
  assert.deepEqual(whole.read(text, "csv"), { summary: read.summary, refused: [] });
  const report = whole.report(options);
  assert.equal(report.objects, 50);
  assert.equal(report.states[0].closed.sum, "P4DT4H");
  for (const size of [1, 7, 4096]) {
    const log = machine.log();
    const reader = log.reader("csv");
    for (let at = 0; at < bytes.length; at += size) reader.feed(bytes.subarray(at, at + size));
    assert.deepEqual(reader.end(), { summary: read.summary, refused: [] });
    assert.deepEqual(log.report(options), report);
    reader.free();
    log.free();
  }
  assert.equal(whole.size, 100);
  assert.ok(whole.bytes > 0);
  assert.equal(whole.objectIds()[49], "book-49");
  whole.free();
});

test("rows that are refused are counted, and told with their reason", () => {
  const machine = new Machine(definition);
  const log = machine.log();
  const { summary, refused } = log.read("object_id,from_state,to_state,timestamp\nb,,asked,2026-01-01T10:00:00\nb,,asked,2026-01-01T10:00:00Z\n", "csv");
  assert.deepEqual([summary.rows, summary.used, summary.refused], [2, 1, 1]);
  assert.deepEqual(refused.map(({ row, line, code }) => [row, line, code]), [[1, 2, "no-offset"]]);
  const told = log.read("object_id,from_state,to_state,timestamp\nc,,asked,2026-01-01T10:00:00\n", "csv", { offset: "+01:00" });
  assert.equal(told.summary.used, 1);
  assert.deepEqual(log.objectIds(), ["b", "c"]);
});

test("records in typed arrays are the same log", () => {
  const machine = new Machine(definition);
  const count = 50;
  const ids = Array.from({ length: count }, (_, index) => `book-${index}`);
  const object = new Uint32Array(count * 2);
  const time = new BigInt64Array(count * 2);
  const from = new Int32Array(count * 2);
  const to = new Int32Array(count * 2);
  const sequence = new Uint32Array(count * 2);
  for (let at = 0; at < count * 2; at += 1) {
    const index = at >> 1;
    const step = at & 1;
    object[at] = index;
    time[at] = BigInt(Date.parse(`2026-01-${String(1 + (index % 20)).padStart(2, "0")}T1${step * 2}:00:00Z`)) * 1000n;
    from[at] = step - 1;
    to[at] = step;
    sequence[at] = step + 1;
  }
  const options = { as_of: "2026-02-01T00:00:00Z" };
  const read = machine.log();
  read.read(csv(count), "csv");
  for (const numbers of [sequence, BigUint64Array.from(sequence, BigInt), undefined]) {
    const log = machine.log();
    log.addColumns({ objects: ids, object, time, from, to, ...(numbers && { sequence: numbers }) });
    assert.deepEqual(log.report(options), read.report(options));
    log.free();
  }

  const named = new Log();
  named.addColumns({ objects: ids, object, time, from, to, sequence, states: ["asked", "lent"] });
  named.use(machine);
  assert.deepEqual(named.report(options), read.report(options));

  // Objects that never moved are in the initial state.
  named.addObjects([{ object_id: "new", created_at: "2026-01-31T00:00:00Z", tenant_id: "t" }]);
  assert.equal(named.report(options).never_moved, 1);
  assert.equal(named.report({ ...options, tenant: "t" }).objects, 1);
});

test("a log gives its records to a reader until that has ended, or is freed", () => {
  const machine = new Machine(definition);
  const log = machine.log();
  const reader = log.reader("json_lines");
  const busy = { name: "VeristateError", code: "busy" };
  assert.throws(() => log.report({ as_of: 0 }), busy);
  assert.throws(() => log.reader("csv"), busy);
  assert.throws(() => log.read("", "csv"), busy);
  assert.throws(() => log.addObjects([]), busy);
  reader.feed(new TextEncoder().encode('{"object_id":"a","from_state":null,"to_state":"asked","timestamp":"2026-01-01T10:00:00Z"}'));
  assert.equal(reader.summary().used, 0);
  const ended = reader.end();
  assert.equal(ended.summary.used, 1);
  assert.deepEqual(reader.end(), ended);
  assert.deepEqual(reader.summary(), ended.summary);
  assert.throws(() => reader.feed(new Uint8Array(1)), { code: "invalid-argument" });
  assert.equal(log.size, 1);

  const other = log.reader("json_lines");
  other.feed(new TextEncoder().encode('{"object_id":"b","from_state":null,"to_state":"asked","timestamp":"2026-01-01T10:00:00Z"}\n'));
  other.free();
  assert.deepEqual(log.objectIds(), ["a", "b"]);
});

test("a log of many objects answers at once", () => {
  const machine = new Machine(definition);
  const log = machine.log();
  const count = 100_000;
  const object = Uint32Array.from({ length: count }, (_, index) => index);
  const time = new BigInt64Array(count).fill(BigInt(Date.parse("2026-01-01T10:00:00Z")) * 1000n);
  log.addColumns({ object, time, from: new Int32Array(count).fill(-1), to: new Int32Array(count) });
  const start = performance.now();
  const lines = log.objects({ as_of: "2026-01-02T10:00:00Z" });
  const took = performance.now() - start;
  assert.equal(lines.length, count);
  assert.deepEqual([lines[7].object_id, lines[7].states, lines[7].status], ["7", ["asked"], "known"]);
  assert.ok(took < 5000, `it took ${took} ms`);
  assert.equal(log.stateAt("2026-01-01T12:00:00Z").states[0].objects, count);
  log.free();
});

test("an object of a log has its history, and a log its definition", () => {
  const machine = new Machine(definition);
  const log = machine.log();
  log.read(csv(3), "csv");
  const history = machine.history(log.records("book-1"), { now: "2026-02-01T00:00:00Z" });
  assert.deepEqual(history.violations(), []);
  assert.equal(history.dwell({ state: "asked" }).states[0].total, "PT2H");
  assert.deepEqual(log.records("nobody"), []);
  const found = log.discover("Loan");
  assert.deepEqual(found.states.map((state) => state.name), ["asked", "lent"]);
  assert.equal(log.replay(new Machine(found), { as_of: "2026-02-01T00:00:00Z" }).is_safe, true);
  const without = new Machine({ ...definition, states: definition.states.filter((state) => state.name !== "lent"), transitions: [{ name: "drop", from_state: "asked", to_state: "back", action: "drop" }], allow: ["unreachable-state"] });
  assert.equal(log.replay(without, { as_of: "2026-02-01T00:00:00Z" }).homeless.total, 3);
});

test("two versions of a definition are compared", () => {
  const machine = new Machine(definition);
  const newer = new Machine({ ...definition, version: 2, transitions: definition.transitions.slice(0, 2).concat({ ...definition.transitions[2], required_permissions: ["loan.return"] }) });
  const changes = machine.diff(newer);
  assert.ok(changes.some((change) => change.breaking && change.transition === "return"));
  assert.deepEqual(machine.diff(machine), []);
  assert.deepEqual(machine.diff(new Machine(definition)), []);
});
