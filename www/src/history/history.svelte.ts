/**
 * What the History view knows: the log that is open, what is asked of it, the object that is looked at and the time.
 * It asks the worker, and keeps the answers; an error stays where it belongs.
 */
import { announce } from "../announce.svelte";
import type { Context, Definition, RecordFormat, ReadOptions } from "../core";
import { failureOf, HistoryClient } from "./client";
import { counted } from "./duration";
import { timesOf } from "./lanes";
import { EVERYTHING, type Asked, type Failure, type Moment, type ObjectHistory, type Opened, type Progress, type Reported, type Rules } from "./messages";
import { indexAt, momentsOf, type Moment as Instant } from "./moments";
import { Names } from "./names";
import { ALL, rowsOf, type Wanted } from "./table";

/** A log to open. */
export interface Source {
  blob: Blob;
  name: string | null;
  /** Null: by the name and the first bytes. */
  format: RecordFormat | null;
  read: Partial<ReadOptions>;
}

export class HistoryStore {
  phase = $state<"empty" | "reading" | "ready" | "failed">("empty");
  progress = $state.raw<Progress | null>(null);
  /** Why the log could not be opened. */
  failure = $state.raw<Failure | null>(null);
  /** How the log was read. */
  read = $state.raw<Pick<Opened, "format" | "read" | "tenants"> | null>(null);
  name = $state<string | null>(null);
  reported = $state.raw<Reported | null>(null);
  isReporting = $state(false);
  reportFailure = $state.raw<Failure | null>(null);
  asked = $state.raw<Asked>(EVERYTHING);
  /** What the table shows. */
  wanted = $state.raw<Wanted>(ALL);
  /** The path of the state that is looked at, in the drawing and in every list. */
  state = $state<string | null>(null);
  /** The id of the object that is looked at. */
  selected = $state<string | null>(null);
  object = $state.raw<ObjectHistory | null>(null);
  isLoading = $state(false);
  objectFailure = $state.raw<Failure | null>(null);
  /** The time that is looked at; null: as of the report. */
  time = $state<string | null>(null);
  moment = $state.raw<Moment | null>(null);
  momentFailure = $state.raw<Failure | null>(null);
  /** The number of the row that is looked at. */
  row = $state<number | null>(null);

  readonly names = $derived(new Names(this.reported?.outline));
  readonly rows = $derived.by(() => {
    const { reported, names } = this;
    return reported ? rowsOf(reported.objects, this.wanted, (leaf, state) => names.isIn(leaf, state)) : new Uint32Array();
  });
  /** The times at which something happens to the object. */
  readonly instants = $derived.by((): Instant[] => {
    const { object } = this;
    return object ? momentsOf(timesOf(object.timeline, object.rows), object.now) : [];
  });

  #client: HistoryClient;
  #rules: Rules = { definition: "", guards: {} };
  #ctx: Context = {};

  constructor(client = new HistoryClient()) {
    this.#client = client;
  }

  /** Reads a log. What was open stays until this one can be asked. */
  async open(source: Source, rules: Rules, ctx: Context, asked: Partial<Asked> = {}): Promise<void> {
    this.#rules = rules;
    this.#ctx = ctx;
    this.asked = { ...EVERYTHING, ...asked };
    this.phase = "reading";
    this.failure = null;
    this.progress = null;
    this.isReporting = false;
    this.isLoading = false;
    const request = { ...rules, source: source.blob, format: source.format, name: source.name, read: source.read, asked: this.asked };
    try {
      const opened = await this.#client.ask("open", request, (progress) => (this.progress = progress));
      const { format, read, tenants, ...reported } = opened;
      this.#leave();
      this.read = { format, read, tenants };
      this.name = source.name;
      this.wanted = ALL;
      this.state = null;
      this.reportFailure = null;
      this.reported = reported;
      this.phase = "ready";
      this.progress = null;
      // The definition may have changed while the log was read.
      if (this.#rules.definition !== rules.definition || JSON.stringify(this.#rules.guards) !== JSON.stringify(rules.guards)) void this.#ask("use", this.asked);
      announce(`The log is read: ${counted(reported.report.objects, "object")}, ${counted(read.summary.used, "row")} used, ${counted(read.summary.refused, "row")} refused`, "quiet");
    } catch (error) {
      const failure = failureOf(error);
      if (!failure) return;
      this.failure = failure;
      this.progress = null;
      this.phase = failure.code === "stopped" && this.reported ? "ready" : "failed";
      if (failure.code === "stopped") announce("Reading was stopped; nothing of that log is shown", "note");
    }
  }

  /** Stops what is going on. */
  async stop(): Promise<void> {
    if ((await this.#client.stop()) !== "ended") return;
    this.close();
    this.failure = { code: "stopped", message: "it was stopped while all records were gone through; open the log again to ask it" };
    this.phase = "failed";
  }

  /** The definition changed: the same records, judged by it. */
  async use(rules: Rules): Promise<void> {
    this.#rules = rules;
    if (this.phase !== "ready") return;
    await this.#ask("use", this.asked);
  }

  /** Asks for another time, window or tenant. */
  async ask(change: Partial<Asked>): Promise<void> {
    await this.#ask("report", { ...this.asked, ...change });
  }

  async #ask(kind: "use" | "report", asked: Asked): Promise<void> {
    this.isReporting = true;
    this.reportFailure = null;
    this.asked = asked;
    try {
      this.reported = kind === "use" ? await this.#client.ask("use", { ...this.#rules, asked }) : await this.#client.ask("report", { asked });
      this.isReporting = false;
      if (this.selected !== null) await this.choose(this.selected);
    } catch (error) {
      const failure = failureOf(error);
      if (failure) this.reportFailure = failure;
      if (failure) this.isReporting = false;
    }
  }

  /** Looks at an object; at null, at none. */
  async choose(id: string | null): Promise<void> {
    if (id === null) {
      this.#leave();
      return;
    }
    const isSame = id === this.selected;
    this.selected = id;
    this.isLoading = true;
    this.objectFailure = null;
    if (!isSame) {
      this.object = null;
      this.moment = null;
      this.time = null;
      this.row = null;
    }
    try {
      const object = await this.#client.ask("object", { object_id: id, ctx: $state.snapshot(this.#ctx) as Context });
      this.object = object;
      this.isLoading = false;
      await this.see(this.time ?? object.now);
    } catch (error) {
      const failure = failureOf(error);
      if (!failure) return;
      this.objectFailure = failure;
      this.isLoading = false;
    }
  }

  /** Looks at a time of the object. */
  async see(time: string): Promise<void> {
    if (!this.object) return;
    this.time = time;
    this.momentFailure = null;
    try {
      const moment = await this.#client.ask("at", { object_id: this.object.object_id, time });
      this.moment = moment;
      this.row = moment.state.row;
    } catch (error) {
      this.momentFailure = failureOf(error);
    }
  }

  /** Goes to the next or the previous time at which something happens. */
  async step(by: 1 | -1): Promise<void> {
    const { instants, time } = this;
    if (instants.length === 0 || time === null) return;
    const here = indexAt(instants, time);
    const isBetween = instants[here]?.text !== time && Date.parse(time) > (instants[here]?.at ?? 0);
    const next = instants[Math.min(instants.length - 1, Math.max(0, here + (by < 0 && isBetween ? 0 : by)))];
    if (next) await this.see(next.text);
  }

  /** Somebody else asks. */
  async as(ctx: Context): Promise<void> {
    this.#ctx = ctx;
    if (!this.object) return;
    const { object } = this;
    try {
      const card = await this.#client.ask("card", { ctx: $state.snapshot(ctx) as Context });
      if (this.object === object) this.object = { ...object, card };
    } catch (error) {
      this.objectFailure = failureOf(error);
    }
  }

  /** A definition that fits the log. */
  discover(object_type: string): Promise<Definition> {
    return this.#client.ask("discover", { object_type });
  }

  close(): void {
    this.#client.close();
    this.#leave();
    this.reported = null;
    this.isReporting = false;
    this.reportFailure = null;
    this.read = null;
    this.progress = null;
    this.failure = null;
    this.phase = "empty";
  }

  #leave(): void {
    this.selected = null;
    this.object = null;
    this.isLoading = false;
    this.objectFailure = null;
    this.moment = null;
    this.momentFailure = null;
    this.time = null;
    this.row = null;
  }
}
