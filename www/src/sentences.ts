/** Turns frames into rows of the history and into one sentence each. The words of refusals are the package's. */
import type { Decision, Effect, TraceStep } from "./core";
import type { Content } from "./document";
import { clock, list } from "./format";
import { plain, type Frame } from "./replay";

/** One advance of the clock can fire thousands of timers: only the last are told. */
const SENTENCES = 3;

export type Mark = "created" | "taken" | "fired" | "refused" | "note";

export interface Row {
  mark: Mark;
  sequence: number | null;
  time: string | null;
  what: string;
  action: string | null;
  from: string[];
  to: string[];
  actor: string | null;
  /** Titles of what was taken, in order; after the first, what followed by itself. */
  taken: string[];
  /** Paths of what was left and entered, in order: with states inside others more than from where to where. */
  exited: string[];
  entered: string[];
  /** The path of the state whose timer it was. */
  timer: string | null;
  effects: Effect[];
  why: string[];
}

export interface Names {
  document: Content;
  displayName(state: string): string;
  /** What a transition out of one of these states is called. */
  transitionTitle(name: string, from: readonly string[]): string;
}

const NOTHING = { taken: [], exited: [], entered: [], timer: null };

export function rowsOf(frame: Frame, names: Names): Row[] {
  const rows: Row[] = [];
  if (frame.created) rows.push(decided(frame.created, null, frame, names));
  for (const step of frame.steps) {
    const row = rowOf(step, frame, names);
    if (row) rows.push(row);
  }
  const { entry } = frame;
  if (entry?.do === "guard") rows.push(note(`Guard ${entry.guard} set to ${entry.value}`));
  if (entry?.do === "continue" && !frame.problem) rows.push(note("Goes on from a history; what is done here does not change it"));
  if (entry?.do === "place" && !frame.problem) rows.push(note(`Placed in ${names.displayName(entry.state)} by the link`));
  if (frame.problem) rows.push({ ...note(frame.problem), mark: "refused" });
  return rows;
}

function rowOf(step: TraceStep, frame: Frame, names: Names): Row | null {
  switch (step.kind) {
    case "action":
      return decided(step.decision, step.action, frame, names, step.at);
    case "timeout":
      return { ...decided(step.decision, step.due.action, frame, names, step.due.at), mark: firedMark(step.decision), timer: step.due.state };
    case "notification":
      return {
        ...note(`Reminder: ${names.displayName(step.due.state)} is due soon, then ${step.due.action}`),
        mark: "fired",
        time: step.due.at,
      };
    case "advanced":
      return { ...note("Clock moved on"), time: step.to };
    case "object":
      return note("Object data changed");
    case "context":
      return note(contextNote(frame, names));
  }
}

function firedMark(decision: Decision): Mark {
  return decision.outcome === "refused" ? "refused" : "fired";
}

function contextNote(frame: Frame, names: Names): string {
  const { entry, ctx } = frame;
  if (entry?.do === "settings") return "Context data changed";
  if (entry?.do === "clock") return `Clock set to ${clock(String(ctx.timestamp))}`;
  const title = names.document.actors.find((one) => one.id === ctx.actor_id)?.title ?? ctx.actor_id ?? "nobody";
  const may = ctx.permissions?.length ? list(ctx.permissions) : "no permissions";
  return `Acting as ${title} with ${may}`;
}

function decided(decision: Decision, action: string | null, frame: Frame, names: Names, at?: string): Row {
  if (decision.outcome === "refused") {
    return {
      ...NOTHING,
      mark: "refused",
      sequence: null,
      time: at ?? String(frame.ctx.timestamp),
      what: action ?? "create",
      action,
      from: decision.from_states,
      to: decision.to_states,
      actor: frame.ctx.actor_id ?? null,
      effects: [],
      why: (decision.reasons.length > 0 ? decision.reasons : [decision]).map(({ message }) => plain(message)),
    };
  }
  const { record } = decision;
  return {
    mark: action === null ? "created" : "taken",
    sequence: record.sequence,
    time: record.timestamp,
    what: action ?? "created",
    action,
    from: record.from_states,
    to: record.to_states,
    actor: record.actor_id ?? null,
    taken: record.transitions.map((name) => names.transitionTitle(name, record.exited)),
    exited: record.exited,
    entered: record.entered,
    timer: null,
    effects: record.effects,
    why: [],
  };
}

function note(what: string): Row {
  return { ...NOTHING, mark: "note", sequence: null, time: null, what, action: null, from: [], to: [], actor: null, effects: [], why: [] };
}

/** The last rows of a history, at most `count`, without making the ones before. */
export function lastRows(frames: readonly Frame[], names: Names, count: number): { rows: Row[]; more: boolean } {
  let rows: Row[] = [];
  for (const frame of [...frames].reverse()) {
    if (rows.length >= count) return { rows, more: true };
    const own = rowsOf(frame, names);
    if (own.length > count - rows.length) return { rows: [...own.slice(rows.length - count), ...rows], more: true };
    rows = [...own, ...rows];
  }
  return { rows, more: false };
}

/** What a frame did, in one or two sentences, for the message line and for screen readers. */
export function outcomeOf(frame: Frame, names: Names): { text: string; refused: boolean } | null {
  const rows = rowsOf(frame, names);
  if (rows.length === 0) return null;
  const told = rows.filter((row) => row.mark !== "note");
  const shown = told.length > 0 ? told : rows;
  const last = shown.slice(-SENTENCES).map((row) => sentence(row, names));
  const text = (shown.length > SENTENCES ? [`${shown.length} steps, the last of them`, ...last] : last).join(". ");
  return { text, refused: rows.some((row) => row.mark === "refused") };
}

function sentence(row: Row, names: Names): string {
  if (row.mark === "note" || row.action === null) {
    return row.time && row.mark === "note" ? `${row.what} to ${clock(row.time)}` : row.what;
  }
  if (row.mark === "refused") return `${row.action} refused: ${row.why.join("; ")}`;
  const target = list(row.to.map((state) => names.displayName(state)));
  return row.mark === "fired"
    ? `Timeout fired at ${clock(row.time ?? "")}: ${row.action}${followed(row)}, now ${target}`
    : `${row.action}${followed(row)}: now ${target}`;
}

function followed(row: Row): string {
  return row.taken.length > 1 ? `, then by itself ${list(row.taken.slice(1))}` : "";
}
