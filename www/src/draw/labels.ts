/** What the arrows of both drawings say, so that one transition has one name in them. */
import type { Heat, Machine, Traffic } from "../core";

const OPTIONS = { ids: true, labels: ["display_name", "guard"], states: "display_name" } as const;
/** What of a machine is drawn. */
export interface Shown {
  /** Paths of the states that are drawn as one box. */
  collapsed: string[];
  /** Paths of the states whose neighbourhood alone is drawn; none: all. */
  around: string[];
  /** How hot states are, and how busy arrows. */
  heat?: Heat[];
  traffic?: Traffic[];
}

/** Characters of one line of a label. Longer ones would draw a strip; the tooltip has all of it. */
const LONGEST = 120;

export function mermaidText(machine: Machine, direction: "LR" | "TB", view: Shown): string {
  return machine.toMermaid({ ...OPTIONS, labels: [...OPTIONS.labels], direction, ...view });
}

export function dotText(machine: Machine, direction: "LR" | "TB", view: Shown): string {
  return shortened(machine.toDot({ ...OPTIONS, labels: [...OPTIONS.labels], direction, ...view }));
}

/** DOT with long lines of labels cut. What stands for one character there (`\"`, `&amp;`) stays whole. */
function shortened(dot: string): string {
  return dot.replace(/\blabel="((?:[^"\\]|\\.)*)"/gsu, (whole, label: string) => {
    if (label.length <= LONGEST) return whole;
    const lines = label.split(/(\\[nlr])/).map((line) => {
      const units = line.match(/\\.|&#?\w+;|./gsu) ?? [];
      return units.length > LONGEST ? `${units.slice(0, LONGEST - 1).join("")}…` : line;
    });
    return `label="${lines.join("")}"`;
  });
}
