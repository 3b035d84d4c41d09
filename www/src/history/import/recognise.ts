/**
 * Whether a file is a history, and what the package makes of its beginning. The package tells the formats apart and reads;
 * here is only asked whether it found a row.
 */
import { detectFormat, readRecords, type ReadOptions, type Records, type RecordFormat } from "../../core";

/** Bytes of a file that are looked at before it is read. */
const LOOK = 256 * 1024;
/** Endings that no definition has. */
const LOGS = /\.(csv|tsv|jsonl|ndjson|xes)$/i;

export interface Candidate {
  file: File;
  format: RecordFormat;
  /** The beginning, up to the end of a line. */
  start: Uint8Array;
}

/** What a file is read as, if it is a history; nothing for a definition and for what is none of both. */
export async function recognise(file: File): Promise<Candidate | null> {
  const all = new Uint8Array(await file.slice(0, LOOK).arrayBuffer());
  const format = detectFormat(all, file.name);
  const candidate = { file, format, start: file.size > LOOK ? wholeLines(all) : all };
  if (LOGS.test(file.name)) return candidate;
  if (format === "xes") return /<log[\s>]/.test(new TextDecoder().decode(all.subarray(0, 8192))) ? candidate : null;
  return tryOut(candidate, {}).summary.used > 0 ? candidate : null;
}

/** The beginning of a candidate, read so. Throws what the package throws for options that cannot be followed. */
export function tryOut({ format, start }: Candidate, read: Partial<ReadOptions>): Records {
  return readRecords(start, format, read);
}

/** Whether somebody has to say how the file is read: columns have no names that everybody knows, or times no offset. */
export function needsHelp({ format }: Candidate, { summary }: Records): boolean {
  const { "no-offset": without = 0, "ambiguous-time": unclear = 0 } = summary.refused_by_code;
  return format === "csv" || summary.used === 0 || without + unclear > 0;
}

function wholeLines(bytes: Uint8Array): Uint8Array {
  const end = bytes.lastIndexOf(10);
  return end < 0 ? bytes : bytes.subarray(0, end + 1);
}
