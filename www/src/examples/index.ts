/**
 * The examples that come with the page: a definition each, and beside it what
 * is needed to play with it (an object, people who act, guards, a start time).
 */
import type { Actor, GuardValue, Json } from "../document";
import cloudInstance from "./cloud-instance.definition.json?raw";
import jobQueue from "./job-queue.definition.json?raw";
import riskRule from "./risk-rule.definition.json?raw";

export interface Example {
  id: string;
  title: string;
  about: string;
  text: string;
  object_id: string;
  object: Json;
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
    id: "risk-rule",
    title: "Risk rule",
    about: "Review and approval, with guards and permissions",
    text: riskRule,
    object_id: "rule-42",
    object: { title: "Velocity over 5 cards a day", owner: "fraud-team", approvals: 0 },
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
    guards: { has_required_fields: "true", has_required_approvals: "false", data_quality_passed: "unknown" },
    start: "2026-03-02T09:00:00Z",
  },
  {
    id: "job-queue",
    title: "Job queue",
    about: "Claims, leases, and a retry that somebody must ask for",
    text: jobQueue,
    object_id: "job-1001",
    object: { document: "manual.md", from: "de", to: "en", attempts: 0 },
    actors: [
      { id: "worker", title: "Worker", type: "service", permissions: ["job.work"] },
      { id: "operator", title: "Operator", type: "human", permissions: ["job.retry", "job.work"] },
      { id: "viewer", title: "Viewer", type: "human", permissions: [] },
      { id: "system", title: "System", type: "system", permissions: ["job.retry", "job.sweep", "job.work"] },
    ],
    guards: { result_is_complete: "true", has_attempts_left: "true" },
    start: "2026-03-02T09:00:00Z",
  },
];

export default examples;

export function exampleById(id: string): Example | undefined {
  return examples.find((example) => example.id === id);
}
