/** Draws DOT text with Graphviz in a worker, one drawing at a time, each with a time limit. */

export interface DotQuestion {
  id: number;
  dot: string;
}

export type DotAnswer = { id: number; svg: string } | { id: number; error: string };

export const DOT_LIMIT = 15_000;

let worker: Worker | undefined;
let count = 0;
let tail: Promise<unknown> = Promise.resolve();

/** Starts the worker before the first drawing is asked for. */
export function warmUp(): void {
  if (worker) return;
  const started = new Worker(new URL("./dot.worker.ts", import.meta.url), { type: "module" });
  // One that could not be loaded is not asked; the next drawing tries again.
  started.addEventListener("error", () => {
    if (worker === started) worker = undefined;
  });
  worker = started;
}

export function drawDot(dot: string, signal: AbortSignal): Promise<string> {
  const drawn = tail.then(() => ask(dot, signal));
  tail = drawn.catch(() => undefined);
  return drawn;
}

function ask(dot: string, signal: AbortSignal): Promise<string> {
  if (signal.aborted) return Promise.reject(new DOMException("superseded", "AbortError"));
  warmUp();
  const at = worker!;
  const id = ++count;
  return new Promise((resolve, reject) => {
    const finish = (act: () => void): void => {
      clearTimeout(timer);
      at.removeEventListener("message", onMessage);
      at.removeEventListener("error", onError);
      signal.removeEventListener("abort", onAbort);
      act();
    };
    const stop = (error: Error): void => {
      at.terminate();
      if (worker === at) worker = undefined;
      finish(() => reject(error));
    };
    const onMessage = ({ data }: MessageEvent<DotAnswer>): void => {
      if (data.id !== id) return;
      finish(() => ("svg" in data ? resolve(data.svg) : reject(new Error(data.error))));
    };
    const onError = (): void => stop(new Error("Graphviz could not be loaded"));
    const onAbort = (): void => stop(new DOMException("superseded", "AbortError"));
    const timer = setTimeout(
      () => stop(new Error(`Graphviz was stopped after ${DOT_LIMIT / 1000} seconds`)),
      DOT_LIMIT,
    );
    at.addEventListener("message", onMessage);
    at.addEventListener("error", onError);
    signal.addEventListener("abort", onAbort);
    at.postMessage({ id, dot } satisfies DotQuestion);
  });
}
