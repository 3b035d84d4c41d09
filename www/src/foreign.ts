/** Definitions in the formats of others. They are recognised by what they say, never by the name of a file. */
import { fromScxml, fromXstate, messageOf, type Definition, type Diagnostic, type LeftOut, type Machine } from "./core";

/** What is wrong with a text, of ours or of others: what the editor and the list of problems show. */
export type Finding = Pick<Diagnostic, "severity" | "message" | "help" | "line" | "column"> & { code: string };

export type Format = "scxml" | "xstate";

export const FORMATS: Record<Format, string> = { scxml: "SCXML", xstate: "XState" };

/** Characters before a text of JSON is read to see whose it is: nobody's statechart is larger. */
const LONGEST = 8 * 1024 * 1024;

/** In whose format a text is; nothing for a definition of our own, and for what is none at all. */
export function formatOf(text: string): Format | undefined {
  const start = /^\uFEFF?\s*(.)/u.exec(text)?.[1];
  if (start === "<") return "scxml";
  if (start !== "{" || text.length > LONGEST) return undefined;
  try {
    const { states } = JSON.parse(text) as { states?: unknown };
    return typeof states === "object" && states !== null && !Array.isArray(states) ? "xstate" : undefined;
  } catch {
    return undefined;
  }
}

export type Imported = { definition: Definition } | { findings: Finding[] };

/** The definition that a foreign text says, or what stands in the way. */
export function importFrom(format: Format, text: string): Imported {
  try {
    return { definition: (format === "scxml" ? fromScxml : fromXstate)(text) };
  } catch (error) {
    const { diagnostics } = error as { diagnostics?: Partial<Finding>[] };
    const found = diagnostics?.length ? diagnostics : [{ message: messageOf(error) }];
    return { findings: found.map((one) => ({ ...BLANK, ...one })) };
  }
}

const BLANK: Finding = { code: "not-imported", severity: "error", message: "", help: "", line: null, column: null };

/** The text of a definition in another's format, and what that format cannot say. */
export function exportedTo(machine: Machine, format: Format): { text: string; left_out: LeftOut[] } {
  const text = format === "scxml" ? machine.toScxml() : `${JSON.stringify(machine.toXstate(), null, 2)}\n`;
  return { text, left_out: machine.leftOut(format) };
}
