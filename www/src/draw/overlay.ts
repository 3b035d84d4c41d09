/** What a view of histories shows on the drawing: where an object was, how hot states are, how busy arrows. */
import type { Edge, Heat, Traffic } from "../core";

export interface Overlay {
  /** Paths of the active leaves. */
  active: readonly string[];
  /** Paths of states that were visited before. */
  visited: readonly string[];
  /** Whether it is sure that the object was there. */
  isSure: boolean;
  heat: readonly Heat[];
  taken: readonly Taken[];
}

/** How often a transition was taken. */
export interface Taken {
  /** Where it stands in the definition. */
  pointer: string;
  /** The states that it leads out of, and to. */
  from: readonly string[];
  to: readonly string[];
  count: number;
}

/** Whether what is measured is shown, and which measure. Kept while the page is open. */
export interface HeatChoice {
  on: boolean;
  measure: string;
  measures: Record<string, string>;
}

/**
 * The traffic of the arrows of a drawing, by their position. Where states are drawn as one box, what leads out of any of
 * them is counted together. `isIn`: whether a state is another one, or inside of it.
 */
export function trafficOn(edges: readonly Edge[], taken: readonly Taken[], isIn: (path: string, around: string) => boolean): (Traffic | null)[] {
  const byPointer = new Map<string, Taken[]>();
  for (const one of taken) byPointer.set(one.pointer, [...(byPointer.get(one.pointer) ?? []), one]);
  const fits = (paths: readonly string[], path: string): boolean => paths.length === 0 || paths.some((one) => isIn(one, path) || isIn(path, one));
  const counts = edges.map(({ pointer, from, to }) => {
    const all = (byPointer.get(pointer) ?? []).filter((one) => fits(one.from, from) && fits(one.to, to));
    return all.reduce((sum, one) => sum + one.count, 0);
  });
  const level = levels(counts);
  return edges.map(({ pointer, from, to }, index) => {
    const count = counts[index]!;
    return count === 0 ? null : { transition: pointer, from, to, level: level(count), badge: `×${GROUPED.format(count)}` };
  });
}

const GROUPED = new Intl.NumberFormat("en");

/** By the logarithm, since counts differ by powers of ten: a few busy arrows would make all others alike. */
function levels(counts: readonly number[]): (count: number) => number {
  const most = Math.log(Math.max(2, ...counts));
  return (count) => Math.log(count) / most;
}
