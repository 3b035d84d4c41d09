// What a TypeScript user writes. It is compiled, never run.

import init, {
  type Decision,
  type Definition,
  type Edge,
  type Evaluation,
  evaluate,
  fromScxml,
  fromXstate,
  type LeftOut,
  Machine,
  type Reason,
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

new Machine(nested);

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
