/**
 * Plays a document's entries on a machine, one frame after each. The machine
 * decides; this file only carries what it says from one frame to the next.
 */
import { messageOf, type Context, type Decision, type Machine, type Snapshot, type TraceStep } from "./core";
import { SETTINGS, systemActor, type Content, type Entry, type GuardValue } from "./document";

export interface Frame {
  /** Absent in the first frame, which is the creation. */
  entry: Entry | null;
  steps: TraceStep[];
  /** The creation, in the first frame. */
  created: Decision | null;
  /** What went wrong, when the package could not play the entry at all. */
  problem: string | null;
  snapshot: Snapshot | null;
  ctx: Context;
  guards: Record<string, GuardValue>;
}

/** What a guard's switch says. Names come from strangers, so `constructor` must not find anything. */
export function guardValue(guards: Record<string, GuardValue>, name: string): GuardValue {
  return Object.hasOwn(guards, name) ? (guards[name] ?? "unknown") : "unknown";
}

const UNKNOWN = "switched to unknown";

/** The package's words, without what comes only from how this page plays: a guard that throws, a script of one line. */
export function plain(message: string): string {
  return message
    .replaceAll(`gave no answer: it threw: ${UNKNOWN}`, `gives no answer: ${UNKNOWN}`)
    .replaceAll(`it threw: ${UNKNOWN}`, `no answer: ${UNKNOWN}`)
    .replace(/^(line 0 of the )?`?script`?: (.*) \(at `?\/0\/([^)`]*)`?\)$/s, (_all, _line, words: string, pointer: string) => `\`${pointer.replaceAll("/", ".")}\`: ${words}`)
    .replace(/^(line 0 of the )?`?script`?: /, "");
}

/** Gives the host's guards to a machine. They read `values()` whenever they are asked. */
export function registerGuards(machine: Machine, values: () => Record<string, GuardValue>): void {
  for (const name of machine.hostGuards()) {
    machine.registerGuard(name, () => {
      const value = guardValue(values(), name);
      if (value === "unknown") throw new Error(UNKNOWN);
      return value === "true";
    });
  }
}


export function firstFrame(machine: Machine, content: Content, guards: Record<string, GuardValue>): Frame {
  const actor = content.actors.find((one) => one.id === content.actor) ?? systemActor(content);
  const who = { actor_id: actor.id, actor_type: actor.type, permissions: actor.permissions };
  const ctx = { ...content.settings, ...who, timestamp: content.start };
  const frame: Frame = { entry: null, steps: [], created: null, problem: null, snapshot: null, ctx, guards };
  try {
    frame.created = machine.start({ object_id: content.object_id, object: content.object }, ctx);
    if (frame.created.outcome !== "refused") frame.snapshot = frame.created.snapshot;
  } catch (error) {
    frame.problem = plain(messageOf(error));
  }
  return frame;
}

/** The frame after one more entry. `use` makes the guards of the new frame the ones that are asked. */
export function nextFrame(
  machine: Machine,
  content: Content,
  before: Frame,
  entry: Entry,
  use: (guards: Record<string, GuardValue>) => void,
): Frame {
  const guards = entry.do === "guard" ? { ...before.guards, [entry.guard]: entry.value } : before.guards;
  const after: Frame = { ...before, entry, steps: [], created: null, problem: null, guards };
  use(guards);
  if (!before.snapshot) return after;
  try {
    if (entry.do === "place") {
      after.snapshot = placed(machine, before.snapshot, before.ctx, entry.state);
    } else if (entry.do === "continue") {
      after.snapshot = machine.adopt(entry.snapshot);
    } else if (entry.do !== "guard") {
      const trace = machine.simulate(before.snapshot, before.ctx, [scriptOf(content, before.ctx, entry)]);
      after.steps = trace.steps;
      after.snapshot = trace.snapshot;
      after.ctx = trace.ctx;
    }
  } catch (error) {
    after.problem = plain(messageOf(error));
  }
  return after;
}

function scriptOf(content: Content, ctx: Context, entry: Exclude<Entry, { do: "guard" } | { do: "place" } | { do: "continue" }>) {
  switch (entry.do) {
    case "action":
      return { action: entry.action };
    case "advance": {
      const system = systemActor(content);
      return {
        advance: entry.by,
        ctx: { actor_id: system.id, actor_type: system.type, permissions: system.permissions },
      };
    }
    case "clock":
      return { ctx: { ...ctx, timestamp: entry.to } };
    case "settings":
      return { ctx: { ...withoutSettings(ctx), ...entry.settings } };
    case "object":
      return { object: entry.object };
    case "actor": {
      const actor = content.actors.find((one) => one.id === entry.actor);
      return {
        ctx: {
          ...ctx,
          actor_id: entry.actor,
          actor_type: actor?.type ?? ctx.actor_type ?? "human",
          permissions: entry.permissions,
        },
      };
    }
  }
}

function withoutSettings(ctx: Context): Context {
  return Object.fromEntries(Object.entries(ctx).filter(([name]) => !SETTINGS.some((one) => one === name)));
}

/** An object that a link puts into a state; one with states inside begins there, and so do regions beside it. */
function placed(machine: Machine, snapshot: Snapshot, ctx: Context, state: string): Snapshot {
  const at = String(ctx.timestamp);
  const around = new Map(machine.outline().map((one) => [one.path, one.parent]));
  const entered: [string, string][] = [];
  for (let path: string | null | undefined = state; typeof path === "string"; path = around.get(path)) entered.push([path, at]);
  const moved = { ...snapshot, states: [state], entered_at: Object.fromEntries(entered), updated_at: at };
  return machine.adopt(moved);
}
