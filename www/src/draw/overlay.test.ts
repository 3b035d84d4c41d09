import { expect, test } from "vitest";
import type { Edge } from "../core";
import { trafficOn } from "./overlay";

const isIn = (path: string, around: string): boolean => path === around || path.startsWith(`${around}.`);
const edge = (pointer: string, from: string, to: string): Edge => ({ id: "", mermaid: "", transition: "", action: "", trigger: "action", pointer, from, to });

test("an arrow has the traffic of its own transition, source and target", () => {
  const taken = [
    { pointer: "/t/0", from: ["a"], to: ["b"], count: 100 },
    { pointer: "/t/0", from: ["c"], to: ["b"], count: 10 },
    { pointer: "/t/1", from: ["b"], to: [], count: 1 },
  ];
  const found = trafficOn([edge("/t/0", "a", "b"), edge("/t/0", "c", "b"), edge("/t/1", "b", "b"), edge("/t/2", "a", "c")], taken, isIn);
  expect(found.map((one) => one?.badge ?? null)).toEqual(["×100", "×10", "×1", null]);
  expect(found.map((one) => one?.level ?? null)).toEqual([1, 0.5, 0, null]);
});

test("what leads out of the inside of a box is counted together", () => {
  const taken = [
    { pointer: "/t/0", from: ["box.a"], to: ["end"], count: 1200 },
    { pointer: "/t/0", from: ["box.b"], to: ["end"], count: 34 },
  ];
  expect(trafficOn([edge("/t/0", "box", "end")], taken, isIn).map((one) => one?.badge)).toEqual(["×1,234"]);
});
