/** What the History view shows, as files: CSV for tables (RFC 4180, UTF-8 with a mark for Excel) and JSON. */
import type { LogReport, LogRow, RowViolation } from "../core";
import type { ObjectColumns } from "./messages";

export type Cell = string | number | boolean | null | undefined;

export interface Table {
  name: string;
  columns: readonly string[];
  rows: readonly (readonly Cell[])[];
}

/**
 * A table as CSV. A text that a spreadsheet would take for a formula gets an apostrophe before it: text of a log must
 * not become one. Numbers, also negative ones, stay what they are.
 */
export function csvOf({ columns, rows }: Pick<Table, "columns" | "rows">): string {
  return `\uFEFF${[columns, ...rows].map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

function cell(value: Cell): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) && !/^[+-]?\d+(\.\d+)?$/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A table as a JSON list of objects. */
export function jsonOf({ columns, rows }: Pick<Table, "columns" | "rows">): string {
  const lines = rows.map((row) => JSON.stringify(Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null]))));
  return lines.length === 0 ? "[]\n" : `[\n${lines.join(",\n")}\n]\n`;
}

/** The objects of a report; `rows`: the positions that are shown, in their order. */
export function objectsTable(objects: ObjectColumns, rows: Iterable<number>): Table {
  return {
    name: "objects",
    columns: ["object_id", "states", "since", "stuck", "faults", "records", "re_entries", "tenant_id"],
    rows: Array.from(rows, (at) => [
      objects.ids[at],
      objects.places[objects.state[at]!]?.join(" "),
      isoOf(objects.since[at]!),
      objects.stuck[at] === 0 ? null : objects.causes[objects.stuck[at]! - 1],
      objects.faults[at],
      objects.records[at],
      objects.returns[at],
      objects.tenant[at] === 0 ? null : objects.tenants[objects.tenant[at]! - 1],
    ]),
  };
}

function isoOf(time: number): string | null {
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/** The records of one object. In CSV, lists are joined by spaces and data are JSON; a reader of the package takes it back. */
export function recordsTable(rows: readonly LogRow[]): Table {
  const lists = (value: readonly string[] | null): string | null => value?.join(" ") ?? null;
  return {
    name: "records",
    columns: ["row", "object_id", "sequence", "from_states", "to_states", "transitions", "action", "actor_id", "actor_type", "tenant_id", "reason", "timestamp", "request_id", "definition_version", "object"],
    rows: rows.map((one) => [
      one.row,
      one.object_id,
      one.sequence,
      lists(one.from_states),
      lists(one.to_states),
      lists(one.transitions),
      one.action,
      one.actor_id,
      one.actor_type,
      one.tenant_id,
      one.reason,
      one.timestamp,
      one.request_id,
      one.definition_version,
      one.object === undefined ? null : JSON.stringify(one.object),
    ]),
  };
}

/** The rows of one object that cannot be true. */
export function faultsTable(object_id: string, violations: readonly RowViolation[]): Table {
  return {
    name: "impossible-rows",
    columns: ["object_id", "row", "code", "message", "help", "nearest"],
    rows: violations.map((one) => [object_id, one.row, one.code, one.message, one.help, one.explanation?.message]),
  };
}

/** The tables of a report on all objects. */
export function reportTables(report: LogReport): Table[] {
  const stats = ["count", "sum", "mean", "p50", "p90", "p99", "max"] as const;
  const of = (one: LogReport["states"][number]["closed"]): Cell[] => stats.map((name) => one?.[name] ?? null);
  return [
    {
      name: "dwell",
      columns: ["state", "is_known", "objects", "visits", "visitors", "re_entries", ...stats, "open", "open_sum", "uncertain", "uncertain_sum", "censored", "disordered", "is_bottleneck"],
      rows: report.states.map((one) => [
        one.state,
        one.is_known,
        one.objects,
        one.visits,
        one.visitors,
        one.re_entries,
        ...of(one.closed),
        one.open.count,
        one.open.sum,
        one.uncertain.count,
        one.uncertain.sum,
        one.censored,
        one.disordered,
        one.is_bottleneck,
      ]),
    },
    {
      name: "transitions",
      columns: ["transition", "action", "from", "to", "taken", ...stats],
      rows: report.transitions.map((one) => [one.transition, one.action, one.from.join(" "), one.to.join(" "), one.count, ...of(one.time)]),
    },
    {
      name: "distribution",
      columns: ["from", "created", "finished", "records", "uncertain", ...report.buckets.states.map((one) => one.state)],
      rows: report.buckets.starts.map((start, at) => [
        start,
        report.buckets.created[at],
        report.buckets.finished[at],
        report.buckets.records[at],
        report.buckets.uncertain[at],
        ...report.buckets.states.map((one) => one.objects[at]),
      ]),
    },
    {
      name: "variants",
      columns: ["states", "objects", "share", "example"],
      rows: report.variants.map((one) => [one.states.map((leaves) => leaves.join(" + ")).join(" → "), one.count, one.share, one.example]),
    },
    {
      name: "stuck",
      columns: ["object_id", "tenant_id", "state", "code", "since", "for", "action", "message"],
      rows: report.stuck.listed.map((one) => [one.object_id, one.tenant_id, one.state, one.code, one.since, one.for_time, one.action, one.message]),
    },
    {
      name: "impossible-rows",
      columns: ["object_id", "row", "sequence", "code", "message"],
      rows: report.violations.listed.map((one) => [one.object_id, one.row, one.sequence, one.code, one.message]),
    },
  ];
}
