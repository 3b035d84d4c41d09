/** The example histories are what their generator makes, and small. `npm run histories` writes them anew. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { initSync, Machine } from "veristate";
import { beforeAll, describe, expect, test } from "vitest";
import type { Fault } from "../../scripts/faults.ts";
import { linesOf, makeHistory, NOW } from "../../scripts/histories.ts";
import { PLANS } from "../../scripts/plans.ts";

const place = (name: string): string => new URL(`./${name}`, import.meta.url).pathname;
const LARGEST = 60_000;

beforeAll(() => {
  initSync({ module: readFileSync(new URL("../../node_modules/veristate/veristate_bg.wasm", import.meta.url)) });
});

/** What each kind of fault must be found as, at the last of its rows, and what the nearest explanation is. */
const FINDINGS: Record<Fault["kind"], { codes: string[]; explanation?: string }> = {
  missing_row: { codes: ["sequence-skips", "chain-gap"], explanation: "missing_rows" },
  doubled_row: { codes: ["sequence-repeats", "chain-gap", "repeated-request"], explanation: "doubled_row" },
  swapped_rows: { codes: ["time-runs-back"], explanation: "swapped_rows" },
  time_runs_back: { codes: ["time-runs-back"] },
  missing_creation: { codes: ["missing-creation"] },
  evidence_missing: { codes: ["evidence-missing"] },
  after_terminal: { codes: ["after-terminal"] },
  unknown_state: { codes: ["unknown-state"] },
};

describe.each(PLANS)("$id", (plan) => {
  const file = place(`${plan.id}.history.jsonl`);
  const list = place(`${plan.id}.faults.json`);

  test("is current, and small", () => {
    const machine = new Machine(readFileSync(place(`${plan.id}.definition.json`), "utf8"));
    for (const guard of machine.hostGuards()) machine.registerGuard(guard, () => true);
    const { rows, faults } = makeHistory(machine, plan);
    machine.free();
    const [text, listed] = [linesOf(rows), `${JSON.stringify(faults, null, 2)}\n`];
    if (process.env.WRITE_HISTORIES) {
      writeFileSync(file, text);
      writeFileSync(list, listed);
    }
    expect(existsSync(file) && readFileSync(file, "utf8") === text, `${plan.id}.history.jsonl is current: npm run histories`).toBe(true);
    expect(readFileSync(list, "utf8")).toBe(listed);
    expect(gzipSync(text).length).toBeLessThan(LARGEST);
    expect(rows.length).toBeGreaterThan(850);
    expect(rows.length).toBeLessThan(1_700);
    expect(new Set(rows.map((row) => row.object_id)).size).toBe(200);
  }, 60_000);

  test("the package finds what was broken by hand, and nothing else", () => {
    const machine = new Machine(readFileSync(place(`${plan.id}.definition.json`), "utf8"));
    const text = readFileSync(file, "utf8");
    const log = machine.log();
    expect(log.read(text, "json_lines").summary).toMatchObject({ refused: 0 });
    const report = log.report({ as_of: NOW });
    const faults = JSON.parse(readFileSync(list, "utf8")) as Fault[];
    const broken = new Set(faults.map((one) => one.object_id));
    expect(report.violations.listed.filter((one) => !broken.has(one.object_id))).toEqual([]);
    for (const { kind, object_id, rows } of faults) {
      const own = text.split("\n").flatMap((line, index) => (line.includes(`"object_id":"${object_id}"`) ? [{ ...JSON.parse(line), row: index + 1 }] : []));
      const found = machine.history(own, { now: NOW }).violations();
      const { codes, explanation } = FINDINGS[kind];
      for (const code of codes) expect(found, `${kind} of ${object_id}`).toContainEqual(expect.objectContaining({ code, row: rows.at(-1) }));
      if (explanation) expect(found.map((one) => one.explanation?.kind), `${kind} of ${object_id}`).toContain(explanation);
    }
    expect(report.stuck.by_code).toMatchObject({ overdue: 1 });
    log.free();
    machine.free();
  });
});
