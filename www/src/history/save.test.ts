import { expect, test } from "vitest";
import { csvOf, jsonOf, objectsTable } from "./save";

test("any text comes back out of a CSV, and none becomes a formula", () => {
  const rows = [["a,b", 'say "x"', "two\nlines", " edge "], ["=1+1", "-5", "+x", "@me"], [null, undefined, -5, true]];
  expect(csvOf({ columns: ["a", "b", "c", "d"], rows })).toBe(
    '\uFEFFa,b,c,d\r\n"a,b","say ""x""","two\nlines"," edge "\r\n\'=1+1,-5,\'+x,\'@me\r\n,,-5,true\r\n',
  );
});

test("JSON has one line for each row", () => {
  expect(jsonOf({ columns: ["a", "b"], rows: [["x", 1], [undefined, null]] })).toBe('[\n{"a":"x","b":1},\n{"a":null,"b":null}\n]\n');
  expect(jsonOf({ columns: ["a"], rows: [] })).toBe("[]\n");
});

test("the table of objects has what is shown, in its order", () => {
  const objects = {
    ids: ["o1", "o2"],
    byId: Uint32Array.of(0, 1),
    bySince: Uint32Array.of(1, 0),
    isUnsure: Uint8Array.of(0, 0),
    places: [["a"], ["b.x", "b.y"]],
    state: Uint32Array.of(0, 1),
    since: Float64Array.of(Number.NaN, 0),
    records: Uint32Array.of(1, 2),
    returns: Uint32Array.of(0, 1),
    faults: Uint32Array.of(0, 3),
    causes: ["overdue" as const],
    stuck: Uint8Array.of(0, 1),
    tenants: ["north"],
    tenant: Uint32Array.of(1, 0),
  };
  expect(objectsTable(objects, [1, 0]).rows).toEqual([
    ["o2", "b.x b.y", "1970-01-01T00:00:00.000Z", "overdue", 3, 2, 1, null],
    ["o1", "a", null, null, 0, 1, 0, "north"],
  ]);
});
