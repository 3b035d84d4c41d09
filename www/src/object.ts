/** Data as it was typed: read without changing a number, and changed at one place. */
import { SETTINGS, type Json, type Settings } from "./document";
import { list } from "./format";

/** Numbers that JavaScript cannot hold are refused, never changed. */
export function parseObject(text: string): Json {
  return JSON.parse(text, function (this: unknown, _name: string, value: unknown, ...more: unknown[]): unknown {
    if (typeof value !== "number") return value;
    // Newer browsers hand over how the number was written.
    const source = (more[0] as { source?: string } | undefined)?.source ?? String(value);
    const isWhole = /^-?\d+$/.test(source);
    if (!Number.isFinite(value) || (isWhole && BigInt(source) !== BigInt(value))) {
      throw new RangeError(`${source} is a number that a browser cannot hold exactly`);
    }
    return value;
  } as (this: unknown, key: string, value: unknown) => unknown) as Json;
}

/** Reads the settings. Who acts, and when, is no part of them; whether the values fit is for the package to say. */
export function parseSettings(text: string): Settings {
  const value = parseObject(text);
  if (!isObject(value)) throw new TypeError("The context must be an object");
  const strange = Object.keys(value).find((name) => !SETTINGS.some((one) => one === name));
  if (strange !== undefined) {
    throw new TypeError(`${strange} cannot be set here: there are ${list([...SETTINGS])}; who acts and the clock stand above`);
  }
  return value as Settings;
}

/** The same data with another value at the end of the keys. Objects that are missing on the way are made; nothing if the way is blocked. */
export function setIn(data: Json, keys: readonly string[], value: Json): Json | undefined {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  if (!isObject(data)) return undefined;
  const inner = setIn(Object.hasOwn(data, key) ? (data[key] ?? {}) : {}, rest, value);
  return inner === undefined ? undefined : { ...data, [key]: inner };
}

/** What stands at the end of the keys; nothing if there is nothing. */
export function getIn(data: unknown, keys: readonly string[]): unknown {
  let at = data;
  for (const key of keys) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

export function isObject(value: unknown): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
