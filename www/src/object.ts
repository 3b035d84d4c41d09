/** Reads the object's data as it was typed. Numbers that JavaScript cannot hold are refused, never changed. */
import type { Json } from "./document";

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
