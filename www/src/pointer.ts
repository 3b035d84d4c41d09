/** Places in a definition by JSON pointer (RFC 6901), as the package names them. */

/** What stands at a pointer; nothing where there is nothing. */
export function lookUp(value: unknown, pointer: string): unknown {
  return walk(value, pointer)?.value;
}

/** The same place as a path for an editor: items of lists are numbers, fields are names. */
export function pathIn(value: unknown, pointer: string): (string | number)[] {
  return walk(value, pointer)?.path ?? [];
}

function walk(value: unknown, pointer: string): { value: unknown; path: (string | number)[] } | undefined {
  const path: (string | number)[] = [];
  let at = value;
  for (const written of pointer.split("/").slice(1)) {
    const key = written.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    path.push(Array.isArray(at) ? Number(key) : key);
    at = (at as Record<string, unknown>)[key];
  }
  return { value: at, path };
}
