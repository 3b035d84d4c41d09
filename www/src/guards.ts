/** The package's answers about guards in words. What a guard says, reads and lacks is the package's to know. */
import type { Input, Missing, Reading } from "./core";
import type { Json } from "./document";
import { list } from "./format";
import { parseObject } from "./object";

export const LOOKS = {
  true: { sign: "✓", word: "true" },
  false: { sign: "✗", word: "false" },
  unknown: { sign: "?", word: "unknown" },
} as const;

const WORDS: Record<string, string> = {
  bool: "true or false",
  int: "a number",
  uint: "a number",
  double: "a number",
  string: "text",
  list: "a list",
  map: "an object",
  timestamp: "a time",
  duration: "a duration",
};

/** `a number or text`; nothing where anything would fit. */
export function typesInWords(types: readonly string[] = []): string {
  const words = [...new Set(types.filter((type) => type !== "null").map((type) => WORDS[type] ?? type))];
  return words.length > 2 ? "" : words.join(" or ");
}

/** Characters of a value that stands in a line. */
const LONGEST = 100;

export function valueInWords(value: unknown): string {
  const units = [...JSON.stringify(value)];
  return units.length > LONGEST ? `${units.slice(0, LONGEST - 1).join("")}…` : units.join("");
}

function readingInWords({ value, size }: Reading): string {
  if (size === undefined) return valueInWords(value);
  return `${size} ${size === 1 ? "item" : "items"}`;
}

/** What is absent, as a button says it: `needs object.amount`. Nothing when nothing is absent. */
export function needsOf(reasons: readonly { missing?: Missing[] }[]): string {
  const all = reasons.flatMap((reason) => reason.missing ?? []).filter((one) => one.code === "missing");
  const paths = [...new Set(all.flatMap((one) => one.path ?? []))];
  const shown = paths.length > 3 ? [...paths.slice(0, 3), `${paths.length - 3} more`] : paths;
  return shown.length > 0 ? `needs ${list(shown)}` : "";
}

/** One line of what a guard is about: an input with its value, or what is wrong with it. */
export interface Line {
  kind: "read" | "needs" | "also" | "absent";
  path: string | undefined;
  /** Beside the path: its value, the types that would fit, or a sentence. */
  text: string;
  input: Input | undefined;
  types: readonly string[];
}

/** What was read, what is missing, and what the guard may read besides, each input once. */
export function linesOf(
  answer: { values?: Reading[]; missing?: Missing[] },
  inputs: readonly Input[],
  own: readonly Input[] = [],
): Line[] {
  const byPath = new Map(inputs.map((input) => [input.path, input]));
  const needs = (answer.missing ?? []).map((one): Line => {
    const input = one.path === undefined ? undefined : byPath.get(one.path);
    // All that reads a place together knows best what fits there.
    const types = input?.types ?? one.expected ?? [];
    const absent = one.code === "missing" && one.path !== undefined;
    return { kind: "needs", path: absent ? one.path : undefined, text: absent ? typesInWords(types) : one.message, input, types };
  });
  const named = new Set((answer.missing ?? []).flatMap((one) => one.path ?? []));
  const read = (answer.values ?? [])
    .filter((one) => !named.has(one.path))
    .map((one): Line => {
      const input = byPath.get(one.path);
      return { kind: "read", path: one.path, text: readingInWords(one), input, types: input?.types ?? [] };
    });
  const told = new Set([...named, ...read.map((line) => line.path)]);
  const also = own
    .filter((input) => !told.has(input.path))
    .map((input): Line => ({ kind: "also", path: input.path, text: typesInWords(input.types), input, types: input.types }));
  return [...read, ...needs, ...also];
}

const TEXTS = new Set(["string", "timestamp", "duration"]);

/** Reads what somebody typed for a field. JSON if it is any; text where only text fits, or stood there before. */
export function valueFrom(typed: string, types: readonly string[], before: unknown): Json {
  const isText = typeof before === "string" || (types.length > 0 && types.every((type) => TEXTS.has(type)));
  if (isText) return typed;
  try {
    return parseObject(typed);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return typed;
  }
}
