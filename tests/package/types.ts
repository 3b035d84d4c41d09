// What a TypeScript user writes. It is compiled, never run.

import init, { type Decision, type Definition, type Evaluation, evaluate, Machine, type Reason, type Snapshot, type VeristateError, type Violation } from "veristate";

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
