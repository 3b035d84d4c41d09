/**
 * The examples that come with the page: a definition each, and beside it what
 * is needed to play with it (an object, people who act, guards, a start time).
 */
import type { Actor, GuardValue, Json, Settings } from "../document";
import cloudInstance from "./cloud-instance.definition.json?raw";
import jobQueue from "./job-queue.definition.json?raw";
import orderApproval from "./order-approval.definition.json?raw";
import riskRule from "./risk-rule.definition.json?raw";
import riskRuleNested from "./risk-rule-nested.definition.json?raw";

export interface Example {
  id: string;
  title: string;
  about: string;
  text: string;
  object_id: string;
  object: Json;
  /** What guards read as `ctx.config` and the like. */
  settings: Settings;
  actors: Actor[];
  guards: Record<string, GuardValue>;
  /** When the object is created, RFC 3339. */
  start: string;
}

const examples: Example[] = [
  {
    id: "cloud-instance",
    title: "Cloud instance",
    about: "Asynchronous work, timeouts and a bill that was not paid",
    text: cloudInstance,
    object_id: "db-7",
    object: { name: "orders-db", region: "eu-west-1", size: "small" },
    settings: { config: {} },
    actors: [
      { id: "operator", title: "Operator", type: "human", permissions: ["instance.operate", "instance.delete"] },
      { id: "billing", title: "Billing", type: "service", permissions: ["billing.suspend"] },
      { id: "viewer", title: "Viewer", type: "human", permissions: [] },
      {
        id: "system",
        title: "System",
        type: "system",
        permissions: ["instance.operate", "instance.delete", "instance.time_out", "billing.suspend"],
      },
    ],
    guards: { change_is_approved: "false" },
    start: "2026-03-02T09:00:00Z",
  },
  {
    id: "order-approval",
    title: "Order approval",
    about: "Guards that read the object, settings and the clock",
    text: orderApproval,
    object_id: "order-815",
    object: {
      amount: 12000,
      country: "DE",
      lines: [{ article: "standing desk", quantity: 8, price: 1500 }],
      requested_by: "clerk",
      approvals: [
        { by: "sales", received: true },
        { by: "finance", received: false },
      ],
      cancel_until: "2026-03-03T09:00:00Z",
    },
    settings: { config: { auto_approve_threshold: 10000, delivery_countries: ["AT", "CH", "DE"] } },
    actors: [
      { id: "clerk", title: "Clerk", type: "human", permissions: ["order.submit"] },
      { id: "manager", title: "Manager", type: "human", permissions: ["order.approve"] },
      { id: "warehouse", title: "Warehouse", type: "service", permissions: ["order.ship"] },
      { id: "viewer", title: "Viewer", type: "human", permissions: [] },
      { id: "system", title: "System", type: "system", permissions: ["order.approve", "order.ship", "order.submit"] },
    ],
    guards: {},
    start: "2026-03-02T09:00:00Z",
  },
  {
    id: "risk-rule",
    title: "Risk rule",
    about: "Review and approval: every approval received, data quality at least 0.95",
    text: riskRule,
    object_id: "rule-42",
    object: {
      title: "Velocity over 5 cards a day",
      owner: "fraud-team",
      approvals: [
        { by: "fraud", received: true },
        { by: "compliance", received: false },
      ],
    },
    settings: { config: {} },
    actors: [
      { id: "author", title: "Author", type: "human", permissions: ["rule.edit"] },
      { id: "reviewer", title: "Reviewer", type: "human", permissions: ["rule.approve"] },
      {
        id: "operator",
        title: "Operator",
        type: "human",
        permissions: ["rule.deploy", "rule.suspend", "rule.resume", "rule.deprecate"],
      },
      { id: "viewer", title: "Viewer", type: "human", permissions: [] },
      {
        id: "system",
        title: "System",
        type: "system",
        permissions: ["rule.approve", "rule.deploy", "rule.deprecate", "rule.edit", "rule.resume", "rule.suspend"],
      },
    ],
    guards: {},
    start: "2026-03-02T09:00:00Z",
  },
  {
    id: "risk-rule-nested",
    title: "Risk rule, nested",
    about: "Two departments review at the same time; a test in steps that can be paused",
    text: riskRuleNested,
    object_id: "rule-42",
    object: { title: "Velocity over 5 cards a day", owner: "fraud-team", risk: "high", data_set: "2026-02" },
    settings: { config: {} },
    actors: [
      { id: "author", title: "Author", type: "human", permissions: ["rule.edit", "rule.test"] },
      { id: "legal", title: "Legal department", type: "human", permissions: ["rule.review.legal"] },
      { id: "tech", title: "Technical department", type: "human", permissions: ["rule.review.tech"] },
      {
        id: "operator",
        title: "Operator",
        type: "human",
        permissions: ["rule.deploy", "rule.deprecate", "rule.resume", "rule.suspend"],
      },
      { id: "viewer", title: "Viewer", type: "human", permissions: [] },
      {
        id: "system",
        title: "System",
        type: "system",
        permissions: [
          "rule.deploy",
          "rule.deprecate",
          "rule.edit",
          "rule.resume",
          "rule.review.legal",
          "rule.review.tech",
          "rule.suspend",
          "rule.test",
        ],
      },
    ],
    guards: {},
    start: "2026-03-02T09:00:00Z",
  },
  {
    id: "job-queue",
    title: "Job queue",
    about: "Claims, leases, retries, and states that ask for evidence",
    text: jobQueue,
    object_id: "job-1001",
    object: { document: "manual.md", from: "de", to: "en", attempts: 0, pages: 12, pages_done: 0 },
    settings: { config: { max_attempts: 3 } },
    actors: [
      { id: "worker", title: "Worker", type: "service", permissions: ["job.work"] },
      { id: "operator", title: "Operator", type: "human", permissions: ["job.retry", "job.work"] },
      { id: "viewer", title: "Viewer", type: "human", permissions: [] },
      { id: "system", title: "System", type: "system", permissions: ["job.retry", "job.sweep", "job.work"] },
    ],
    guards: {},
    start: "2026-03-02T09:00:00Z",
  },
];

export default examples;

export function exampleById(id: string): Example | undefined {
  return examples.find((example) => example.id === id);
}
