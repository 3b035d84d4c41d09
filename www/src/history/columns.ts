/** The lines of objects as columns, which travel from a worker without being copied. */
import type { ObjectLine, StuckCode } from "../core";
import type { ObjectColumns } from "./messages";

export function columnsOf(lines: readonly ObjectLine[]): ObjectColumns {
  const count = lines.length;
  const places = new Numbers<string[]>();
  const causes = new Numbers<StuckCode>();
  const tenants = new Numbers<string>();
  const columns: ObjectColumns = {
    ids: lines.map((line) => line.object_id),
    byId: new Uint32Array(),
    bySince: new Uint32Array(),
    places: places.all,
    state: new Uint32Array(count),
    since: new Float64Array(count),
    records: new Uint32Array(count),
    returns: new Uint32Array(count),
    isUnsure: new Uint8Array(count),
    faults: new Uint32Array(count),
    causes: causes.all,
    stuck: new Uint8Array(count),
    tenants: tenants.all,
    tenant: new Uint32Array(count),
  };
  lines.forEach((line, at) => {
    columns.state[at] = places.of(line.states.join("\n"), line.states);
    columns.since[at] = line.since === null ? NaN : Date.parse(line.since);
    columns.isUnsure[at] = Number(line.status === "uncertain");
    columns.records[at] = line.records;
    columns.returns[at] = line.re_entries;
    columns.faults[at] = line.violations;
    columns.stuck[at] = line.stuck === null ? 0 : causes.of(line.stuck, line.stuck) + 1;
    columns.tenant[at] = line.tenant_id === null ? 0 : tenants.of(line.tenant_id, line.tenant_id) + 1;
  });
  columns.byId = orderOfIds(columns.ids);
  const rank = new Uint32Array(count);
  columns.byId.forEach((at, place) => (rank[at] = place));
  const late = columns.since.map((since) => (Number.isNaN(since) ? Infinity : since));
  columns.bySince = orderOf(count, (a, b) => (late[a] === late[b] ? rank[a]! - rank[b]! : late[a]! < late[b]! ? -1 : 1));
  return columns;
}

function orderOf(count: number, compare: (a: number, b: number) => number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, at) => at).sort(compare);
}

const collator = new Intl.Collator("en", { numeric: true });
const PLAIN = /^([^0-9]*)(\d{1,15})$/;

/** The positions of ids in order: `order-9` before `order-10`. */
export function orderOfIds(ids: readonly string[]): Uint32Array {
  // A collator is slow, and most ids are a name and a number.
  const parts = ids.map((id) => PLAIN.exec(id));
  const names = new Map<string, number>();
  const name = Int32Array.from(parts, (part) => {
    if (!part) return -1;
    const known = names.get(part[1]!) ?? names.size;
    names.set(part[1]!, known);
    return known;
  });
  const number = Float64Array.from(parts, (part) => Number(part?.[2] ?? 0));
  return orderOf(ids.length, (a, b) => {
    const isAlike = name[a]! >= 0 && name[a] === name[b];
    const order = isAlike ? number[a]! - number[b]! : collator.compare(ids[a]!, ids[b]!);
    return order || (ids[a]! < ids[b]! ? -1 : ids[a]! > ids[b]! ? 1 : 0);
  });
}

/** What can be handed over instead of copied. */
export function buffersOf(columns: ObjectColumns): ArrayBuffer[] {
  return Object.values(columns).flatMap((column: unknown) => (ArrayBuffer.isView(column) ? [column.buffer as ArrayBuffer] : []));
}

/** Different values, numbered as they come. */
class Numbers<T> {
  readonly all: T[] = [];
  #known = new Map<string, number>();

  of(key: string, value: T): number {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#known.set(key, this.all.length);
    return this.all.push(value) - 1;
  }
}
