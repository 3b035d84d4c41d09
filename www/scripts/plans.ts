/** How the objects of the examples live: who does what, how likely and how soon. */
import type { Plan } from "./histories.ts";
import type { Random } from "./random.ts";

const HOUR = 60;
const DAY = 24 * HOUR;
const pick = <Item>(random: Random, items: readonly Item[]): Item => items[random.below(items.length)]!;

const cloudInstance: Plan = {
  id: "cloud-instance",
  seed: 7,
  prefix: "db",
  tenants: ["north", "south", "west"],
  actors: {
    operator: { type: "human", permissions: ["instance.operate", "instance.delete"] },
    worker: { type: "service", permissions: ["instance.operate"] },
    monitor: { type: "service", permissions: ["instance.operate"] },
    billing: { type: "service", permissions: ["billing.suspend"] },
    system: { type: "system", permissions: ["instance.time_out"] },
  },
  config: {},
  object: (number, random) => ({ name: `database-${number}`, size: pick(random, ["small", "medium", "large"]) }),
  habits: {
    provision: { weight: 97, after: [0.2, 20], actor: "worker" },
    complete: { weight: 92, after: [3, 24], actor: "worker" },
    fail: { weight: { pending: 3, provisioning: 5, updating: 2, degraded: 8, deprovisioning: 2 }, after: [4, 40], actor: "operator", reasons: ["quota exceeded", "disk could not be attached", "no way to recover"] },
    update: { weight: 40, after: [2 * HOUR, 19 * DAY], actor: "operator", office: true, reasons: ["version 16.4", "more memory", "larger disk"] },
    degrade: { weight: { ready: 14, updating: 5 }, after: [HOUR, 16 * DAY], actor: "monitor", reasons: ["health check failed 3 times", "replication lag"] },
    suspend: { weight: 12, after: [DAY, 20 * DAY], actor: "billing", reasons: ["payment failed"] },
    deprovision: { weight: { ready: 16, degraded: 12, suspended: 20 }, after: [4 * HOUR, 24 * DAY], actor: "operator", office: true, reasons: ["no longer needed"] },
    recover: { weight: 70, after: [2, 14 * HOUR], actor: "operator", reasons: ["restarted", "failed over to the replica"] },
    resume: { weight: 70, after: [2 * HOUR, 6 * DAY], actor: "billing", reasons: ["payment arrived"] },
  },
  rests: { ready: 0.01 },
  longest: 24,
  forgotten: "updating",
  evidence: [],
  fixes: { terminal: ["deleted", "failed"], risen: { to_states: ["ready"], action: "recover", actor_id: "operator", actor_type: "human" } },
};

const orderApproval: Plan = {
  id: "order-approval",
  seed: 11,
  prefix: "order",
  tenants: ["retail", "wholesale"],
  actors: {
    clerk: { type: "human", permissions: ["order.submit"] },
    manager: { type: "human", permissions: ["order.approve"] },
    warehouse: { type: "service", permissions: ["order.ship"] },
    system: { type: "system", permissions: ["order.approve"] },
  },
  config: { auto_approve_threshold: 10_000, delivery_countries: ["AT", "CH", "DE"] },
  object: (_number, random) => {
    const quantity = 1 + random.below(12);
    const price = pick(random, [150, 480, 900, 1500, 2400]);
    return {
      amount: quantity * price,
      country: pick(random, ["AT", "CH", "DE", "DE"]),
      lines: [{ article: pick(random, ["standing desk", "chair", "lamp"]), quantity, price }],
      requested_by: "clerk",
      approvals: [{ by: "finance", received: true }],
      payment: pick(random, ["received", "received", "on account", "open"]),
      cancel_until: "2026-03-15T00:00:00Z",
    };
  },
  habits: {
    submit: { weight: 95, after: [10, 8 * DAY], actor: "clerk", office: true },
    approve: { weight: 58, after: [15, 5 * DAY], actor: "manager", office: true, reasons: ["within the budget", "needed for the new office"] },
    reject: { weight: 7, after: [HOUR, 3 * DAY], actor: "manager", office: true, reasons: ["too dear", "not in this quarter"] },
    correct: { weight: 60, after: [30, 2 * DAY], actor: "clerk", office: true, reasons: ["wrong quantity", "other address"] },
    ship: {
      weight: 90,
      after: [4 * HOUR, 9 * DAY],
      actor: "warehouse",
      object: (data, random) => ({ ...data, payment: data.payment === "open" ? "received" : data.payment, tracking_number: `TN${100_000 + random.below(900_000)}` }),
    },
    cancel: { weight: { draft: 4, submitted: 4, approved: 5 }, after: [HOUR, 5 * DAY], actor: "clerk", office: true, reasons: ["found in stock"] },
  },
  rests: {},
  longest: 20,
  forgotten: "submitted",
  evidence: ["shipped"],
  fixes: {
    terminal: ["shipped", "rejected", "cancelled"],
    risen: { to_states: ["approved"], action: "approve", actor_id: "manager", actor_type: "human" },
    evidence: { state: "shipped", without: ({ tracking_number: _gone, ...rest }) => ({ ...rest, tracking_number: "" }) },
  },
};

const riskRuleNested: Plan = {
  id: "risk-rule-nested",
  seed: 23,
  prefix: "rule",
  tenants: ["cards", "transfers"],
  actors: {
    author: { type: "human", permissions: ["rule.edit", "rule.test"] },
    legal: { type: "human", permissions: ["rule.review.legal"] },
    tech: { type: "human", permissions: ["rule.review.tech"] },
    operator: { type: "human", permissions: ["rule.deploy", "rule.deprecate", "rule.resume", "rule.suspend"] },
    sandbox: { type: "service", permissions: ["rule.test"] },
    system: { type: "system", permissions: ["rule.edit", "rule.test"] },
  },
  config: {},
  object: (number, random) => ({ title: `Rule ${number}`, owner: pick(random, ["fraud-team", "risk-team"]), risk: pick(random, ["low", "high", "high"]), data_set: "2026-02", data_quality: (93 + random.below(8)) / 100 }),
  habits: {
    submit: { weight: 100, after: [20, 24 * DAY], actor: "author", office: true },
    legal_approve: { weight: 60, after: [30, 3 * DAY], actor: "legal", office: true, reasons: ["no objections"] },
    legal_reject: { weight: 7, after: [HOUR, 3 * DAY], actor: "legal", office: true, reasons: ["reason for refusal is missing"] },
    tech_approve: { weight: 70, after: [20, 2 * DAY], actor: "tech", office: true },
    tech_reject: { weight: 9, after: [30, 2 * DAY], actor: "tech", office: true, reasons: ["counts twice", "too slow"] },
    withdraw: { weight: 3, after: [HOUR, 2 * DAY], actor: "author", office: true },
    test: { weight: 70, after: [HOUR, 20 * DAY], actor: "author", office: true },
    pass_unit: { weight: 90, after: [2, 40], actor: "sandbox" },
    pass_integration: { weight: 90, after: [10, 2 * HOUR], actor: "sandbox" },
    pass_performance: { weight: 70, after: [20, 4 * HOUR], actor: "sandbox" },
    repeat: { weight: 8, after: [HOUR, 2 * HOUR], actor: "sandbox", reasons: ["the machine was busy"] },
    pass_validation: { weight: 90, after: [HOUR, 8 * HOUR], actor: "sandbox", object: (data, random) => ({ ...data, data_quality: (95 + random.below(6)) / 100 }) },
    fail_test: { weight: { testing: 6, paused: 15 }, after: [10, 6 * HOUR], actor: "author", office: true, reasons: ["too many false alarms"] },
    pause: { weight: 7, after: [5, 2 * HOUR], actor: "author" },
    continue: { weight: 85, after: [HOUR, 9 * DAY], actor: "author", office: true },
    deploy: { weight: 40, after: [HOUR, 18 * DAY], actor: "operator", office: true },
    activate: { weight: 85, after: [4, 50], actor: "operator" },
    rollback: { weight: 10, after: [10, 60], actor: "operator", reasons: ["alarms in production"] },
    suspend: { weight: 30, after: [DAY, 20 * DAY], actor: "operator", office: true },
    resume: { weight: 80, after: [2 * HOUR, 4 * DAY], actor: "operator", office: true },
    deprecate: { weight: { active: 10, suspended: 20 }, after: [2 * DAY, 18 * DAY], actor: "operator", office: true },
    archive: { weight: 80, after: [DAY, 6 * DAY], actor: "operator", office: true },
  },
  rests: { active: 0.1 },
  longest: 24,
  forgotten: "testing.performance_test",
  evidence: ["testing", "deploying"],
  fixes: {
    terminal: ["archived"],
    risen: { to_states: ["active"], action: "resume", actor_id: "operator", actor_type: "human" },
    evidence: { state: "deploying", without: (data) => ({ ...data, data_quality: 0.91 }) },
  },
};

export const PLANS: readonly Plan[] = [cloudInstance, orderApproval, riskRuleNested];
