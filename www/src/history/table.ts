/** Search, filters and order of the objects' table, over columns: a hundred thousand rows take some milliseconds. */
import type { ObjectColumns } from "./messages";

export type SortKey = "id" | "state" | "since" | "records" | "faults" | "stuck";

export interface Wanted {
  /** Part of an id, in any case. */
  text: string;
  /** The path of a state: objects that are in it, or in a state inside it as the log names it. */
  state: string | null;
  /** `any`: whatever the cause. */
  stuck: string | null;
  isFaulty: boolean;
  tenant: string | null;
  sort: SortKey;
  isDown: boolean;
}

export const ALL: Wanted = { text: "", state: null, stuck: null, isFaulty: false, tenant: null, sort: "id", isDown: false };

export function isFiltered({ text, state, stuck, isFaulty, tenant }: Wanted): boolean {
  return text.trim() !== "" || state !== null || stuck !== null || isFaulty || tenant !== null;
}

/** The positions of the objects that are wanted, in order. Linear: what needs comparing was put in order by the worker. */
export function rowsOf(columns: ObjectColumns, wanted: Wanted, isIn: (leaf: string, state: string) => boolean): Uint32Array {
  const { ids, places, causes, tenants } = columns;
  const text = wanted.text.trim().toLowerCase();
  const state = wanted.state;
  const isPlace = state === null ? null : places.map((leaves) => leaves.some((leaf) => isIn(leaf, state)));
  const cause = wanted.stuck === null || wanted.stuck === "any" ? 0 : causes.findIndex((one) => one === wanted.stuck) + 1;
  const isNoCause = wanted.stuck !== null && wanted.stuck !== "any" && cause === 0;
  const tenant = wanted.tenant === null ? 0 : tenants.indexOf(wanted.tenant) + 1;
  const isNoTenant = wanted.tenant !== null && tenant === 0;
  const found = new Uint32Array(ids.length);
  if (isNoCause || isNoTenant) return found.subarray(0, 0);
  let count = 0;
  for (const at of wanted.sort === "since" ? columns.bySince : columns.byId) {
    if (isPlace && !isPlace[columns.state[at]!]) continue;
    if (wanted.stuck !== null && (cause === 0 ? columns.stuck[at] === 0 : columns.stuck[at] !== cause)) continue;
    if (wanted.isFaulty && columns.faults[at] === 0) continue;
    if (tenant > 0 && columns.tenant[at] !== tenant) continue;
    if (text !== "" && !ids[at]!.toLowerCase().includes(text)) continue;
    found[count] = at;
    count += 1;
  }
  return sorted(columns, found.subarray(0, count), wanted);
}

function sorted(columns: ObjectColumns, rows: Uint32Array, { sort, isDown }: Wanted): Uint32Array {
  switch (sort) {
    case "id":
      return isDown ? rows.reverse() : rows;
    case "since": {
      // What is not known stands last, whichever way.
      const known = rows.findIndex((row) => Number.isNaN(columns.since[row]!));
      if (isDown) rows.subarray(0, known < 0 ? rows.length : known).reverse();
      return rows;
    }
    case "state": {
      const ranks = rankOf(columns.places.map((leaves) => leaves.join(", ")));
      return byKey(rows, (row) => ranks[columns.state[row]!]!, isDown);
    }
    case "records":
      return byKey(rows, (row) => columns.records[row]!, isDown);
    case "faults":
      return byKey(rows, (row) => columns.faults[row]!, isDown);
    case "stuck":
      return byKey(rows, (row) => columns.stuck[row]!, isDown);
  }
}

/** By a number of which there are few different ones; of equal ones, the order stays. */
function byKey(rows: Uint32Array, key: (row: number) => number, isDown: boolean): Uint32Array {
  const groups = new Map<number, number[]>();
  for (const row of rows) {
    const at = key(row);
    const known = groups.get(at);
    if (known) known.push(row);
    else groups.set(at, [row]);
  }
  const keys = [...groups.keys()].sort((a, b) => (isDown ? b - a : a - b));
  const result = new Uint32Array(rows.length);
  let count = 0;
  for (const at of keys) {
    result.set(groups.get(at)!, count);
    count += groups.get(at)!.length;
  }
  return result;
}

/** For each text its place among all. */
function rankOf(texts: readonly string[]): number[] {
  const order = texts.map((_, at) => at).sort((a, b) => (texts[a]! < texts[b]! ? -1 : texts[a]! > texts[b]! ? 1 : 0));
  const ranks: number[] = [];
  order.forEach((at, rank) => (ranks[at] = rank));
  return ranks;
}
