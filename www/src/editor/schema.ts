/** Reads a JSON Schema as far as completion needs it: what may stand at a path, under which names, with which values. */
import type { Path } from "./json-path";

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  /** A word or two beside a name in the list of completions. */
  detail?: string;
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  [more: string]: unknown;
}

/** Every schema that could describe the value at a path: references followed, alternatives spread out. */
export function schemasAt(root: Schema, path: Path): Schema[] {
  let now = spread(root, root);
  for (const step of path) {
    now = now.flatMap((schema) => {
      if (typeof step === "number") return schema.items ? spread(root, schema.items) : [];
      const { properties, additionalProperties } = schema;
      if (properties && Object.hasOwn(properties, step)) return spread(root, properties[step]!);
      return typeof additionalProperties === "object" ? spread(root, additionalProperties) : [];
    });
  }
  return now;
}

function spread(root: Schema, schema: Schema, depth = 0): Schema[] {
  if (depth > 12) return [];
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  if (schema.$ref) parts.push(follow(root, schema.$ref));
  return [schema, ...parts.flatMap((part) => spread(root, part, depth + 1))];
}

function follow(root: Schema, reference: string): Schema {
  let at: unknown = root;
  for (const part of reference.replace(/^#\/?/, "").split("/")) {
    if (part === "") continue;
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    at = typeof at === "object" && at !== null && Object.hasOwn(at, key) ? (at as Record<string, unknown>)[key] : undefined;
  }
  return typeof at === "object" && at !== null ? (at as Schema) : {};
}

export interface Choice {
  /** JSON text. */
  text: string;
  description: string | undefined;
}

/** The values that may stand there, when there are few enough to list. */
export function valuesOf(schemas: Schema[]): Choice[] {
  const found = new Map<string, Choice>();
  const add = (value: unknown, description: string | undefined): void => {
    const text = JSON.stringify(value);
    if (text !== undefined && text !== "null" && !found.has(text)) found.set(text, { text, description });
  };
  for (const schema of schemas) {
    if ("const" in schema) add(schema.const, schema.description);
    schema.enum?.forEach((value) => add(value, undefined));
    if ([schema.type].flat().includes("boolean")) [true, false].forEach((value) => add(value, undefined));
  }
  return [...found.values()];
}

export interface Property {
  name: string;
  schema: Schema;
  required: boolean;
}

export function propertiesOf(schemas: Schema[]): Property[] {
  const found = new Map<string, Property>();
  for (const schema of schemas) {
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      found.set(name, { name, schema: property, required: schema.required?.includes(name) ?? false });
    }
  }
  return [...found.values()];
}

/** What to write after a property's name: an empty value of its type. */
export function emptyValue(root: Schema, schema: Schema): string {
  const types = new Set(spread(root, schema).flatMap((one) => [one.type].flat()));
  if (types.has("string")) return '"#{}"';
  if (types.has("array")) return "[#{}]";
  if (types.has("object")) return "{ #{} }";
  if (types.has("boolean")) return "#{true}";
  return "#{}";
}
