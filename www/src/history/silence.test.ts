import { expect, test } from "vitest";
import { scaleOf, ticksOf } from "./silence";

const MINUTE = 60_000;
const DAY = 86_400_000;

test("a long silence is short and marked; what happens around it gets the room", () => {
  const burst = [0, 1, 2, 3, 4].map((at) => at * MINUTE);
  const scale = scaleOf([...burst, ...burst.map((at) => at + 30 * DAY)], 500);
  const silences = scale.pieces.filter((piece) => piece.isSilence);
  expect(silences).toHaveLength(1);
  expect(silences[0]).toMatchObject({ from: 4 * MINUTE, to: 30 * DAY });
  expect(silences[0]!.x1 - silences[0]!.x0).toBeLessThanOrEqual(50);
  expect(scale.x(4 * MINUTE)).toBeGreaterThan(200);
  expect(scale.x(30 * DAY + 4 * MINUTE)).toBeCloseTo(500);
});

test("times that are alike are drawn to scale", () => {
  const scale = scaleOf([0, 10, 20, 30, 40], 400);
  expect(scale.pieces).toHaveLength(1);
  expect([scale.x(0), scale.x(20), scale.x(40)]).toEqual([0, 200, 400]);
  expect(scaleOf([0, 1000], 100).pieces).toHaveLength(1);
});

test("a scale keeps the order of times and can be read backwards", () => {
  const times = [5, 0, 1, 2, 900, 901, 905, 100_000, 100_002].map((at) => at * 1000);
  const scale = scaleOf(times, 640);
  const sorted = [...times].sort((a, b) => a - b);
  sorted.reduce((before, time) => {
    expect(scale.x(time)).toBeGreaterThan(before);
    expect(Math.abs(scale.time(scale.x(time)) - time)).toBeLessThanOrEqual(1);
    return scale.x(time);
  }, -1);
  expect(scale.x(-5)).toBe(0);
  expect(scale.x(1e12)).toBeCloseTo(640);
});

test("silences never take more than their share, however many there are", () => {
  const times = Array.from({ length: 60 }, (_, at) => [at * 1e9, at * 1e9 + 1, at * 1e9 + 2, at * 1e9 + 3]).flat();
  const scale = scaleOf(times, 300);
  const quiet = scale.pieces.filter((piece) => piece.isSilence).reduce((sum, piece) => sum + piece.x1 - piece.x0, 0);
  expect(quiet).toBeLessThanOrEqual(120.001);
});

test("nothing and a single time have a scale, too", () => {
  expect(scaleOf([], 300).x(7)).toBe(0);
  expect(scaleOf([7, 7, NaN], 300).x(7)).toBe(150);
  expect(ticksOf(scaleOf([7], 300))).toEqual([]);
});

test("ticks are round times within the pieces that are drawn to scale", () => {
  expect(ticksOf(scaleOf([0, 1, 2, 3, 4].map((at) => at * DAY), 500))).toEqual([0, 1, 2, 3, 4].map((at) => at * DAY));
});
