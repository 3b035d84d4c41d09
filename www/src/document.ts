/**
 * A document is what the page keeps of one piece of work: the definition as it
 * was typed, the people and guards to play with, and what was done so far.
 * Everything else (states, records, drawings) is derived from it by the package.
 */
import type { Context, Snapshot } from "./core";
import type { Example } from "./examples";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export type GuardValue = "true" | "false" | "unknown";

export interface Actor {
  id: string;
  title: string;
  type: string;
  permissions: string[];
}

/** The part of a guard's `ctx` that belongs to no actor and no moment, in the package's words: settings and free data. */
export type Settings = Pick<Context, "config" | "metadata" | "tenant_id" | "world_id">;

export const SETTINGS = ["config", "metadata", "tenant_id", "world_id"] as const satisfies (keyof Settings)[];

/** One thing that the user did. A document's entries, played in order, give its present. */
export type Entry =
  | { do: "action"; action: string }
  | { do: "advance"; by: string }
  | { do: "clock"; to: string }
  | { do: "object"; object: Json }
  | { do: "settings"; settings: Settings }
  | { do: "actor"; actor: string; permissions: string[] }
  | { do: "guard"; guard: string; value: GuardValue }
  | { do: "place"; state: string }
  | { do: "continue"; snapshot: Snapshot };

export type Renderer = "dot" | "mermaid" | "both" | "text";
export type Direction = "auto" | "LR" | "TB";

/** Play: one object, step by step. History: what a log says of many. */
export type Mode = "play" | "history";

export interface View {
  mode: Mode;
  renderer: Renderer;
  direction: Direction;
  /** Paths of the states that are drawn as one box. Null: what suits the size of the definition. */
  collapsed: string[] | null;
  /** Whether only what is near the active states is drawn. Null: if there is too much to be read. */
  near: boolean | null;
}

/** What a document starts with and what was done. This is what a link carries. */
export interface Content {
  title: string;
  text: string;
  /** The last text that was a valid definition, if it differs from `text`. */
  valid: string | null;
  object_id: string;
  object: Json;
  /** What stands in the object's editor, if it was typed there: it need not be valid. */
  object_text: string | null;
  settings: Settings;
  /** As `object_text`, for the settings. */
  settings_text: string | null;
  actors: Actor[];
  actor: string;
  guards: Record<string, GuardValue>;
  start: string;
  entries: Entry[];
  view: View;
}

export interface Document extends Content {
  id: string;
  /** The link that shows this document as it was stored last. */
  link: string;
  /** Milliseconds since the epoch. */
  updated: number;
  /** Somebody worked on it; a document that was only looked at is the first to go. */
  touched: boolean;
}

export const DEFAULT_VIEW: View = { mode: "play", renderer: "dot", direction: "auto", collapsed: null, near: null };

const SYSTEM = "system";

export function fromExample(example: Example): Document {
  return fromContent({
    title: example.title,
    text: example.text,
    valid: null,
    object_id: example.object_id,
    object: structuredClone(example.object),
    object_text: null,
    settings: structuredClone(example.settings),
    settings_text: null,
    actors: structuredClone(example.actors),
    actor: example.actors[0]?.id ?? SYSTEM,
    guards: { ...example.guards },
    start: example.start,
    entries: [],
    view: { ...DEFAULT_VIEW },
  });
}

/** A document for a definition that comes without people: everybody may do everything, or nothing. */
export function fromText(title: string, text: string, permissions: string[], now: Date): Document {
  return fromContent({
    title,
    text,
    valid: null,
    object_id: "object-1",
    object: {},
    object_text: null,
    settings: { config: {} },
    settings_text: null,
    actors: [
      { id: "operator", title: "Operator", type: "human", permissions },
      { id: "viewer", title: "Viewer", type: "human", permissions: [] },
      { id: SYSTEM, title: "System", type: "system", permissions },
    ],
    actor: "operator",
    guards: {},
    start: `${now.toISOString().slice(0, 19)}Z`,
    entries: [],
    view: { ...DEFAULT_VIEW },
  });
}

export function fromContent(content: Content): Document {
  return { ...content, id: newId(), link: "", updated: Date.now(), touched: false };
}

/** `crypto.randomUUID` is missing where the page is served without TLS. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The actor in whose name timeouts are fired. */
export function systemActor(content: Content): Actor {
  return (
    content.actors.find((actor) => actor.id === SYSTEM) ?? {
      id: SYSTEM,
      title: "System",
      type: "system",
      permissions: [],
    }
  );
}

export function contentOf(document: Document): Content {
  const { id: _id, link: _link, updated: _updated, touched: _touched, ...content } = document;
  return content;
}

/** Adds an entry; repeated settings of one thing become one entry, so that undo takes back what was meant. */
export function append(entries: readonly Entry[], entry: Entry): Entry[] {
  const last = entries.at(-1);
  const replaces =
    last !== undefined &&
    ((entry.do === "object" && last.do === "object") ||
      (entry.do === "settings" && last.do === "settings") ||
      (entry.do === "actor" && last.do === "actor") ||
      (entry.do === "clock" && last.do === "clock") ||
      (entry.do === "guard" && last.do === "guard" && entry.guard === last.guard));
  return replaces ? [...entries.slice(0, -1), entry] : [...entries, entry];
}

