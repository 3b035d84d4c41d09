/** Rows that cannot be true, made by hand out of rows that were. */
import type { Row } from "./histories.ts";

/** What was broken, and where. */
export interface Fault {
  kind: "missing_row" | "doubled_row" | "swapped_rows" | "time_runs_back" | "missing_creation" | "evidence_missing" | "after_terminal" | "unknown_state";
  object_id: string;
  /** What was done, in one sentence. */
  about: string;
  /** The rows that tell it, by their number in the file; where a row was taken away, the one after it. */
  rows: number[];
}

type Broken = Omit<Fault, "rows"> & { broken: Row[] };

/** What breaking needs to know of a definition. */
export interface Fixes {
  /** States in which a machine ends. */
  terminal: readonly string[];
  /** A step out of nowhere, for an object that has ended. */
  risen: Pick<Row, "to_states" | "action" | "actor_id" | "actor_type">;
  /** A state that asks for evidence, and data without it. */
  evidence?: { state: string; without: (object: Record<string, unknown>) => Record<string, unknown> };
}

const HOUR = 3_600_000;

/** Breaks some histories, each in one way. Histories that are broken are no others' neighbours, so that each fault stands alone. */
export function breakRows(histories: Row[][], fixes: Fixes): Broken[] {
  const used = new Set<Row[]>();
  const pick = (fits: (rows: Row[]) => boolean): Row[] => {
    const rows = histories.find((one) => !used.has(one) && fits(one));
    if (!rows) throw new Error("no history fits");
    used.add(rows);
    return rows;
  };
  const shifted = (row: Row, by: number): string => new Date(Date.parse(row.timestamp) + by).toISOString().replace(".000Z", "Z");
  const found: Broken[] = [];
  const add = (kind: Fault["kind"], about: string, broken: Row[]): void => {
    found.push({ kind, object_id: broken[0]!.object_id, about, broken });
  };
  const hasEnded = (rows: Row[]): boolean => fixes.terminal.includes(rows.at(-1)!.to_states.join());

  const missing = pick((rows) => rows.length >= 6 && !sameStates(rows[2]!, rows[3]!));
  missing.splice(3, 1);
  add("missing_row", "the row with sequence 4 was taken away", [missing[3]!]);

  const doubled = pick((rows) => rows.length >= 5 && !sameStates(rows[1]!, rows[2]!));
  const copy = { ...doubled[2]! };
  doubled.splice(3, 0, copy);
  add("doubled_row", "the row with sequence 3 was written twice", [copy]);

  const swapped = pick((rows) => rows.length >= 6 && rows[3]!.timestamp < rows[4]!.timestamp && !sameStates(rows[2]!, rows[4]!));
  const [earlier, later] = [swapped[3]!, swapped[4]!];
  [earlier.sequence, later.sequence] = [later.sequence, earlier.sequence];
  add("swapped_rows", "the rows with sequences 4 and 5 took each other's number", [later, earlier]);

  const back = pick((rows) => rows.length === 4);
  back[3]!.timestamp = shifted(back[2]!, -2 * HOUR);
  add("time_runs_back", "the last row is two hours before the one before it", [back[3]!]);

  const uncreated = pick((rows) => rows.length >= 4);
  uncreated.shift();
  add("missing_creation", "the row that created the object was taken away", [uncreated[0]!]);

  const risen = pick((rows) => rows.length >= 4 && hasEnded(rows));
  const end = risen.at(-1)!;
  const after: Row = {
    ...end,
    ...fixes.risen,
    sequence: end.sequence + 1,
    from_states: end.to_states,
    timestamp: shifted(end, 3 * HOUR),
    request_id: `${end.object_id}.again`,
  };
  for (const name of ["transitions", "exited", "entered", "object", "reason"] as const) delete after[name];
  risen.push(after);
  add("after_terminal", "a row leads out of a state in which the machine ends", [after]);

  const unknown = pick((rows) => rows.length === 3);
  const last = unknown.at(-1)!;
  last.to_states = ["on_hold"];
  for (const name of ["transitions", "exited", "entered"] as const) delete last[name];
  add("unknown_state", "the last row leads to a state that the definition does not have", [last]);

  const { evidence } = fixes;
  if (evidence) {
    const proof = (row: Row): boolean => row.object !== undefined && row.to_states.join().startsWith(evidence.state);
    const unproved = pick((rows) => rows.some(proof));
    const row = unproved.find(proof)!;
    row.object = evidence.without({ ...(row.object as Record<string, unknown>) });
    add("evidence_missing", "the object's data do not prove the state", [row]);
  }
  return found;
}

function sameStates(one: Row, other: Row): boolean {
  return one.to_states.join() === other.to_states.join();
}
