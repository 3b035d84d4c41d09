/** States inside states, as far as a drawing is concerned. What they mean is the package's to know. */
import type { StateOutline } from "./core";

/** Above this many states a drawing starts with the outer ones only. */
export const MANY = 120;

export function composites(outline: readonly StateOutline[]): StateOutline[] {
  return outline.filter((one) => one.shape === "compound" || one.shape === "parallel");
}

/** The states to draw as one box: the chosen ones, or in a large definition all that are not inside of others. */
export function folded(outline: readonly StateOutline[], chosen: readonly string[] | null): string[] {
  const possible = composites(outline);
  const wanted = chosen && new Set(chosen);
  if (wanted) return possible.map((one) => one.path).filter((path) => wanted.has(path));
  return outline.length > MANY ? possible.filter((one) => one.parent === null).map((one) => one.path) : [];
}

/** The states that a drawing shows: those that are not inside of a box. */
export function shown(outline: readonly StateOutline[], collapsed: readonly string[]): StateOutline[] {
  const closed = new Set(collapsed);
  const hidden = new Set<string>();
  return outline.filter(({ path, parent }) => {
    if (parent !== null && (closed.has(parent) || hidden.has(parent))) hidden.add(path);
    return !hidden.has(path);
  });
}

/** How many states are around each, by path. */
export function depths(outline: readonly StateOutline[]): Map<string, number> {
  const all = new Map<string, number>();
  for (const { path, parent } of outline) all.set(path, parent === null ? 0 : (all.get(parent) ?? 0) + 1);
  return all;
}
