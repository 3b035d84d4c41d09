/**
 * Makes the histories of the examples: records that the package itself decided, of 200 objects each over four
 * weeks, and then some that are broken by hand, each on purpose. The same on every machine: a fixed seed, no clock.
 *
 * `npm run histories` writes them; a test keeps the files current.
 */
import type { Context, HistoryRecord, Machine, Snapshot } from "veristate";
import { Random } from "./random.ts";
import { breakRows, type Fault, type Fixes } from "./faults.ts";

export type Row = Partial<HistoryRecord> & { object_id: string; sequence: number; timestamp: string; to_states: string[] };

/** How an action comes about. */
export interface Habit {
  /** How likely it is among what may be done; by state where it matters. */
  weight: number | Record<string, number>;
  /** Minutes until somebody does it: mostly near the first, seldom near the second. */
  after: [number, number];
  /** Who does it. */
  actor: string;
  /** People work on weekdays from 7 to 18 o'clock; the rest runs day and night. */
  office?: boolean;
  /** In the words of who does it; one of them, now and then. */
  reasons?: string[];
  /** The object's data after it. */
  object?: (data: Record<string, unknown>, random: Random) => Record<string, unknown>;
}

export interface Plan {
  id: string;
  seed: number;
  prefix: string;
  actors: Record<string, { type: string; permissions: string[] }>;
  tenants: string[];
  config: Record<string, unknown>;
  /** The object's data when it is created. */
  object: (number: number, random: Random) => Record<string, unknown>;
  habits: Record<string, Habit>;
  /** States whose objects rest for good, with this probability, each time that one is entered. */
  rests: Record<string, number>;
  /** Actions after which an object is left alone. */
  longest: number;
  /** States in which the first object that comes there is forgotten: its timeouts are not fired. */
  forgotten: string;
  /** States whose records carry the object's data, since they ask for evidence. */
  evidence: readonly string[];
  fixes: Fixes;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** A Monday. */
export const START = Date.parse("2026-02-02T00:00:00Z");
/** What a reader of the histories takes for now. */
export const NOW = "2026-03-02T12:00:00Z";
const END = Date.parse(NOW);
const OBJECTS = 200;
/** Of every hundred objects so many come in a burst of a few minutes. */
const IN_BURSTS = 35;

const iso = (time: number): string => new Date(time).toISOString().replace(".000Z", "Z");

/** The next moment at which people work. */
function inOffice(time: number): number {
  let at = time;
  for (;;) {
    const day = new Date(at).getUTCDay();
    const hour = new Date(at).getUTCHours();
    if (day === 0 || day === 6 || hour >= 18) at = Math.floor(at / DAY) * DAY + DAY + 7 * 60 * MINUTE + (at % (50 * MINUTE));
    else if (hour < 7) at = Math.floor(at / DAY) * DAY + 7 * 60 * MINUTE + (at % (50 * MINUTE));
    else return at;
  }
}

/** The rows of a plan in the order of time, with what was broken in them. */
export function makeHistory(machine: Machine, plan: Plan): { rows: Row[]; faults: Fault[] } {
  const random = new Random(plan.seed);
  const bursts = Array.from({ length: 6 }, (_, index) => inOffice(START + (index * 4 + 1) * DAY + random.below(8 * 60) * MINUTE));
  const histories: Row[][] = [];
  const state: { forgotten: string | null } = { forgotten: null };
  for (let number = 1; number <= OBJECTS; number += 1) {
    const inBurst = random.below(100) < IN_BURSTS;
    const created = inBurst
      ? bursts[random.below(bursts.length)]! + random.below(9 * 60) * 1000
      : inOffice(START + random.below(26 * 24 * 60) * MINUTE + random.below(60) * 1000);
    histories.push(live(machine, plan, random, number, created, state));
  }
  // The one that is stuck has no other fault.
  const faults = breakRows(histories.filter((one) => one[0]!.object_id !== state.forgotten), plan.fixes);
  const rows = histories.flat();
  const order = new Map(rows.map((row, index) => [row, index]));
  rows.sort((one, other) => Date.parse(one.timestamp) - Date.parse(other.timestamp) || order.get(one)! - order.get(other)!);
  const at = new Map(rows.map((row, index) => [row, index + 1]));
  return { rows, faults: faults.map(({ broken, ...fault }) => ({ ...fault, rows: broken.map((row) => at.get(row)!) })) };
}

/** The life of one object: what may be done, chosen by habit, until nothing is left, it rests or now is reached. */
function live(machine: Machine, plan: Plan, random: Random, number: number, created: number, state: { forgotten: string | null }): Row[] {
  const object_id = `${plan.prefix}-${String(1000 + number)}`;
  const tenant_id = plan.tenants[random.below(plan.tenants.length)]!;
  const ctx = (actor: string, time: number): Context => {
    const { type, permissions } = plan.actors[actor]!;
    return { actor_id: actor, actor_type: type, tenant_id, permissions, config: plan.config, timestamp: iso(time) };
  };
  const who = Object.keys(plan.actors)[0]!;
  const start = machine.start({ object_id, object: plan.object(number, random) }, ctx(who, created));
  if (start.outcome !== "accepted") throw new Error(`${object_id} could not be created: ${JSON.stringify(start)}`);
  const rows = [rowOf(plan, start.record, start.snapshot)];
  let { snapshot } = start;
  let time = created;
  const everyone = [...new Set(Object.values(plan.actors).flatMap((one) => one.permissions))];
  for (;;) {
    // Whatever has a deadline goes on: only the one that is forgotten shall be late.
    const isTimed = machine.deadlines(snapshot).some((one) => one.kind === "timeout");
    if (rows.length >= plan.longest && !isTimed) break;
    if (snapshot.states.some((path) => random.below(100) < (plan.rests[path] ?? 0) * 100)) break;
    const may = machine
      .available(snapshot, { ...ctx(who, time), permissions: everyone })
      .flatMap(({ action, from }) => {
        const habit = plan.habits[action];
        const weight = typeof habit?.weight === "number" ? habit.weight : from.reduce((sum, path) => sum + ((habit?.weight as Record<string, number> | undefined)?.[path] ?? 0), 0);
        return habit && weight > 0 ? [{ action, habit, weight }] : [];
      });
    const { action, habit } = random.weighted(may) ?? {};
    if (!habit && !isTimed) break;
    let at = habit ? time + Math.round(random.skewed(...habit.after) * 60) * 1000 : END + 1;
    if (habit?.office) at = inOffice(at);
    // What is due before goes first, unless the object is forgotten.
    const due = machine.due(snapshot, iso(Math.min(at, END))).find((one) => one.kind === "timeout");
    if (due && state.forgotten === null && snapshot.states.includes(plan.forgotten)) {
      state.forgotten = object_id;
      break;
    }
    const by = due || !habit ? "system" : habit.actor;
    if (due) at = Date.parse(due.at) + 30_000;
    if (at > END) break;
    const data = { ...(snapshot.object as Record<string, unknown>) };
    const request = {
      request_id: `${object_id}.${rows.length}`,
      ...(due || !habit?.object ? {} : { object: habit.object(data, random) }),
      ...(due ? { reason: "nobody came in time" } : habit?.reasons && random.below(100) < 60 ? { reason: habit.reasons[random.below(habit.reasons.length)]! } : {}),
    };
    const decision = machine.decide(snapshot, due ? due.action : action!, ctx(by, at), request);
    if (decision.outcome !== "accepted") {
      if (due) break;
      // Refused for its data: later perhaps.
      time = at;
      if (!isTimed && random.below(4) === 0) break;
      continue;
    }
    snapshot = decision.snapshot;
    time = at;
    rows.push(rowOf(plan, decision.record, snapshot));
  }
  return rows;
}

/** A record as a log keeps it: without what says nothing. */
function rowOf(plan: Plan, record: HistoryRecord, snapshot: Snapshot): Row {
  const row = { ...record } as Record<string, unknown>;
  for (const [name, value] of Object.entries(row)) {
    const isNothing = value === null || (typeof value === "object" && Object.keys(value as object).length === 0);
    if (name === "effects" || (isNothing && name !== "from_states")) delete row[name];
  }
  // In a flat machine the states before and after say it.
  if (record.exited.length < 2 && record.entered.length < 2) {
    delete row.exited;
    delete row.entered;
  }
  delete row.object;
  if (record.entered.some((path) => plan.evidence.includes(path))) row.object = snapshot.object;
  return row as Row;
}

/** As JSON lines. */
export function linesOf(rows: readonly Row[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}
