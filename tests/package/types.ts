// What a TypeScript user writes. It is compiled, never run.

import init, {
  type Card,
  type Change,
  type Columns,
  type Decision,
  type Definition,
  type Edge,
  type Dwell,
  type Evaluation,
  detectFormat,
  evaluate,
  fromScxml,
  fromXstate,
  type History,
  type LeftOut,
  Log,
  type LogRead,
  type LogReport,
  Machine,
  type ObjectLine,
  type Reason,
  readRecords,
  type Replay,
  type Route,
  type Snapshot,
  type StateOutline,
  type TestVectors,
  type VeristateError,
  type Violation,
} from "veristate";

await init();

const definition: Definition = {
  object_type: "Order",
  version: 1,
  initial_state: "pending",
  history_enabled: true,
  states: [{ name: "pending", is_terminal: false, kind: "stable" }, {
    name: "approved",
    is_terminal: true,
    kind: "stable",
    entry_conditions: [{ name: "is_priced", require: "is_small", message: "an approved order has a price" }],
  }],
  transitions: [{ name: "approve", from_state: ["pending"], to_state: "approved", action: "approve" }],
};

const machine = new Machine(definition);
machine.registerGuard("is_small", (object, ctx, states) => object.amount < 10 && ctx.actor_id !== null && states.length > 0);

export function buttons(snapshot: Snapshot, permissions: string[]) {
  return machine.available(snapshot, { permissions }).map((choice) => ({
    action: choice.action,
    disabled: choice.status !== "enabled",
    title: choice.reasons.map((reason: Reason) => reason.message).join("\n"),
  }));
}

export function broken(snapshot: Snapshot): string[] {
  return machine.checkObject(snapshot).map((found: Violation) => `${found.condition} is ${found.status}: ${found.message}`);
}

export function told(decision: Decision): string {
  switch (decision.outcome) {
    case "accepted":
      return decision.snapshot.states.join(", ");
    case "already_applied":
      return decision.record.timestamp;
    case "refused":
      return decision.reasons[0]?.guard ?? decision.code;
  }
}

export function tried(expression: string, object: object): string {
  const answer: Evaluation = evaluate(expression, { object });
  switch (answer.status) {
    case "unknown":
      return answer.missing.map((missing) => missing.path ?? missing.message).join(", ");
    case "invalid":
      return answer.diagnostics[0]?.message ?? "";
    default:
      return answer.text ?? answer.status;
  }
}

export function code(error: VeristateError): string {
  return error.diagnostics?.[0]?.pointer ?? error.code;
}

// A definition as a JSON file holds it: only what is required.
const least = {
  object_type: "Order",
  initial_state: "pending",
  states: [{ name: "pending" }],
};
const { snapshot } = machine.start({ object_id: "order-1" }, { timestamp: new Date() }) as { snapshot: Snapshot };
machine.due(snapshot, Date.now());
machine.instance(snapshot).apply(0, Date.now());
new Machine(least);

// As TypeScript reads an imported JSON file: every text is a `string`.
const imported = {
  ...least,
  states: [{ name: "pending", kind: "transitional", timeout: { after: "30m", action: "approve" } }],
  transitions: [{ name: "approve", from_state: ["pending"], action: "approve" }],
};
new Machine(imported);

// A machine inside a state, regions, and a history state.
const nested: Definition = {
  object_type: "Desk",
  initial_state: ["work.left.a", "work.right"],
  states: [{
    name: "work",
    join_condition: "any",
    regions: [
      { name: "left", required: false, sub_machine: { initial_state: "a", states: [{ name: "a" }, { name: "h", history: "deep", default_target: "a" }] } },
      { name: "right" },
    ],
  }, { name: "done", is_terminal: true }],
  transitions: [
    { name: "end", trigger: "completion", from_state: "work", to_state: "done" },
    { name: "again", trigger: "automatic", from_state: "work.left", to_state: ["work.left.h", "work.right"], reenter: true },
  ],
};

export function tree(machine: Machine): string[] {
  const parents = machine.outline().map((state: StateOutline): string | null => state.parent);
  const shapes = machine.outline().filter((state) => state.shape === "parallel" && !state.is_region);
  return shapes.map((state) => `${state.title} at ${state.pointer}`).concat(parents.filter((parent) => parent !== null));
}

export function arrows(machine: Machine): string[] {
  return machine.edges({ direction: "LR" }).map((edge: Edge) => `${edge.id}: ${edge.transition}`);
}

export function leaves(machine: Machine, snapshot: Snapshot): string[] {
  const names = machine.states();
  return Array.from(machine.instance(snapshot).leaves(), (leaf) => names[leaf] ?? "");
}

export function exchanged(document: string, config: object): string {
  const machine = new Machine(fromScxml(document, { bytes: 100_000 }));
  const other: Definition = fromXstate(config);
  const same: Definition = fromXstate(JSON.stringify(config), { nesting: 8 });
  const left: LeftOut[] = [...machine.leftOut("scxml"), ...machine.leftOut("xstate")];
  const exported: Record<string, unknown> = machine.toXstate();
  const action: string | undefined = machine.actionForEvent("order.paid") ?? machine.actionForXstateEvent("order.paid");
  return [machine.toScxml(), other.object_type, same.object_type, action, ...Object.keys(exported), ...left.map(({ code, pointer }) => code + pointer)].join();
}

export function explored(machine: Machine): number {
  const flat: Definition = machine.flatten({ configurations: 100 });
  const routes: Route[] = machine.routes();
  const vectors: TestVectors = machine.testVectors({ configurations: 100 });
  const guards = vectors.vectors.flatMap(({ steps }) => steps.map((step): boolean | undefined => step.guards["may"]));
  return flat.states.length + (routes[0]?.actions.length ?? 0) + guards.length + vectors.unreachable.length;
}

export function lived(machine: Machine): string[] {
  const history: History = machine.history([
    { object_id: "order-1", from_state: null, to_state: "pending", timestamp: "2026-01-01T00:00:00Z" },
    { object_id: "order-1", sequence: 2, from_states: ["pending"], to_states: ["approved"], timestamp: new Date(), object: { amount: 1 } },
    ...readRecords("", "csv", { offset: "+01:00" }).records,
  ], { now: Date.now(), created_at: null, sequences: "ordered", calendar: { offset: "Z", hours: { "mon-fri": "09:00-17:00" } } });
  const dwell: Dwell = history.dwell({ state: "pending", window: [0, new Date()] });
  const card: Card = history.card({ permissions: [] });
  const faults = history.violations().map(({ code, row, explanation }) => `${code} in row ${row}: ${explanation?.message ?? ""}`);
  const snapshot: Snapshot | undefined = history.snapshotAt(0);
  return [dwell.states[0]?.total ?? "none", card.doing, snapshot?.object_id ?? "", history.stateAt(0).status, ...faults];
}

export function recorded(machine: Machine, chunk: Uint8Array): number {
  const log: Log = machine.log();
  const columns: Columns = { object: Uint32Array.of(0), time: BigInt64Array.of(0n), to: Int32Array.of(0) };
  log.addColumns(columns);
  log.addObjects([{ object_id: "order-2", created_at: new Date() }]);
  const reader = log.reader(detectFormat(chunk, "log.csv"), { columns: { object_id: "Issue key" } });
  reader.feed(chunk);
  const { summary, refused }: LogRead = reader.end();
  const report: LogReport = log.report({ as_of: Date.now(), bottleneck: { objects: 5 } });
  const lines: ObjectLine[] = log.objects({ as_of: 0 });
  const replay: Replay = log.replay(machine, { as_of: 0 });
  const found: Definition = log.discover("Order");
  const there = log.stateAt(new Date()).uncertain + log.records(lines[0]?.object_id ?? "").length + found.states.length;
  return there + (replay.is_safe ? 1 : 0) + summary.used + refused.length + (report.states[0]?.closed?.count ?? 0) + new Log().size;
}

export function newer(machine: Machine, other: Machine): string[] {
  return machine.diff(other).filter((change: Change) => change.breaking).map(({ code, message }) => `${code}: ${message}`);
}

new Machine(nested);

// @ts-expect-error: a history needs to know what is now
machine.history([], {});

// @ts-expect-error: a row has a time
machine.history([{ object_id: "order-1", to_state: "pending" }], { now: 0 });

// @ts-expect-error: there are four formats
readRecords("", "xml");

// @ts-expect-error: a column is a typed array
new Log().addColumns({ object: [0], time: [0], to: [0] });

// @ts-expect-error: there are two other formats
machine.leftOut("yaml");

// @ts-expect-error: a document is a text
fromScxml({});

// @ts-expect-error: a config is a text or an object
fromXstate(42);

// @ts-expect-error: a limit has one of the names that there are
machine.flatten({ configuration: 100 });

// @ts-expect-error: a history state is shallow or deep
new Machine({ ...definition, states: [{ name: "h", history: true }] });

// @ts-expect-error: a state is an object with a name
new Machine({ ...definition, states: ["pending"] });

// @ts-expect-error: a definition has states
new Machine({ object_type: "Order", initial_state: "pending" });

// @ts-expect-error: a direction is one of four
machine.toDot({ direction: "UP" });

// @ts-expect-error: a guard answers with a boolean
machine.registerGuard("is_small", async () => true);

// @ts-expect-error: a snapshot is what the package returned
machine.decide({ state: "pending" }, "approve");

// @ts-expect-error: an expression is a text
evaluate(true);

// @ts-expect-error: variables have names
evaluate("true", "object");
