/**
 * Links that carry a document: `#v1:` and the content as JSON, deflated, in
 * base64url; and `#ex=cloud-instance&s=running&as=operator` for documentation.
 */
import { DEFAULT_VIEW, SETTINGS, type Actor, type Content, type Entry, type GuardValue, type Settings, type View } from "./document";

const PREFIX = "#v1:";
/** Links beyond this are cut by some mail and chat programs. */
export const LONG_LINK = 8 * 1024;
/** A hostile link must not unpack into something that fills the memory. */
const MAX_UNPACKED = 4 * 1024 * 1024;
const MAX_ACTORS = 100;

export type Opened =
  | { kind: "none" }
  | { kind: "example"; id: string; state: string | null; actor: string | null }
  | { kind: "content"; content: Content }
  | { kind: "broken"; why: string };

export async function write(content: Content): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  const packed = await through(bytes, new CompressionStream("deflate-raw"), Infinity);
  return PREFIX + toBase64Url(packed);
}

export async function read(hash: string): Promise<Opened> {
  if (hash === "" || hash === "#") return { kind: "none" };
  if (hash.startsWith("#ex=")) {
    const parts = new URLSearchParams(hash.slice(1));
    return { kind: "example", id: parts.get("ex") ?? "", state: parts.get("s"), actor: parts.get("as") };
  }
  if (!hash.startsWith(PREFIX)) {
    return { kind: "broken", why: "it is of no kind that this page knows" };
  }
  try {
    const packed = fromBase64Url(hash.slice(PREFIX.length));
    const bytes = await through(packed, new DecompressionStream("deflate-raw"), MAX_UNPACKED);
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    const content = contentFrom(value);
    return content ? { kind: "content", content } : { kind: "broken", why: "parts of it are missing" };
  } catch {
    return { kind: "broken", why: "it is cut off or was changed" };
  }
}

async function through(bytes: Uint8Array, stream: GenericTransformStream, limit: number): Promise<Uint8Array> {
  const source = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  const reader = source.pipeThrough(stream as ReadableWritablePair<Uint8Array, Uint8Array>).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) throw new RangeError("the link unpacks into too much");
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}

function toBase64Url(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64Url(text: string): Uint8Array {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

/** Accepts only the shape that this page writes; unknown entries are dropped, never guessed. */
export function contentFrom(value: unknown): Content | undefined {
  if (!isRecord(value) || typeof value.text !== "string") return undefined;
  const listed = Array.isArray(value.actors) ? value.actors.filter(isActor).slice(0, MAX_ACTORS) : [];
  const actors = [...new Map(listed.map((actor) => [actor.id, actor])).values()];
  const guards = isRecord(value.guards)
    ? Object.entries(value.guards).filter((pair): pair is [string, GuardValue] => isGuardValue(pair[1]))
    : [];
  const start = string(value.start, "");
  return {
    title: string(value.title, "From a link"),
    text: value.text,
    valid: typeof value.valid === "string" ? value.valid : null,
    object_id: string(value.object_id, "object-1"),
    object: (value.object ?? {}) as Content["object"],
    object_text: typeof value.object_text === "string" ? value.object_text : null,
    settings: isRecord(value.settings) ? settingsOf(value.settings) : { config: {} },
    settings_text: typeof value.settings_text === "string" ? value.settings_text : null,
    actors,
    actor: string(value.actor, actors[0]?.id ?? "system"),
    guards: Object.fromEntries(guards),
    start: Number.isNaN(Date.parse(start)) ? "2026-01-01T00:00:00Z" : start,
    entries: Array.isArray(value.entries) ? value.entries.filter(isEntry) : [],
    view: viewFrom(value.view),
  };
}

function viewFrom(value: unknown): View {
  if (!isRecord(value)) return { ...DEFAULT_VIEW };
  const { mode, renderer, direction, collapsed, near } = value;
  return {
    mode: mode === "history" ? mode : "play",
    renderer: renderer === "mermaid" || renderer === "both" || renderer === "text" ? renderer : "dot",
    direction: direction === "LR" || direction === "TB" ? direction : "auto",
    collapsed: isStrings(collapsed) ? collapsed : null,
    near: typeof near === "boolean" ? near : null,
  };
}

function isEntry(value: unknown): value is Entry {
  if (!isRecord(value)) return false;
  switch (value.do) {
    case "action":
      return typeof value.action === "string";
    case "advance":
      return typeof value.by === "string";
    case "clock":
      return typeof value.to === "string";
    case "object":
      return "object" in value;
    case "settings":
      return isRecord(value.settings) && Object.keys(value.settings).length === Object.keys(settingsOf(value.settings)).length;
    case "actor":
      return typeof value.actor === "string" && isStrings(value.permissions);
    case "guard":
      return typeof value.guard === "string" && isGuardValue(value.value);
    case "place":
      return typeof value.state === "string";
    case "continue":
      // What is in it, the package judges.
      return isRecord(value.snapshot);
    default:
      return false;
  }
}

function settingsOf(value: Record<string, unknown>): Settings {
  return Object.fromEntries(SETTINGS.flatMap((name) => (Object.hasOwn(value, name) ? [[name, value[name]]] : [])));
}

function isActor(value: unknown): value is Actor {
  return (
    isRecord(value) &&
    typeof value.id === "string" &&
    typeof value.title === "string" &&
    typeof value.type === "string" &&
    isStrings(value.permissions)
  );
}

function isGuardValue(value: unknown): value is GuardValue {
  return value === "true" || value === "false" || value === "unknown";
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function string(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}
