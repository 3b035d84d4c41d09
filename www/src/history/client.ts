/** The page's side of the worker: questions as promises, one of a kind at a time. An answer that nobody waits for any more is dropped. */
import type { Answers, Failure, FromWorker, Kind, Progress, Requests, ToWorker } from "./messages";

/** What this needs of a `Worker`. */
export interface WorkerLike {
  postMessage(message: ToWorker): void;
  terminate(): void;
  onmessage: ((event: { data: FromWorker }) => void) | null;
  onerror: ((event: { message?: string }) => void) | null;
}

/** A refusal of the worker. `superseded` is no fault: a newer question of the same kind took its place. */
export class HistoryError extends Error {
  override name = "HistoryError";
  constructor(readonly failure: Failure) {
    super(failure.message);
  }

  get code(): string {
    return this.failure.code;
  }
}

interface Waiting {
  id: number;
  kind: Kind;
  resolve(answer: Answers[Kind]): void;
  reject(error: HistoryError): void;
  onProgress: ((progress: Progress) => void) | undefined;
}

/** Milliseconds that a worker has to stop by itself. One that reckons hears nothing: it is ended. */
const GRACE = 400;

export class HistoryClient {
  #make: () => WorkerLike;
  #worker: WorkerLike | null = null;
  #waiting = new Map<Kind, Waiting>();
  #count = 0;

  constructor(make: () => WorkerLike = start) {
    this.#make = make;
  }

  /** Asks. What was asked before of the same kind is superseded; a log that is opened supersedes everything. */
  ask<K extends Kind>(kind: K, request: Requests[K], onProgress?: (progress: Progress) => void): Promise<Answers[K]> {
    if (kind === "open") this.#rejectAll("superseded", "another log was opened");
    else this.#reject(kind, "superseded", "a newer question took its place");
    const worker = this.#started();
    const id = ++this.#count;
    return new Promise<Answers[K]>((resolve, reject) => {
      this.#waiting.set(kind, { id, kind, resolve: resolve as (answer: Answers[Kind]) => void, reject, onProgress });
      worker.postMessage({ id, kind, request } as ToWorker);
    });
  }

  /** Stops what is going on. `ended`: the worker did not hear, since it was reckoning; the log is gone with it. */
  async stop(): Promise<"idle" | "heard" | "ended"> {
    const worker = this.#worker;
    if (!worker || this.#waiting.size === 0) return "idle";
    worker.postMessage({ kind: "stop" });
    const until = performance.now() + GRACE;
    while (this.#waiting.size > 0 && performance.now() < until) await new Promise((next) => setTimeout(next, 20));
    if (this.#waiting.size === 0 || this.#worker !== worker) return "heard";
    this.#end("stopped", "it was stopped");
    return "ended";
  }

  /** Lets go of the worker, the log and the source. */
  close(): void {
    this.#worker?.postMessage({ kind: "close" });
    this.#end("superseded", "the log was closed");
  }

  #started(): WorkerLike {
    if (this.#worker) return this.#worker;
    const worker = this.#make();
    worker.onmessage = ({ data }) => this.#hear(data);
    worker.onerror = ({ message }) => {
      if (this.#worker === worker) this.#end("worker-failed", message ?? "the worker that reads histories could not be loaded");
    };
    this.#worker = worker;
    return worker;
  }

  #hear(data: FromWorker): void {
    const waiting = [...this.#waiting.values()].find((one) => one.id === data.id);
    if (!waiting) return;
    if ("progress" in data) {
      waiting.onProgress?.(data.progress);
      return;
    }
    this.#waiting.delete(waiting.kind);
    if ("answer" in data) waiting.resolve(data.answer);
    else waiting.reject(new HistoryError(data.failure));
  }

  #end(code: string, message: string): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#rejectAll(code, message);
  }

  #rejectAll(code: string, message: string): void {
    for (const kind of [...this.#waiting.keys()]) this.#reject(kind, code, message);
  }

  #reject(kind: Kind, code: string, message: string): void {
    const waiting = this.#waiting.get(kind);
    this.#waiting.delete(kind);
    waiting?.reject(new HistoryError({ code, message }));
  }
}

function start(): WorkerLike {
  return new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }) as WorkerLike;
}

/** What a failed question says; nothing where only a newer one took its place. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof HistoryError) return error.code === "superseded" ? null : error.failure;
  return { code: "failed", message: error instanceof Error ? error.message : String(error) };
}
