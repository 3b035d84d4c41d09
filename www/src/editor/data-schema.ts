/** What the guards read, as a JSON Schema, so that the data's editors complete it as the definition's editor does. */
import type { Input } from "../core";
import { SETTINGS } from "../document";
import { typesInWords } from "../guards";
import { list } from "../format";
import type { Schema } from "./schema";

const JSON_TYPES: Record<string, string> = {
  bool: "boolean",
  int: "number",
  uint: "number",
  double: "number",
  string: "string",
  timestamp: "string",
  duration: "string",
  list: "array",
  map: "object",
  null: "null",
};
/** A guard that is an expression stands in the help of a field; a long one is cut. */
const LONGEST = 80;

/** The schema of the variable `root` (`object` or `ctx`). */
export function dataSchema(inputs: readonly Input[], root: string): Schema {
  const schema: Schema = { type: "object", properties: {} };
  if (root === "ctx") {
    for (const name of SETTINGS) fieldOf(schema, name).type = name === "config" || name === "metadata" ? "object" : "string";
  }
  for (const input of inputs) {
    const [variable, ...keys] = input.keys;
    if (variable !== root || keys.length === 0) continue;
    // Who acts and when is set elsewhere.
    if (root === "ctx" && !SETTINGS.some((name) => name === keys[0])) continue;
    let at = schema;
    for (const key of keys.slice(0, -1)) {
      at = fieldOf(at, key);
      at.type = "object";
    }
    describe(fieldOf(at, keys.at(-1)!), input);
  }
  return schema;
}

function fieldOf(schema: Schema, key: string): Schema {
  schema.properties ??= {};
  const known = Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
  if (known) return known;
  const field: Schema = {};
  // Names come from strangers: `__proto__` is one like any other.
  Object.defineProperty(schema.properties, key, { value: field, enumerable: true, configurable: true, writable: true });
  return field;
}

function describe(field: Schema, input: Input): void {
  const types = [...new Set(input.types.flatMap((type) => JSON_TYPES[type] ?? []))];
  // Where several would fit, nothing is written in advance.
  if (types.length === 1 && types[0] !== "null") field.type ??= types[0]!;
  field.detail = typesInWords(input.types);
  const guards = input.guards.map((guard) => ([...guard].length > LONGEST ? `${[...guard].slice(0, LONGEST - 1).join("")}…` : guard));
  field.description = `Read by ${list(guards)}`;
}
