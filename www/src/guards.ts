/** The package's answers about guards in words. What a guard says, reads and lacks is the package's to know. */
import type { Availability, GuardAnswer, Input, Missing, Reading, Reason } from "./core";
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
  const words = wordsOf(types);
  return words.length > 2 ? "" : words.join(" or ");
}

function wordsOf(types: readonly string[]): string[] {
  const isWhole = types.includes("int") && !types.includes("double");
  return [...new Set(types.filter((type) => type !== "null").map((type) => (type === "int" && isWhole ? "a whole number" : (WORDS[type] ?? type))))];
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

/** What stops an action now, without what would be missed only afterwards. */
export function blocking(choice: Availability): Reason[] {
  return choice.reasons.filter((reason) => reason.stops);
}

/** Whether an action comes further after a change: it is enabled, or stopped only by what would have come next. */
export function isFurther(before: Availability, after: Availability): boolean {
  const same = (a: Reason, b: Reason): boolean => a.code === b.code && a.transition === b.transition && a.condition === b.condition;
  const next = before.reasons.filter((reason) => !reason.stops);
  return after.status === "enabled" || blocking(after).every((one) => next.some((other) => same(one, other)));
}

/** What is absent, as a button says it: `needs object.amount`. Nothing when something else stops the action. */
export function needsOf(reasons: readonly Reason[]): string {
  const unknown = reasons.filter((reason) => reason.code.endsWith("-unknown"));
  const all = unknown.flatMap((reason) => reason.missing ?? []).filter((one) => one.code === "missing");
  const paths = [...new Set(all.flatMap((one) => one.path ?? []))];
  const shown = paths.length > 3 ? [...paths.slice(0, 2), "more"] : paths;
  return shown.length > 0 ? `needs ${list(shown)}` : "";
}

/**
 * The guards and conditions to show with an action: of the transition that is taken, or of those that might be. What a
 * state asks is no question yet where a guard stops the way there.
 */
export function answersFor(choice: Availability, answers: readonly GuardAnswer[]): GuardAnswer[] {
  const ofGuards = choice.reasons.filter((reason) => reason.guard !== undefined && reason.condition === undefined);
  const stopped = new Set(ofGuards.map((reason) => reason.transition));
  return answers.filter(
    (one) =>
      one.action === choice.action &&
      choice.transitions.includes(one.transition) &&
      (one.condition === undefined || !stopped.has(one.transition)),
  );
}

/** One line of what a guard is about: an input with its value, or what is wrong with it. */
export interface Line {
  kind: "read" | "needs" | "wrong" | "also" | "absent";
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
    if (absent) return { kind: "needs", path: one.path, text: typesInWords(types), input, types };
    return { kind: "wrong", path: one.path, text: one.message, input, types };
  });
  const once = needs.filter((line, index) => needs.findIndex((one) => one.path === line.path && one.text === line.text) === index);
  const named = new Set((answer.missing ?? []).flatMap((one) => one.path ?? []));
  const read = (answer.values ?? [])
    .filter((one) => !named.has(one.path))
    .map((one): Line => {
      const input = byPath.get(one.path);
      const types = input?.types ?? [];
      if (one.absent) return { kind: "absent", path: one.path, text: typesInWords(types), input, types };
      return { kind: "read", path: one.path, text: readingInWords(one), input, types };
    });
  const told = new Set([...named, ...read.map((line) => line.path)]);
  const also = own
    .filter((input) => !told.has(input.path))
    .map((input): Line => ({ kind: "also", path: input.path, text: typesInWords(input.types), input, types: input.types }));
  return [...read, ...once, ...also];
}

const TEXTS = new Set(["string", "timestamp", "duration"]);

/** Reads what somebody typed for a field. JSON if it is any; text where only text fits, or fits and stood there before. */
export function valueFrom(typed: string, types: readonly string[], before: unknown): Json {
  const takesText = types.length === 0 || types.some((type) => TEXTS.has(type));
  const isText = takesText && (typeof before === "string" || (types.length > 0 && types.every((type) => TEXTS.has(type))));
  if (isText) return typed;
  try {
    return parseObject(typed);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    if (!takesText) throw new TypeError(misfit(types));
    return typed;
  }
}

/** What is said beside a field that does not take a value. */
export function misfit(types: readonly string[]): string {
  return `This does not fit: the guards take ${wordsOf(types).join(" or ")}`;
}
