/** The visits of an object in lanes, one for each state that it was in. What each visit is worth is the package's to know. */
import type { StateOutline, Visit } from "../core";
import { millisOf } from "./duration";

export interface Bar {
  visit: Visit;
  /** Milliseconds since 1970. Where the log does not say, the edge of what is drawn. */
  from: number;
  to: number;
  /** The part across a gap, behind the proven one. */
  unsure: { from: number; to: number } | null;
}

export interface Lane {
  state: string;
  /** How many states are around it. */
  depth: number;
  bars: Bar[];
}

/** Every time that a timeline and its rows tell. */
export function timesOf(timeline: readonly Visit[], rows: readonly { timestamp: string }[]): (string | null)[] {
  return [...rows.map((row) => row.timestamp), ...timeline.flatMap((visit) => [visit.entered_at, visit.exited_at])];
}

/** Lanes in the order of the definition; names that it does not have stand last. */
export function lanesOf(timeline: readonly Visit[], outline: readonly StateOutline[], start: number, end: number): Lane[] {
  const byState = new Map<string, Visit[]>();
  for (const visit of timeline) {
    const known = byState.get(visit.state);
    if (known) known.push(visit);
    else byState.set(visit.state, [visit]);
  }
  const known = outline.map((one) => one.path).filter((path) => byState.has(path));
  const foreign = [...byState.keys()].filter((path) => !known.includes(path));
  const places = new Map(outline.map((one) => [one.path, one]));
  const depth = (path: string): number => {
    let [count, at] = [0, places.get(path)?.parent ?? null];
    while (at !== null) [count, at] = [count + 1, places.get(at)?.parent ?? null];
    return count;
  };
  return [...known, ...foreign].map((state) => ({ state, depth: depth(state), bars: byState.get(state)!.map((visit) => barOf(visit, start, end)) }));
}

function barOf(visit: Visit, start: number, end: number): Bar {
  const entered = visit.entered_at === null ? null : Date.parse(visit.entered_at);
  const exited = visit.exited_at === null ? null : Date.parse(visit.exited_at);
  const across = visit.uncertain === null ? 0 : millisOf(visit.uncertain);
  const known = visit.duration === null ? 0 : millisOf(visit.duration);
  if (visit.status === "uncertain" && entered !== null) {
    // The proven part ends before the gap.
    const proven = entered + known;
    return { visit, from: entered, to: proven, unsure: { from: proven, to: proven + across } };
  }
  if (visit.status === "uncertain") {
    const until = exited ?? end;
    return { visit, from: until, to: until, unsure: { from: Math.max(start, until - across), to: until } };
  }
  const from = entered ?? start;
  return { visit, from, to: Math.max(from, exited ?? end), unsure: null };
}

export const STATUSES = {
  closed: { sign: "", word: "from entry to exit" },
  open: { sign: "▸", word: "still there" },
  uncertain: { sign: "?", word: "next to a gap in the log" },
  censored: { sign: "‹", word: "began before the first record" },
  disordered: { sign: "⇄", word: "its times contradict their order" },
} as const;

/** One visit in a sentence, as tables and screen readers say it. */
export function wordsOf(visit: Visit): string {
  return STATUSES[visit.status].word;
}
