/** A stacked area of counts over time, as paths of SVG. */
import type { Buckets } from "../core";

export interface Layer {
  /** The path of the state; null: objects whose log has a gap there. */
  state: string | null;
  counts: readonly number[];
  /** The `d` of a path, in the box that was asked for. */
  path: string;
  /** Where it is thickest, to write its name there. */
  label: { x: number; y: number; room: number } | null;
}

/** Layers from the bottom up, in a box of so many pixels. Buckets are steps: what is counted holds at the end of each. */
export function stackOf(buckets: Buckets, width: number, height: number): { layers: Layer[]; most: number } {
  const count = buckets.starts.length;
  const all: { state: string | null; counts: readonly number[] }[] = buckets.states.map(({ state, objects }) => ({ state, counts: objects }));
  if (buckets.uncertain.some((one) => one > 0)) all.push({ state: null, counts: buckets.uncertain });
  const sums = buckets.starts.map((_, at) => all.reduce((sum, layer) => sum + (layer.counts[at] ?? 0), 0));
  const most = Math.max(1, ...sums);
  const below = new Array<number>(count).fill(0);
  const step = count === 0 ? 0 : width / count;
  const y = (value: number): string => (height - (value / most) * height).toFixed(1);
  const layers = all.map(({ state, counts }): Layer => {
    const lower = [...below];
    const upper = lower.map((value, at) => value + (counts[at] ?? 0));
    upper.forEach((value, at) => (below[at] = value));
    const over = upper.map((value, at) => `${(at * step).toFixed(1)},${y(value)} ${((at + 1) * step).toFixed(1)},${y(value)}`);
    const back = lower.map((value, at) => `${((at + 1) * step).toFixed(1)},${y(value)} ${(at * step).toFixed(1)},${y(value)}`).reverse();
    return { state, counts, path: count === 0 ? "" : `M${over.join(" L")} L${back.join(" L")}Z`, label: labelOf(counts, lower, most, step, height) };
  });
  return { layers, most };
}

function labelOf(counts: readonly number[], lower: readonly number[], most: number, step: number, height: number): Layer["label"] {
  const thickest = counts.reduce((best, value, at) => (value > (counts[best] ?? 0) ? at : best), 0);
  const value = counts[thickest] ?? 0;
  const room = (value / most) * height;
  if (room < 13) return null;
  return { x: (thickest + 0.5) * step, y: height - (((lower[thickest] ?? 0) + value / 2) / most) * height, room };
}
