/** What was measured, as the drawing takes it: levels from 0 to 1, and a badge that says the number. */
import type { Heat, LogReport, Traffic } from "../core";
import { grouped, millisOf, readable } from "./duration";

export interface Warmth {
  heat: Heat[];
  traffic: Traffic[];
}

export type Measure = "mean" | "p50" | "p90" | "objects";

export const MEASURES: Record<Measure, string> = { mean: "mean", p50: "median", p90: "90th percentile", objects: "objects there" };

export function warmthOf(report: LogReport, measure: Measure): Warmth {
  const known = report.states.filter((one) => one.is_known);
  const heat = known.flatMap((one): { state: string; value: number; badge: string }[] => {
    if (measure === "objects") return one.objects === 0 ? [] : [{ state: one.state, value: one.objects, badge: `${grouped(one.objects)} here` }];
    // Where no visit has ended, nothing has been measured.
    if (one.closed === null) return [];
    const duration = one.closed[measure];
    return [{ state: one.state, value: millisOf(duration), badge: `${MEASURES[measure]} ${readable(duration)}` }];
  });
  const taken = report.transitions.flatMap((one) =>
    one.transition === null ? [] : [{ transition: one.pointer ?? one.transition, from: one.from[0], value: one.count, badge: `×${grouped(one.count)}` }],
  );
  const level = levels(heat.map((one) => one.value));
  const width = levels(taken.map((one) => one.value));
  return {
    heat: heat.map(({ state, value, badge }) => ({ state, level: level(value), badge })),
    traffic: taken.map(({ transition, from, value, badge }) => ({ transition, ...(from === undefined ? {} : { from }), level: width(value), badge })),
  };
}

/** By the logarithm: durations and counts differ by powers of ten, and the largest would leave all others cold. */
function levels(values: readonly number[]): (value: number) => number {
  const positive = values.filter((value) => value > 0);
  const [least, most] = [Math.log(Math.min(...positive)), Math.log(Math.max(...positive))];
  return (value) => (value <= 0 ? 0 : most === least ? 1 : (Math.log(value) - least) / (most - least));
}
