/**
 * The one door to the package `veristate`. Everything that the page knows about
 * states, guards and permissions comes through here.
 */
import init, { check, evaluate, fromScxml, fromXstate, Machine, schema, version } from "veristate";

export type {
  Availability,
  Context,
  Decision,
  Definition,
  Diagnostic,
  Due,
  Edge,
  Effect,
  Evaluation,
  GuardAnswer,
  HistoryRecord,
  Input,
  LeftOut,
  Missing,
  Reading,
  Reason,
  ScriptStep,
  Snapshot,
  State,
  StateOutline,
  TraceStep,
  Transition,
  Violation,
} from "veristate";
export { check, evaluate, fromScxml, fromXstate, Machine, schema, version };

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
