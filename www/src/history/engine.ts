/**
 * What the worker does, without being one: it answers requests with the package's answers. Nothing about states, times
 * or records is decided here.
 */
import { detectFormat, Machine, messageOf, readRecords, type History, type Log, type LogRead, type RecordFormat } from "../core";
import { buffersOf, columnsOf } from "./columns";
import type { Answers, Asked, Failure, FromWorker, Kind, Moment, ObjectHistory, Opened, OpenRequest, Progress, Reported, Requests, Rules, ToWorker } from "./messages";

/** Bytes that are enough to tell a format. */
const START = 4096;
/** Bytes that are handed to the package at once, so that a stop is heard between. */
const CHUNK = 1 << 20;
/** Bytes of a file above which it is not read again for one object: the package would need all of it in memory. */
const LARGE = 256 << 20;
/** Milliseconds after which the worker listens, and between two reports of progress. */
const SLICE = 40;
/** Later than every time of a log. */
const LATEST = "9999-12-31T23:59:59Z";

class Refusal extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

/** The log that is open, and how it was read. */
interface Open {
  log: Log;
  machine: Machine;
  source: Blob;
  format: RecordFormat;
  read: OpenRequest["read"];
  asked: Asked;
  /** `asked.as_of`, or the time of the last record. */
  asOf: string;
}

export class Engine {
  #post: (message: FromWorker, transfer: Transferable[]) => void;
  #open: Open | null = null;
  #history: { object_id: string; history: History } | null = null;
  /** The newest request of each kind: an older one that is still at work gives up. */
  #newest = new Map<Kind, number>();
  #stops = 0;

  constructor(post: (message: FromWorker, transfer: Transferable[]) => void) {
    this.#post = post;
  }

  async hear(message: ToWorker): Promise<void> {
    if (message.kind === "stop") {
      this.#stops += 1;
    } else if (message.kind === "close") {
      this.#stops += 1;
      this.#drop();
    } else {
      const { id, kind } = message;
      this.#newest.set(kind, id);
      try {
        const answer = await this.#answer(message);
        if (this.#newest.get(kind) === id) this.#post({ id, answer }, "objects" in answer ? buffersOf(answer.objects) : []);
      } catch (error) {
        this.#post({ id, failure: failureOf(error) }, []);
      }
    }
  }

  #answer(message: Exclude<ToWorker, { kind: "stop" } | { kind: "close" }>): Answers[Kind] | Promise<Answers[Kind]> {
    switch (message.kind) {
      case "open":
        return this.#read(message.id, message.request);
      case "use":
        return this.#use(message.request);
      case "report":
        return this.#report(message.request.asked);
      case "object":
        return this.#object(message.id, message.request);
      case "card":
        return this.#historyOf(null).card(message.request.ctx);
      case "at":
        return this.#at(message.request);
      case "discover":
        return this.#opened().log.discover(message.request.object_type);
    }
  }

  /** Reads a source into a log of its own. The one that was open stays until the new one can be asked. */
  async #read(id: number, request: OpenRequest): Promise<Opened> {
    const machine = machineOf(request);
    const format = request.format ?? (await formatOf(request));
    const log = machine.log();
    try {
      const reader = log.reader(format, request.read);
      let read: LogRead;
      try {
        const total = request.source.size;
        const tell = (bytes: number, phase: Progress["phase"]): void => {
          const { used, refused } = reader.summary();
          this.#post({ id, progress: { phase, bytes, total, used, refused } }, []);
        };
        tell(0, "reading");
        await this.#chunks(request.source, () => this.#newest.get("open") === id, {
          chunk: (bytes) => reader.feed(bytes),
          slice: (bytes) => tell(bytes, "reading"),
        });
        read = reader.end();
        tell(total, "reckoning");
      } finally {
        reader.free();
      }
      const open: Open = { log, machine, source: request.source, format, read: request.read, asked: request.asked, asOf: "" };
      const reported = this.#reportOn(open, request.asked);
      const tenants = request.asked.tenant === null ? reported.objects.tenants : this.#tenants(open);
      this.#drop();
      this.#open = open;
      return { ...reported, format, read, tenants: [...tenants].sort() };
    } catch (error) {
      log.free();
      machine.free();
      throw error;
    }
  }

  #use({ asked, ...rules }: Requests["use"]): Reported {
    const open = this.#opened();
    const machine = machineOf(rules);
    open.log.use(machine);
    open.machine.free();
    open.machine = machine;
    this.#forget();
    return this.#report(asked);
  }

  #report(asked: Asked): Reported {
    const open = this.#opened();
    const reported = this.#reportOn(open, asked);
    open.asked = asked;
    // The history of an object is up to the same time.
    this.#forget();
    return reported;
  }

  #reportOn(open: Open, asked: Asked): Reported {
    const began = performance.now();
    open.asOf = asked.as_of ?? lastOf(open.log) ?? LATEST;
    const options = { ...asked.options, as_of: open.asOf, window: asked.window, tenant: asked.tenant };
    const report = open.log.report(options);
    const objects = columnsOf(open.log.objects(options));
    return { report, objects, outline: open.machine.outline(), took: performance.now() - began };
  }

  #tenants(open: Open): string[] {
    return columnsOf(open.log.objects({ as_of: open.asOf })).tenants;
  }

  /** Reads the source once more, for the rows of one object: the log keeps no texts. */
  async #object(id: number, { object_id, ctx }: Requests["object"]): Promise<ObjectHistory> {
    const open = this.#opened();
    const isBare = open.source.size > LARGE;
    const bytes = isBare ? new Uint8Array() : await bytesOf(open.source);
    await pause();
    if (this.#newest.get("object") !== id || this.#open !== open) throw superseded();
    const records = isBare ? open.log.records(object_id) : readRecords(bytes, open.format, { ...open.read, object_id }).records;
    const { newest_first, sequences } = open.asked.options;
    const history = open.machine.history(records, {
      now: open.asOf,
      ...(newest_first === undefined ? {} : { newest_first }),
      ...(sequences === undefined ? {} : { sequences }),
      calendar: open.asked.calendar,
    });
    this.#forget();
    this.#history = { object_id, history };
    return {
      object_id,
      now: open.asOf,
      rows: history.rows(),
      isBare,
      violations: history.violations(),
      timeline: history.timeline(),
      dwell: history.dwell(),
      overdue: history.overdue(),
      card: history.card(ctx),
    };
  }

  #at({ object_id, time }: Requests["at"]): Moment {
    const history = this.#historyOf(object_id);
    return { object_id, time, state: history.stateAt(time), snapshot: history.snapshotAt(time) ?? null };
  }

  #opened(): Open {
    if (!this.#open) throw new Refusal({ code: "no-log", message: "no log is open" });
    return this.#open;
  }

  #historyOf(object_id: string | null): History {
    const known = this.#history;
    if (!known || (object_id !== null && known.object_id !== object_id)) {
      throw new Refusal({ code: "no-object", message: "this object is not open any more" });
    }
    return known.history;
  }

  #forget(): void {
    this.#history?.history.free();
    this.#history = null;
  }

  #drop(): void {
    this.#forget();
    this.#open?.log.free();
    this.#open?.machine.free();
    this.#open = null;
  }

  /** Hands out a source in chunks, and listens between them. */
  async #chunks(source: Blob, isWanted: () => boolean, take: { chunk(bytes: Uint8Array): void; slice(bytes: number): void }): Promise<void> {
    const stops = this.#stops;
    const reader = source.stream().getReader();
    let [done, listened] = [0, performance.now()];
    try {
      for (;;) {
        const { value, done: isOver } = await readOn(reader);
        if (isOver) return;
        for (let at = 0; at < value.length; at += CHUNK) {
          const part = value.subarray(at, at + CHUNK);
          // The package takes an array whose length is its own.
          take.chunk(part.byteLength === part.buffer.byteLength ? part : part.slice());
          done += part.length;
          if (performance.now() - listened < SLICE) continue;
          take.slice(done);
          await pause();
          listened = performance.now();
          if (this.#stops !== stops) throw new Refusal({ code: "stopped", message: "reading was stopped" });
          if (!isWanted()) throw superseded();
        }
      }
    } finally {
      void reader.cancel().catch(() => undefined);
    }
  }
}

async function readOn(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<ReadableStreamReadResult<Uint8Array>> {
  try {
    return await reader.read();
  } catch (error) {
    throw unreadable(error);
  }
}

/** A machine that answers the host's guards as it was told; the others stay unknown. */
function machineOf({ definition, guards }: Rules): Machine {
  const machine = new Machine(definition);
  for (const name of machine.hostGuards()) {
    const answer = guards[name];
    if (answer !== undefined) machine.registerGuard(name, () => answer);
  }
  return machine;
}

async function bytesOf(source: Blob): Promise<Uint8Array> {
  try {
    return new Uint8Array(await source.arrayBuffer());
  } catch (error) {
    throw unreadable(error);
  }
}

async function formatOf({ source, name }: OpenRequest): Promise<RecordFormat> {
  return detectFormat(await bytesOf(source.slice(0, START)), name);
}

/** The time of the last record, as the lines of all objects tell it. */
function lastOf(log: Log): string | undefined {
  let last: string | undefined;
  for (const line of log.objects({ as_of: LATEST })) {
    if (line.last_at !== null && (last === undefined || Date.parse(line.last_at) > Date.parse(last))) last = line.last_at;
  }
  return last;
}

/** Lets messages in that came in the meantime. */
function pause(): Promise<void> {
  return new Promise((next) => setTimeout(next));
}

function superseded(): Refusal {
  return new Refusal({ code: "superseded", message: "a newer question took its place" });
}

function unreadable(error: unknown): Refusal {
  return new Refusal({ code: "unreadable", message: `the file cannot be read: ${messageOf(error)}; it may have been changed or moved since it was chosen` });
}

function failureOf(error: unknown): Failure {
  if (error instanceof Refusal) return error.failure;
  const code = error instanceof Error && "code" in error ? String(error.code) : "failed";
  return { code, message: messageOf(error) };
}
