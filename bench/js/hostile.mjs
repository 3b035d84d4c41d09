// What the worst expressions and the worst data cost, in milliseconds: the quickest of some runs. Goal: about 50 ms.
//
// - `compile` makes a machine with one guard.
// - `can` asks an instance, so that nothing crosses into WebAssembly; `apply` asks it and wants to know why not,
//   which takes a guard that is not true twice.
// - `evaluate` reads the expression, takes its variables across and writes down the answer.
//
// The limit `evaluation_steps` bounds each of them, if every step costs what it takes: a case far above the others
// is charged too little.

import assert from "node:assert/strict";

import { Machine, check, evaluate } from "../../web/pkg/veristate.js";
import { machineWith, snapshotOf } from "./guards.mjs";
import { print, verdict } from "./table.mjs";

const RUNS = 7;
const GOAL = 50;
/** A busy machine is no fault of the expression. */
const ALLOWED = GOAL * 1.5;

const AT = Date.parse("2026-01-01T13:00:00Z");

const times = (count, part, join = "") => Array.from({ length: count }, (_, at) => part(at)).join(join);
const numbers = (count) => Array.from({ length: count }, (_, at) => at);
const LONG = "a".repeat(1 << 20);
const SOME = "a".repeat(2000);

/** A tree of lists or of objects. */
const tree = (depth, width, make) => (depth === 0 ? 1 : make(Array.from({ length: width }, () => tree(depth - 1, width, make))));
const asObject = (items) => Object.fromEntries(items.map((item, at) => [`key${at}`, item]));

/** Name, expression, and the object's data. */
const CASES = [
  ["nothing", "object.n > 1", { n: 2 }],
  ["nested macros", "object.l.all(a, object.l.all(b, object.l.all(c, a + b + c >= 0)))", { l: numbers(1000) }],
  ["nested macros over objects", "object.l.all(a, object.l.all(b, a.n + b.n >= 0))", { l: numbers(1000).map((n) => ({ n })) }],
  ["a macro without inputs", `[0,1,2,3,4,5,6,7,8,9].all(a, ${times(5, (n) => `[0,1,2,3,4,5,6,7,8,9].all(x${n}, `)}true${")".repeat(5)})`],
  ["conjunctions in a macro", `object.l.all(a, ${times(300, () => "a>=0", "&&")})`, { l: numbers(10_000) }],
  ["long field names", `object.l.all(a, object.${SOME} > 0)`, { l: numbers(100_000), [SOME]: 1 }],
  ["long field names that are missing", `object.l.all(a, object.${SOME}b > 0)`, { l: numbers(100_000), [`${SOME}a`]: 1 }],
  ["fields that are missing", "object.l.all(a, a.x > 0)", { l: numbers(100_000).map(() => ({})) }],
  ["many fields that are missing", `object.l.all(a, ${times(250, (n) => `a.x${n} > 0`, "&&")})`, { l: numbers(10_000).map(() => ({})) }],
  ["values of the wrong type", "object.l.all(a, a.x > 0)", { l: numbers(100_000).map(() => ({ x: "1" })) }],
  ["wrong types in made lists", "object.l.map(a, [a]).all(a, a + 1 > 0)", { l: numbers(100_000) }],
  ["overflows", "object.l.all(a, a * 9223372036854775807 * 2 > 0)", { l: numbers(100_000) }],
  ["conversions of long texts", "object.l.all(a, double(object.t) == 0.0)", { l: numbers(100_000), t: "0".repeat(1 << 20) }],
  ["conversions that fail", "object.l.all(a, int(object.t) == 0)", { l: numbers(100_000), t: LONG }],
  ["times of long texts", "object.l.all(a, timestamp(object.t) < ctx.timestamp)", { l: numbers(100_000), t: `2026-01-01T12:00:00.${"0".repeat(1 << 20)}Z` }],
  ["durations of long texts", "object.l.all(a, duration(object.t) == duration('0s'))", { l: numbers(100_000), t: "1h".repeat(1 << 16) }],
  ["durations", "object.l.all(a, duration('1h') + duration(object.t) > duration('1s'))", { l: numbers(100_000), t: "1h30m" }],
  ["times written", "object.l.all(a, string(timestamp(a)) != '')", { l: numbers(100_000) }],
  ["doubles written", "object.l.all(a, string(a) != '')", { l: numbers(100_000).map((n) => 1 / (n + 3)) }],
  ["parts of times", "object.l.all(a, timestamp(a).getDayOfYear('+01:00') >= 0)", { l: numbers(100_000) }],
  ["text that doubles", `[object.t]${".map(x, x + x)".repeat(90)}.size() > 0`, { t: "ab" }],
  ["text that grows", "object.l.map(a, object.t + object.t).size() > 0", { l: numbers(100_000), t: "a".repeat(5000) }],
  ["long text that grows", `size(${times(90, () => "object.t", "+")}) > 0`, { t: LONG }],
  ["lists that double", `[[0]]${".map(x, x + x)".repeat(90)}.size() > 0`],
  ["lists in lists", `[0]${".map(x, [x, x])".repeat(90)}.size() > 1`],
  ["lists in lists, compared", `[0]${".map(x, [x, x])".repeat(45)} == [0]${".map(x, [x, x])".repeat(45)}`],
  ["lists that are joined", "object.l.all(a, (object.l + object.l).size() > 0)", { l: numbers(10_000) }],
  ["lists that are filtered", "object.l.all(a, object.l.filter(b, true).map(c, c).size() > 0)", { l: numbers(1000) }],
  ["equal data", "object.l.all(a, object.a == object.b)", { l: numbers(1000), a: tree(5, 8, (items) => items), b: tree(5, 8, (items) => items) }],
  ["equal objects", "object.l.all(a, object.a == object.b)", { l: numbers(1000), a: tree(5, 8, asObject), b: tree(5, 8, asObject) }],
  ["equal wide objects", "object.l.all(a, object.a == object.b)", { l: numbers(1000), a: asObject(numbers(50_000)), b: asObject(numbers(50_000)) }],
  ["equal long texts", "object.l.all(a, object.a == object.b)", { l: numbers(100_000), a: LONG, b: LONG }],
  ["long texts in a list", "object.l.all(a, !(object.a in object.m))", { l: numbers(1000), a: `${LONG}b`, m: numbers(5).map(() => `${LONG}c`) }],
  ["long keys", "object.l.all(a, !(object.a in object.m))", { l: numbers(100_000), a: `${LONG}b`, m: { [`${LONG}c`]: 1, [`${LONG}d`]: 1 } }],
  ["long keys that are missing", "object.l.all(a, object.m[object.a] > 0)", { l: numbers(100_000), a: `${LONG}b`, m: { [`${LONG}c`]: 1 } }],
  ["keys of a made map", `object.l.all(a, {${times(120, (n) => `object.k + '${n}': ${n}`, ",")}}[object.k + '119'] > 0)`, { l: numbers(1000), k: "a".repeat(10_000) }],
  ["a map with many keys", `{${times(200, (n) => `object.n+${n}:0`, ",")}}.size() > 0`, { n: 1 }],
  ["maps with many keys", `object.l.all(a, {${times(400, (n) => `a+${n}:0`, ",")}}.size() > 0)`, { l: numbers(1000) }],
  ["a wide object, by key", "object.l.all(a, object.m['key' + string(a)] >= 0)", { l: numbers(50_000), m: asObject(numbers(50_000)) }],
  ["a macro over keys", "object.l.all(a, object.m.all(k, k != ''))", { l: numbers(1000), m: asObject(numbers(50_000)) }],
  ["a search in long texts", "object.l.all(a, !object.t.contains(object.p))", { l: numbers(1000), t: LONG, p: `${"a".repeat(1000)}b` }],
  ["the size of long texts", "object.l.all(a, size(object.t) > 0)", { l: numbers(100_000), t: "ä".repeat(1 << 19) }],
  ["a pattern", "object.l.all(a, object.t.matches('(a*)*b'))", { l: numbers(100_000), t: "a".repeat(100) }],
  ["a pattern on long texts", "object.l.all(a, object.t.matches('(a|b|ab)*c(x+x+)+y'))", { l: numbers(1000), t: LONG }],
  ["a large pattern", "object.l.all(a, !object.t.matches('^((a?){20}){20}b$'))", { l: numbers(100_000), t: "a".repeat(1000) }],
  ["a large pattern on short texts", "object.l.all(a, !object.t.matches('((a?){20}){20}b'))", { l: numbers(100_000), t: "a" }],
  ["a pattern for each character", "object.l.all(a, !object.t.matches('[^b]{100}b|[^c]{100}c|(?i)[a-z]{100}d'))", { l: numbers(100_000), t: "a".repeat(1000) }],
  ["a computed pattern", "object.l.all(a, object.t.matches(object.p))", { l: numbers(100_000), t: "a", p: "(a*)*" }],
  ["large computed patterns", "object.l.all(a, object.t.matches(object.p))", { l: numbers(100_000), t: "a", p: "((a?){20}){20}" }],
  ["computed patterns that are too large", "object.l.all(a, object.t.matches(object.p))", { l: numbers(100_000), t: "a", p: "((a{100}){100}){100}" }],
  ["computed patterns of classes", "object.l.all(a, object.t.matches(object.p))", { l: numbers(100_000), t: "a", p: "(?i)[a-zA-Zä-öß]".repeat(60) }],
  ["long computed patterns", "object.l.all(a, object.t.matches(object.p))", { l: numbers(1000), t: "a", p: LONG }],
  ["many literal patterns", times(140, (n) => `object.t.matches('a{${n + 100}}')`, "||"), { t: "a".repeat(300) }],
  ["many constants", times(140, (n) => `'${n}'.matches('(a{9}){9}')`, "||")],
  ["many unknown names", times(500, (n) => `a${n}x`, "||"), {}, true],
  ["many unknown functions", times(300, (n) => `sizes${n}(1)`, "||"), {}, true],
  ["many types that do not fit", times(400, (n) => `'a'<${n}`, "||"), {}, true],
  ["4 kB of !", `${"!".repeat(4090)}true`, {}, true],
  ["4 kB of -", `${"-".repeat(4090)}1`, {}, true],
  ["4 kB of (", "(".repeat(4096), {}, true],
  ["4 kB of [", "[".repeat(4096), {}, true],
  ["4 kB of {", "{".repeat(4096), {}, true],
  ["4 kB of ?:", "true?".repeat(800), {}, true],
  ["4 kB of fields", `object${".a".repeat(2000)}`, {}, true],
  ["lists in lists, written", `[0]${".map(x, [x, x])".repeat(90)}`, {}, true],
  ["long texts, written", `[${times(500, () => "object.t", ",")}]`, { t: LONG }, true],
  ["99 deep", `${"[".repeat(97)}1${"]".repeat(97)}.size() > 0`],
  ["200 deep", `${"[".repeat(197)}1${"]".repeat(197)}.size() > 0`, {}, { expression_depth: 200 }],
  ["200 macros deep", `${times(60, (n) => `[1].all(x${n},`)}true${")".repeat(60)}`, {}, { expression_depth: 200 }],
];

/** Guards that name guards, twice each. */
function exponential() {
  const guards = { g0: "object.n > 1" };
  for (let at = 1; at < 30; at += 1) {
    guards[`g${at}`] = `g${at - 1} && g${at - 1}`;
  }
  return ["guards that name guards", "g29 && g29", { n: 2 }, {}, guards];
}

export function printHostile(only = "") {
  const rows = [...CASES, exponential()].filter(([name]) => (only === "" || name === only)).map(measureCase);
  print("Hostile guards: the longest that they take, in milliseconds", [
    ["", "compile", "can", "apply", "evaluate", "goal", "", "answer"],
    ...rows,
  ]);
}

function measureCase([name, text, object = {}, limits = {}, named]) {
  const data = limits === true ? {} : limits;
  const make = () => (named ? new Machine({ ...machineWith("true").definition, guards: named, transitions: [transition(text)] }, data) : machineOf(text, data));
  const taken = { compile: best(() => attempt(make)) };
  const machine = attempt(make);
  let answer = "refused";
  if (machine) {
    const instance = machine.instance(snapshotOf(object));
    instance.setContext({ timestamp: "2026-01-01T12:00:00Z" });
    taken.can = best(() => instance.can(0));
    // A refusal changes nothing, so that it can be had again.
    taken.apply = best(() => instance.apply(0, AT), instance.can(0) ? 1 : RUNS);
    answer = instance.refusal()?.reasons?.[0]?.code ?? "taken";
  } else {
    // A finding is an answer, too; a fault of WebAssembly would not be.
    assert.ok(check(JSON.stringify({ ...machineWith("true").definition, transitions: [transition(text)] })).length > 0);
  }
  if (!named) {
    const variables = { object, ctx: { timestamp: "2026-01-01T12:00:00Z" } };
    const crossing = best(() => evaluate("true", variables));
    let status;
    // What crosses may be large, and then takes a little longer at times.
    taken.evaluate = Math.max(0, best(() => ({ status } = evaluate(text, variables))) - crossing);
    answer += `, ${status}`;
  }
  const cell = (time) => (time === undefined ? "" : time.toFixed(1));
  const worst = Math.max(...Object.values(taken));
  return [
    name,
    ...["compile", "can", "apply", "evaluate"].map((key) => cell(taken[key])),
    String(GOAL),
    verdict(worst <= ALLOWED),
    answer,
  ];
}

const transition = (guard) => ({ name: "approve", from_state: "open", to_state: "approved", action: "approve", guard });

function machineOf(guard, limits) {
  return new Machine({ ...machineWith("true").definition, transitions: [transition(guard)] }, limits);
}

function attempt(make) {
  try {
    return make();
  } catch (error) {
    assert.equal(error.code, "invalid-definition", String(error));
    return undefined;
  }
}

function best(run, runs = RUNS) {
  let least = Infinity;
  let spent = 0;
  // What is far too slow need not be seen again.
  for (let time = 0; time < runs && spent < 1000; time += 1) {
    const start = performance.now();
    run();
    const took = performance.now() - start;
    least = Math.min(least, took);
    spent += took;
  }
  return least;
}
