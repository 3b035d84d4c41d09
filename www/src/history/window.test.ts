import { expect, test } from "vitest";
import { scrollTo, TALLEST, windowOf } from "./window";

test("only what is seen and a few around it are shown", () => {
  expect(windowOf(100_000, 30, 600, 0)).toEqual({ start: 0, end: 29, offset: 0, height: 3_000_000 });
  const middle = windowOf(100_000, 30, 600, 30_000);
  expect(middle).toEqual({ start: 992, end: 1029, offset: 29_760, height: 3_000_000 });
  expect(windowOf(100_000, 30, 600, 1e9).end).toBe(100_000);
  expect(windowOf(3, 30, 600, 0)).toEqual({ start: 0, end: 3, offset: 0, height: 90 });
  expect(windowOf(0, 30, 600, 50)).toEqual({ start: 0, end: 0, offset: 0, height: 0 });
});

test("wherever it is scrolled to, the view is covered with rows", () => {
  for (const count of [1, 20, 21, 5000, 1_000_000]) {
    for (const part of [0, 0.1, 0.333, 0.5, 0.9, 1]) {
      const view = 600;
      const { height } = windowOf(count, 30, view, 0);
      const top = part * Math.max(0, height - view);
      const { start, end, offset } = windowOf(count, 30, view, top);
      expect(offset).toBeLessThanOrEqual(top);
      expect(offset + (end - start) * 30).toBeGreaterThanOrEqual(Math.min(top + view, height) - 0.001);
      expect(end).toBeLessThanOrEqual(count);
    }
  }
});

test("a table that would be too tall is squeezed, and both ends can be reached", () => {
  expect(windowOf(1_000_000, 30, 600, 0).height).toBe(TALLEST);
  expect(windowOf(1_000_000, 30, 600, 0).start).toBe(0);
  expect(windowOf(1_000_000, 30, 600, TALLEST).end).toBe(1_000_000);
});

test("scrolling to a row moves as little as is needed", () => {
  expect(scrollTo(5, 1000, 30, 600, 0)).toBe(0);
  expect(scrollTo(20, 1000, 30, 600, 0)).toBeCloseTo(30);
  expect(scrollTo(5, 1000, 30, 600, 300)).toBeCloseTo(150);
  expect(scrollTo(999, 1000, 30, 600, 0)).toBeCloseTo(29_400);
  expect(scrollTo(0, 2, 30, 600, 0)).toBe(0);
  const far = scrollTo(777_777, 1_000_000, 30, 600, 0);
  const { start, end } = windowOf(1_000_000, 30, 600, far);
  expect(start).toBeLessThanOrEqual(777_777);
  expect(end).toBeGreaterThan(777_777);
});
