/** Chooses the direction in which a drawing fills its place best, by asking Graphviz for both. */
import type { Machine } from "../core";
import type { Direction } from "../document";
import { drawDot } from "./dot";
import { dotText, type Shown } from "./labels";

export interface Size {
  width: number;
  height: number;
}

/** Above this many states a second layout costs more than it gives. */
const BOTH_UP_TO = 60;

const kept = new Map<string, string>();

/** Draws DOT, or returns the drawing of the same text from a moment ago. */
export async function drawDotKept(dot: string, signal: AbortSignal): Promise<string> {
  const known = kept.get(dot);
  if (known !== undefined) return known;
  const svg = await drawDot(dot, signal);
  kept.set(dot, svg);
  if (kept.size > 6) kept.delete(kept.keys().next().value!);
  return svg;
}

export async function chooseDirection(
  texts: Record<"LR" | "TB", string>,
  states: number,
  wanted: Direction,
  place: Size,
  signal: AbortSignal,
): Promise<"LR" | "TB"> {
  if (wanted !== "auto") return wanted;
  const guess = place.width > place.height * 1.2 ? "LR" : "TB";
  if (states > BOTH_UP_TO) return guess;
  try {
    const across = scaleIn(await drawDotKept(texts.LR, signal), place);
    const down = scaleIn(await drawDotKept(texts.TB, signal), place);
    return across >= down ? "LR" : "TB";
  } catch {
    return guess;
  }
}

export function dotTexts(machine: Machine, view: Shown): Record<"LR" | "TB", string> {
  return { LR: dotText(machine, "LR", view), TB: dotText(machine, "TB", view) };
}

function scaleIn(svg: string, place: Size): number {
  const size = /<svg width="([\d.]+)pt" height="([\d.]+)pt"/.exec(svg);
  return size ? Math.min(place.width / Number(size[1]), place.height / Number(size[2])) : 0;
}
