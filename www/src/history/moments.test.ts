import { expect, test } from "vitest";
import { indexAt, momentsOf } from "./moments";

const NOW = "2026-03-02T10:00:00Z";

test("moments are in order, each once, and end now", () => {
  const texts = ["2026-03-02T09:00:00.000002Z", null, "2026-03-02T09:00:00.000001Z", "2026-03-02T09:00:00Z", "2026-03-02T09:00:00Z", "2026-03-02T11:00:00Z"];
  expect(momentsOf(texts, NOW).map((one) => one.text)).toEqual(["2026-03-02T09:00:00Z", "2026-03-02T09:00:00.000001Z", "2026-03-02T09:00:00.000002Z", NOW]);
  expect(momentsOf([], NOW).map((one) => one.text)).toEqual([NOW]);
});

test("the moment at a time is the last that is not after it", () => {
  const moments = momentsOf(["2026-03-02T08:00:00Z", "2026-03-02T09:00:00.0005Z"], NOW);
  expect(indexAt(moments, "2026-03-02T07:00:00Z")).toBe(0);
  expect(indexAt(moments, "2026-03-02T08:30:00Z")).toBe(0);
  expect(indexAt(moments, "2026-03-02T09:00:00.000499Z")).toBe(0);
  expect(indexAt(moments, "2026-03-02T09:00:00.0005Z")).toBe(1);
  expect(indexAt(moments, NOW)).toBe(2);
});
