/** The order in which actions are shown. Whether they can be taken is the package's answer. */
import type { Availability, Edge, StateOutline } from "../core";
import { depths } from "../nesting";

const ORDER = { enabled: 0, unknown: 1, disabled: 2 };
/** Answers that say: this action has nothing to do with the present state. */
const ELSEWHERE = new Set(["no-transition", "terminal-state"]);

/** The actions that lead out of the same active states: of one region, of an outer state, or of several regions at once. */
export interface Group {
  from: string[];
  choices: Availability[];
}

export interface Arranged {
  /** All groups, one after the other. */
  here: Availability[];
  groups: Group[];
  elsewhere: Availability[];
}

/**
 * Grouped by where they lead out: inner states before those around them, regions in the order of the document. In a group
 * the ones that may be taken first; among equals in the order in which the definition writes their transitions. Actions
 * that stand in a row already, named in `before`, keep their places: nothing moves under the pointer.
 */
export function arrange(
  all: readonly Availability[],
  edges: readonly Edge[] = [],
  outline: readonly StateOutline[] = [],
  before: readonly string[] = [],
): Arranged {
  const written = new Map<string, number>();
  edges.forEach((edge, index) => {
    const key = keyOf(edge.from, edge.transition);
    if (!written.has(key)) written.set(key, index);
  });
  const place = (choice: Availability): number =>
    Math.min(...choice.transitions.flatMap((name) => choice.from.map((from) => written.get(keyOf(from, name)) ?? Infinity)));
  const isElsewhere = (choice: Availability): boolean =>
    choice.status === "disabled" && choice.reasons.some((reason) => ELSEWHERE.has(reason.code));
  const present = all.filter((choice) => !isElsewhere(choice));
  present.sort((one, other) => ORDER[one.status] - ORDER[other.status] || place(one) - place(other) || 0);
  if (before.length > 0) {
    const stood = new Map(before.map((action, index) => [action, index]));
    present.sort((one, other) => (stood.get(one.action) ?? Infinity) - (stood.get(other.action) ?? Infinity) || 0);
  }
  const groups = grouped(present, outline);
  return { here: groups.flatMap((group) => group.choices), groups, elsewhere: all.filter(isElsewhere) };
}

function keyOf(from: string, transition: string): string {
  return JSON.stringify([from, transition]);
}

function grouped(choices: readonly Availability[], outline: readonly StateOutline[]): Group[] {
  const groups = new Map<string, Group>();
  for (const choice of choices) {
    const key = JSON.stringify(choice.from);
    const group = groups.get(key) ?? { from: choice.from, choices: [] };
    group.choices.push(choice);
    groups.set(key, group);
  }
  if (groups.size < 2) return [...groups.values()];
  const last = lastInside(outline);
  const depth = depths(outline);
  const end = (group: Group): number => Math.max(...group.from.map((path) => last.get(path) ?? Infinity));
  const level = (group: Group): number => Math.max(...group.from.map((path) => depth.get(path) ?? 0));
  return [...groups.values()].sort(
    (one, other) => end(one) - end(other) || level(other) - level(one) || one.from.length - other.from.length,
  );
}

/** By path: the position of the last state inside, or its own. */
function lastInside(outline: readonly StateOutline[]): Map<string, number> {
  const last = new Map(outline.map(({ path }, index) => [path, index]));
  for (const { path, parent } of [...outline].reverse()) {
    if (parent !== null) last.set(parent, Math.max(last.get(parent) ?? 0, last.get(path) ?? 0));
  }
  return last;
}
