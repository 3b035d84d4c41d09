import { expect, test } from "vitest";
import { columnsOf, orderOfIds } from "./columns";
import type { ObjectLine } from "../core";
import { ALL, rowsOf, type Wanted } from "./table";

const line = (object_id: string, rest: Partial<ObjectLine> = {}): ObjectLine => ({
  object_id,
  tenant_id: null,
  states: ["Ready"],
  since: "2026-03-02T09:00:00Z",
  last_at: null,
  records: 1,
  re_entries: 0,
  violations: 0,
  stuck: null,
  status: "known",
  overdue: null,
  ...rest,
});
const columns = columnsOf([
  line("order-10", { states: ["Paid.Refund", "Legal.Open"], stuck: "overdue", tenant_id: "a" }),
  line("order-9", { violations: 2, since: null, tenant_id: "b", records: 7 }),
  line("Zebra", { stuck: "long", tenant_id: "a", records: 3 }),
]);
const isIn = (leaf: string, state: string): boolean => leaf === state || leaf.startsWith(`${state}.`);
const ids = (wanted: Partial<Wanted>): string[] => [...rowsOf(columns, { ...ALL, ...wanted }, isIn)].map((row) => columns.ids[row]!);

test("objects are found by id, state, cause, fault and tenant", () => {
  expect(ids({})).toEqual(["order-9", "order-10", "Zebra"]);
  expect(ids({ text: " ORDER " })).toEqual(["order-9", "order-10"]);
  expect(ids({ state: "Paid" })).toEqual(["order-10"]);
  expect(ids({ stuck: "any" })).toEqual(["order-10", "Zebra"]);
  expect(ids({ stuck: "long" })).toEqual(["Zebra"]);
  expect(ids({ stuck: "blocked" })).toEqual([]);
  expect(ids({ isFaulty: true })).toEqual(["order-9"]);
  expect(ids({ tenant: "a", stuck: "overdue" })).toEqual(["order-10"]);
  expect(ids({ tenant: "nobody" })).toEqual([]);
});

test("what is not known stands last in either order", () => {
  expect(ids({ sort: "since" }).at(-1)).toBe("order-9");
  expect(ids({ sort: "since", isDown: true }).at(-1)).toBe("order-9");
  expect(ids({ sort: "records", isDown: true })).toEqual(["order-9", "Zebra", "order-10"]);
});

test("numbers in ids count as numbers", () => {
  const ids = ["a-10", "a-9", "b-1", "a", "a-09"];
  expect([...orderOfIds(ids)].map((at) => ids[at])).toEqual(["a", "a-09", "a-9", "a-10", "b-1"]);
});

test("of many objects those that are wanted come in order", { timeout: 30_000 }, () => {
  const many = columnsOf(Array.from({ length: 20_000 }, (_, at) => line(`order-${(at * 7919) % 20_000}`, { records: at % 17 })));
  const rows = rowsOf(many, { ...ALL, text: "order-1", sort: "records", isDown: true }, isIn);
  expect(rows.length).toBe(11_111);
  const keys = [...rows].map((row) => many.records[row]!);
  expect(keys).toEqual([...keys].sort((a, b) => b - a));
  const first = [...rows].filter((row) => many.records[row] === 16).map((row) => Number(many.ids[row]!.slice(6)));
  expect(first).toEqual([...first].sort((a, b) => a - b));
});
