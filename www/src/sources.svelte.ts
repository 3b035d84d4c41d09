/** Where the history of a document comes from: a file that was dropped, or the one that its example brings. */
import type { ReadOptions, RecordFormat } from "./core";
import type { Document } from "./document";
import examples from "./examples";
import type { Candidate } from "./history/import/recognise";

/** A log to read. */
export interface LogSource {
  blob: Blob;
  name: string;
  /** Null: by the name and the first bytes. */
  format: RecordFormat | null;
  read: Partial<ReadOptions>;
  newest_first: boolean;
  /** What the log is told to be as of; null: the time of its last record. */
  as_of: string | null;
}

/** What was dropped, by document. A log stays in memory as long as the page is open: it is never stored and never in a link. */
let held = $state.raw<ReadonlyMap<string, LogSource>>(new Map());

export function keepSource(document: Document, source: LogSource): void {
  held = new Map([...held, [document.id, source]]);
}

export function droppedFor(document: Document): LogSource | undefined {
  return held.get(document.id);
}

/** Files of histories by example; each is loaded when it is asked for. */
const FILES = import.meta.glob<string>("./examples/*.history.jsonl", { query: "?url", import: "default", eager: true });

/** The example whose definition a document has, if it brings a history. */
export function exampleOf(document: Document): { id: string; url: string } | undefined {
  const example = examples.find((one) => one.text === document.text);
  const url = example && FILES[`./examples/${example.id}.history.jsonl`];
  return example && url ? { id: example.id, url } : undefined;
}

/** When the histories of the examples end. */
export const EXAMPLES_NOW = "2026-03-02T12:00:00Z";

export async function exampleSource({ id, url }: { id: string; url: string }): Promise<LogSource> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`the history of the example could not be loaded (${answer.status})`);
  return { blob: await answer.blob(), name: `${id}.history.jsonl`, format: "json_lines", read: {}, newest_first: false, as_of: EXAMPLES_NOW };
}

/** A file of which somebody has to say how it is read. */
class Asking {
  candidate = $state.raw<Candidate | null>(null);
}

export const asking = new Asking();
