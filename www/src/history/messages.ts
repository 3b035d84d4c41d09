/**
 * What the page and the worker that reads histories say to each other. The worker owns the package's `Log`, the source
 * and the `History` of the object that is looked at; the page gets plain data. Errors are data, too.
 */
import type {
  Calendar,
  Card,
  Context,
  Definition,
  Dwell,
  LogOptions,
  LogRead,
  LogReport,
  LogRow,
  Overdue,
  ReadOptions,
  RecordFormat,
  RowViolation,
  Snapshot,
  StateAt,
  StateOutline,
  StuckCode,
  Visit,
} from "../core";

/** What is asked of a log. The same holds for the history of one object in it. */
export interface Asked {
  /** Up to when time is counted; null: up to the last record. */
  as_of: string | null;
  window: [string, string] | null;
  tenant: string | null;
  options: Partial<Omit<LogOptions, "as_of" | "window" | "tenant">>;
  calendar: Calendar | null;
}

export const EVERYTHING: Asked = { as_of: null, window: null, tenant: null, options: {}, calendar: null };

/** The definition that is asked, and what the host answers for guards that it does not write down. */
export interface Rules {
  definition: string;
  /** A guard that is not in here is unknown. */
  guards: Record<string, boolean>;
}

export interface OpenRequest extends Rules {
  source: Blob;
  /** Null: by the name and the first bytes. */
  format: RecordFormat | null;
  name: string | null;
  read: Partial<ReadOptions>;
  asked: Asked;
}

/** Each kind of request with what it sends. */
export interface Requests {
  open: OpenRequest;
  /** Another definition for the log that is open; nothing is read again. */
  use: Rules & { asked: Asked };
  report: { asked: Asked };
  object: { object_id: string; ctx: Context };
  /** The card again, for somebody else. */
  card: { ctx: Context };
  at: { object_id: string; time: string };
  discover: { object_type: string };
}

/** Each kind of request with what comes back. */
export interface Answers {
  open: Opened;
  use: Reported;
  report: Reported;
  object: ObjectHistory;
  card: Card;
  at: Moment;
  discover: Definition;
}

export type Kind = keyof Requests;

/** All objects of a log, as columns: a hundred thousand objects of JavaScript would stop the page while they arrive. */
export interface ObjectColumns {
  ids: string[];
  /** All positions in the order of ids, and in that of `since`, where those without one stand last: sorting is the worker's. */
  byId: Uint32Array;
  bySince: Uint32Array;
  /** The different sets of active leaves; `state` counts them. */
  places: string[][];
  state: Uint32Array;
  /** Milliseconds since 1970; NaN where no record says so. */
  since: Float64Array;
  /** 1 where the records lead to states that cannot be. */
  isUnsure: Uint8Array;
  records: Uint32Array;
  returns: Uint32Array;
  faults: Uint32Array;
  /** The different causes; `stuck` counts them, from 1. 0: it goes on. */
  causes: StuckCode[];
  stuck: Uint8Array;
  /** The different tenants; `tenant` counts them, from 1. 0: none. */
  tenants: string[];
  tenant: Uint32Array;
}

export interface Reported {
  report: LogReport;
  objects: ObjectColumns;
  outline: StateOutline[];
  /** Milliseconds that the worker took for it. */
  took: number;
}

export interface Opened extends Reported {
  format: RecordFormat;
  read: LogRead;
  /** Every tenant of the log, whichever is asked for. */
  tenants: string[];
}

/** Everything about one object. */
export interface ObjectHistory {
  object_id: string;
  now: string;
  rows: LogRow[];
  /** The file is too large to be read again: actors, reasons and the object's data are left out. */
  isBare: boolean;
  violations: RowViolation[];
  timeline: Visit[];
  dwell: Dwell;
  overdue: Overdue[];
  card: Card;
}

/** Where an object was at a time. */
export interface Moment {
  object_id: string;
  time: string;
  state: StateAt;
  /** Null where it cannot be asked further. */
  snapshot: Snapshot | null;
}

/** How far reading has come. */
export interface Progress {
  phase: "reading" | "reckoning";
  bytes: number;
  total: number;
  used: number;
  refused: number;
}

/** Why something cannot be done. */
export interface Failure {
  /** One of the package's codes, or `stopped`, `no-log`, `unreadable`, `worker-failed`, `not-available`. */
  code: string;
  message: string;
}

export type ToWorker = { [K in Kind]: { id: number; kind: K; request: Requests[K] } }[Kind] | { kind: "stop" } | { kind: "close" };

export type FromWorker =
  | { id: number; progress: Progress }
  | { id: number; answer: Answers[Kind] }
  | { id: number; failure: Failure };
