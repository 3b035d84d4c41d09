/** The worker's side with the real package. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import init from "veristate";
import { beforeAll, expect, test } from "vitest";
import { Engine } from "./engine";
import { EVERYTHING, type Answers, type Failure, type FromWorker, type Kind, type OpenRequest, type Progress, type Requests } from "./messages";

const definition = JSON.stringify({
  object_type: "door",
  initial_state: "Closed",
  states: [{ name: "Closed", is_initial: true }, { name: "Open" }, { name: "Gone", is_terminal: true }],
  transitions: [
    { name: "open", action: "open", from_state: "Closed", to_state: "Open" },
    { name: "close", action: "close", from_state: "Open", to_state: "Closed" },
    { name: "remove", action: "remove", from_state: "Closed", to_state: "Gone" },
  ],
});
const rows = [
  "object_id,sequence,from_state,to_state,action,timestamp",
  "a,1,,Closed,,2026-03-02T09:00:00Z",
  "b,1,,Closed,,2026-03-02T09:30:00Z",
  "a,2,Closed,Open,open,2026-03-02T10:00:00Z",
  "a,3,Open,Closed,close,2026-03-02T12:00:00Z",
  "b,2,Open,Closed,close,2026-03-02T12:00:00Z",
  "b,3,Closed,Open,open,yesterday",
];
const asked = { ...EVERYTHING, as_of: "2026-03-02T13:00:00Z" };
const request = (text: string, change: Partial<OpenRequest> = {}): OpenRequest => ({ definition, guards: {}, source: new Blob([text]), format: null, name: "doors.csv", read: {}, asked, ...change });

beforeAll(async () => {
  const path = createRequire(import.meta.url).resolve("veristate").replace(/[^/]+$/, "veristate_bg.wasm");
  await init({ module_or_path: readFileSync(path) });
});

class Talk {
  said: FromWorker[] = [];
  engine = new Engine((message) => this.said.push(message));
  #count = 0;

  async ask<K extends Kind>(kind: K, request: Requests[K]): Promise<Answers[K] | Failure> {
    const id = ++this.#count;
    await this.engine.hear({ id, kind, request } as Parameters<Engine["hear"]>[0]);
    const last = this.said.find((one) => one.id === id && !("progress" in one))!;
    return "answer" in last ? (last.answer as Answers[K]) : (last as { failure: Failure }).failure;
  }

  get progress(): Progress[] {
    return this.said.flatMap((one) => ("progress" in one ? [one.progress] : []));
  }
}

test("a log is read, reported on, and asked for one object and a time", async () => {
  const talk = new Talk();
  const opened = (await talk.ask("open", request(rows.join("\n")))) as Answers["open"];
  expect(opened.format).toBe("csv");
  expect(opened.read.summary).toMatchObject({ rows: 6, used: 5, refused: 1 });
  expect(opened.read.refused[0]).toMatchObject({ row: 6, code: "invalid-time" });
  expect(opened.report).toMatchObject({ objects: 2, records: 5 });
  expect(opened.objects.ids).toEqual(["a", "b"]);
  expect(talk.progress.at(-1)).toMatchObject({ phase: "reckoning", used: 5, refused: 1 });

  const object = (await talk.ask("object", { object_id: "b", ctx: {} })) as Answers["object"];
  expect(object.rows.map((row) => row.row)).toEqual([2, 5]);
  expect(object.violations.map((one) => one.code)).toEqual(["chain-gap"]);
  expect(object.card.states.map((one) => one.state)).toEqual(["Closed"]);

  const moment = (await talk.ask("at", { object_id: "b", time: "2026-03-02T11:00:00Z" })) as Answers["at"];
  expect(moment.state).toMatchObject({ status: "uncertain", row: 2 });
  expect(await talk.ask("at", { object_id: "a", time: "2026-03-02T11:00:00Z" })).toMatchObject({ code: "no-object" });
});

test("another time is asked without reading again, and another definition judges the same records", async () => {
  const talk = new Talk();
  await talk.ask("open", request(rows.join("\n")));
  const before = (await talk.ask("report", { asked: { ...asked, as_of: "2026-03-02T11:00:00Z" } })) as Answers["report"];
  expect(before.report.states.find((one) => one.state === "Open")?.objects).toBe(1);
  const other = (await talk.ask("use", { definition: definition.replaceAll("Closed", "Shut"), guards: {}, asked })) as Answers["use"];
  expect(other.report.violations.by_code["unknown-state"]).toBeGreaterThan(0);
});

test("where chunks end changes nothing", async () => {
  const talk = new Talk();
  const text = rows.join("\n");
  const whole = (await talk.ask("open", request(text))) as Answers["open"];
  const source = new Blob([...text].map((letter) => letter));
  const parts = (await talk.ask("open", request(text, { source }))) as Answers["open"];
  expect(parts.report).toEqual(whole.report);
});

test("errors are data with a code", async () => {
  const talk = new Talk();
  expect(await talk.ask("report", { asked })).toMatchObject({ code: "no-log" });
  expect(await talk.ask("open", request("", { definition: "{}" }))).toMatchObject({ code: "invalid-definition" });
  expect(await talk.ask("open", request("", { read: { offset: "noon" } }))).toMatchObject({ code: "invalid-argument" });
});

test("reading can be stopped; the log that was open stays", { timeout: 30_000 }, async () => {
  const talk = new Talk();
  await talk.ask("open", request(rows.join("\n")));
  const line = `${rows[1]}\n`;
  const big = new Blob([`${rows[0]}\n`, ...Array.from({ length: 40 }, () => line.repeat(20_000))]);
  const reading = talk.ask("open", request("", { source: big }));
  await new Promise((next) => setTimeout(next, 60));
  await talk.engine.hear({ kind: "stop" });
  expect(await reading).toMatchObject({ code: "stopped" });
  expect(((await talk.ask("report", { asked })) as Answers["report"]).report.objects).toBe(2);
});
