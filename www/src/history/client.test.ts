import { expect, test, vi } from "vitest";
import { failureOf, HistoryClient, HistoryError, type WorkerLike } from "./client";
import type { FromWorker, Progress, ToWorker } from "./messages";
import { EVERYTHING } from "./messages";

/** A worker that answers when the test says so. */
class Fake implements WorkerLike {
  heard: ToWorker[] = [];
  isEnded = false;
  onmessage: ((event: { data: FromWorker }) => void) | null = null;
  onerror: ((event: { message?: string }) => void) | null = null;
  postMessage(message: ToWorker): void {
    this.heard.push(message);
  }
  terminate(): void {
    this.isEnded = true;
  }
  say(data: FromWorker): void {
    this.onmessage?.({ data });
  }
  id(at: number): number {
    const message = this.heard[at]!;
    return "id" in message ? message.id : -1;
  }
}

function made(): { client: HistoryClient; workers: Fake[] } {
  const workers: Fake[] = [];
  const client = new HistoryClient(() => {
    const worker = new Fake();
    workers.push(worker);
    return worker;
  });
  return { client, workers };
}

const open = { definition: "{}", guards: {}, source: new Blob([]), format: null, name: null, read: {}, asked: EVERYTHING };
const codeOf = (promise: Promise<unknown>): Promise<string> => promise.then(() => "answered", (error: HistoryError) => error.code);

test("an answer comes to who asked, with the progress before it", async () => {
  const { client, workers } = made();
  const progress: Progress[] = [];
  const answer = client.ask("open", open, (one) => progress.push(one));
  const [worker] = workers;
  worker!.say({ id: worker!.id(0), progress: { phase: "reading", bytes: 1, total: 2, used: 3, refused: 0 } });
  worker!.say({ id: worker!.id(0), answer: { took: 1 } as never });
  expect(await answer).toEqual({ took: 1 });
  expect(progress).toHaveLength(1);
});

test("a newer question of the same kind takes the place of the older, whose answer is dropped", async () => {
  const { client, workers } = made();
  const first = codeOf(client.ask("at", { object_id: "a", time: "1" }));
  const second = client.ask("at", { object_id: "a", time: "2" });
  const other = client.ask("card", { ctx: {} });
  const [worker] = workers;
  worker!.say({ id: worker!.id(0), answer: "stale" as never });
  worker!.say({ id: worker!.id(1), answer: "fresh" as never });
  worker!.say({ id: worker!.id(2), answer: "card" as never });
  expect(await first).toBe("superseded");
  expect(await second).toBe("fresh");
  expect(await other).toBe("card");
  expect(failureOf(await client.ask("at", { object_id: "a", time: "3" }).catch.call(Promise.reject(new HistoryError({ code: "superseded", message: "" })), (error: unknown) => error))).toBeNull();
});

test("opening a log supersedes every question about the one before", async () => {
  const { client } = made();
  const report = codeOf(client.ask("report", { asked: EVERYTHING }));
  void client.ask("open", open).catch(() => undefined);
  expect(await report).toBe("superseded");
});

test("a failure is data with a code", async () => {
  const { client, workers } = made();
  const answer = client.ask("report", { asked: EVERYTHING });
  workers[0]!.say({ id: workers[0]!.id(0), failure: { code: "no-log", message: "no log is open" } });
  const error = await answer.catch((error: unknown) => error);
  expect(failureOf(error)).toEqual({ code: "no-log", message: "no log is open" });
});

test("a worker that hears a stop lives on; one that does not is ended, and the next question starts another", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  try {
    const { client, workers } = made();
    expect(await client.stop()).toBe("idle");
    const heard = codeOf(client.ask("open", open));
    const stopping = client.stop();
    workers[0]!.say({ id: workers[0]!.id(0), failure: { code: "stopped", message: "reading was stopped" } });
    await vi.advanceTimersByTimeAsync(30);
    expect([await stopping, await heard, workers[0]!.isEnded]).toEqual(["heard", "stopped", false]);
    const deaf = codeOf(client.ask("report", { asked: EVERYTHING }));
    const ending = client.stop();
    await vi.advanceTimersByTimeAsync(1000);
    expect([await ending, await deaf, workers[0]!.isEnded]).toEqual(["ended", "stopped", true]);
    void client.ask("open", open).catch(() => undefined);
    expect(workers).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});

test("a worker that breaks refuses what was asked, and the next question starts another", async () => {
  const { client, workers } = made();
  const answer = codeOf(client.ask("open", open));
  workers[0]!.onerror?.({ message: "no such file" });
  expect(await answer).toBe("worker-failed");
  void client.ask("open", open).catch(() => undefined);
  expect(workers).toHaveLength(2);
});

test("closing ends the worker", async () => {
  const { client, workers } = made();
  const answer = codeOf(client.ask("open", open));
  client.close();
  expect([await answer, workers[0]!.isEnded]).toEqual(["superseded", true]);
});
