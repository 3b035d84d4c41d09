/** The examples, asked of the package itself: they are what they should be, and three impossible rows are refused. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { check, initSync, Machine, type Context, type Snapshot } from "veristate";

const EXAMPLES = new URL("../src/examples/", import.meta.url);
const WASM = new URL("../../web/pkg/veristate_bg.wasm", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, EXAMPLES), "utf8");
const files = readdirSync(EXAMPLES).filter((name) => name.endsWith(".definition.json"));

test.beforeAll(() => {
  initSync({ module: readFileSync(WASM) });
});

test("the examples have no errors and no warnings", () => {
  const found = files.flatMap((name) => check(read(name)).filter((one) => one.severity !== "info").map((one) => `${name}: ${one.message}`));
  expect(files.length).toBe(5);
  expect(found).toEqual([]);
});

test("the guards of the examples are data, and one is the host's", () => {
  const host = files.flatMap((name) => new Machine(read(name)).hostGuards());
  expect(host).toEqual(["change_is_approved"]);
});

test.describe("impossible rows of the job queue", () => {
  const ctx: Context = { timestamp: "2026-03-02T10:00:00Z", actor_id: "worker", permissions: ["job.work"], config: { max_attempts: 3 } };
  const started = "2026-03-02T09:00:00Z";
  const full = { attempts: 0, pages: 3, pages_done: 3, started_at: started, finished_at: started, error: "out of memory" };
  const rows = [
    { state: "done", from: "running", action: "finish", field: "finished_at", condition: "has_finished" },
    { state: "failed", from: "running", action: "fail", field: "error", condition: "has_error" },
    { state: "running", from: "queued", action: "claim", field: "started_at", condition: "has_started" },
  ] as const;

  function at(machine: Machine, state: string, object: object): Snapshot {
    const created = machine.start({ object_id: "job-1", object: full }, { ...ctx, timestamp: started });
    if (created.outcome !== "accepted") throw new Error("the job was not created");
    return { ...created.snapshot, object, states: [state], entered_at: { [state]: started } };
  }

  for (const { state, from, action, field, condition } of rows) {
    for (const [how, without] of [
      ["without", Object.fromEntries(Object.entries(full).filter(([name]) => name !== field))],
      ["with an empty", { ...full, [field]: null }],
    ] as const) {
      test(`${state} ${how} ${field}`, () => {
        const machine = new Machine(read("job-queue.definition.json"));
        // The row as it stands in a table.
        const broken = machine.checkObject(at(machine, state, without), ctx);
        expect(broken.map((one) => one.condition)).toEqual([condition]);
        expect(broken[0]?.message).toContain("needs");
        // The step that would write it.
        const refused = machine.decide(at(machine, from, full), action, ctx, { object: without });
        expect(refused).toMatchObject({ outcome: "refused", reasons: [{ condition }] });
        expect(machine.checkObject(at(machine, state, full), ctx)).toEqual([]);
        expect(machine.decide(at(machine, from, full), action, ctx, { object: full }).outcome).toBe("accepted");
      });
    }
  }
});
