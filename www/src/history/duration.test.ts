import { expect, test } from "vitest";
import { counted, exact, grouped, microsOf, plainly, readable, sizeOf } from "./duration";

test.each([
  ["PT0S", "0 s"],
  ["PT0.000001S", "1 µs"],
  ["PT0.25S", "250 ms"],
  ["PT59S", "59 s"],
  ["PT1M5S", "1 min 5 s"],
  ["PT23H59M59.9S", "23 h 59 min"],
  ["P1D", "1 d"],
  ["P3DT4H", "3 d 4 h"],
  ["P3DT4M", "3 d"],
  ["P120DT5H", "120 d"],
  ["P106751991167300DT15H30M7S", "106,751,991,167,300 d"],
  ["forever", "forever"],
])("%s is read as %s", (duration, text) => expect(readable(duration)).toBe(text));

test("what is no duration has no microseconds", () => {
  for (const text of ["", "P", "PT", "P1Y", "PT1", "-PT1S", "PT1.1234567S", "P1DT"]) expect(microsOf(text)).toBeUndefined();
});

test("microseconds are exact beyond 2^53", () => {
  expect(microsOf("P104249DT23H47M34.740993S")).toBe(9_007_199_254_740_993n);
});

test("the exact value says every unit and the duration itself", () => {
  expect(exact("P1DT2H0.5S")).toBe("1 day, 2 hours, 500 milliseconds (P1DT2H0.5S)");
  expect(exact("PT0S")).toBe("0 seconds (PT0S)");
  expect(exact(null)).toBe("not known");
});

test("numbers are grouped and counted", () => {
  expect([grouped(999), grouped(1000), grouped(1_234_567)]).toEqual(["999", "1,000", "1,234,567"]);
  expect([counted(1, "row"), counted(0, "row"), counted(2, "entry", "entries")]).toEqual(["1 row", "0 rows", "2 entries"]);
  expect([sizeOf(12), sizeOf(56_000), sizeOf(104_857_600)]).toEqual(["12 B", "56 kB", "104.9 MB"]);
});

test("durations in a sentence are read, and nothing else is touched", () => {
  expect(plainly("was due at 2026-01-05T09:31:22.393Z, P115DT14H28M37.607S ago; at most PT0S")).toBe("was due at 2026-01-05T09:31:22.393Z, 115 d ago; at most 0 s");
  expect(plainly("`P` in PT1X of P1D, PT23H24M34.904S before row 95.")).toBe("`P` in PT1X of 1 d, 23 h 24 min before row 95.");
});
