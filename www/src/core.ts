/**
 * The one door to the package `veristate`. Everything that the page knows about
 * states, guards and permissions comes through here.
 */
import init, { check, detectFormat, evaluate, fromScxml, fromXstate, Log, Machine, readRecords, schema, version } from "veristate";

export type {
  Availability,
  Buckets,
  Calendar,
  Card,
  CardAction,
  Context,
  Decision,
  Definition,
  Diagnostic,
  Due,
  Dwell,
  Edge,
  Effect,
  Evaluation,
  GuardAnswer,
  Heat,
  History,
  HistoryRecord,
  Input,
  LeftOut,
  LogOptions,
  LogRead,
  LogReport,
  LogRow,
  LogViolations,
  Missing,
  ObjectLine,
  Overdue,
  ReadOptions,
  Reading,
  Reason,
  RecordFormat,
  Records,
  RefusedRow,
  RowRule,
  RowViolation,
  ScriptStep,
  Snapshot,
  State,
  StateAt,
  StateOutline,
  StateReport,
  StuckCode,
  StuckObject,
  TraceStep,
  Traffic,
  Transition,
  Variant,
  Violation,
  Visit,
} from "veristate";
export { check, detectFormat, evaluate, fromScxml, fromXstate, Log, Machine, readRecords, schema, version };

let loading: Promise<unknown> | undefined;

/** Loads the WebAssembly once. */
export function loadCore(): Promise<unknown> {
  loading ??= init();
  return loading;
}

/** What an error says, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
