// A side of `cargo xtask bench histories`: the npm package, or a loop as one writes it in JavaScript.
//
//     node histories.mjs veristate|typed|objects FOLDER
//
// Reads the columns in FOLDER into its own form, then answers each line of the input with one of JSON: `go` does all
// the work once and says how long that took, `answer` says what came out.
//
// - `veristate`: `log.report` and `log.stateAt`; the columns were handed over before, as typed arrays.
// - `typed`: a loop over typed arrays, times as numbers.
// - `objects`: the same loop over one object for each record.
//
// The loops go through the rows in order, which they are known to be in, and count what is asked for and nothing
// else. Percentiles: `Float64Array.sort`. Sums leave the numbers before they are inexact.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { serve } from "./serve.mjs";

const [side, folder] = process.argv.slice(2);
const meta = JSON.parse(readFileSync(join(folder, "meta.json"), "utf8"));
const STATES = meta.states.length;
const NOT_CREATED = 255;
const UNCERTAIN = 16;

/** A column from its file. */
function column(name, Type) {
  const { buffer, byteOffset, byteLength } = readFileSync(join(folder, name));
  return new Type(buffer.slice(byteOffset, byteOffset + byteLength));
}

function columns() {
  return {
    object: column("object", Uint32Array),
    time: column("time", BigInt64Array),
    from: column("from", Uint8Array),
    to: column("to", Uint8Array),
    sequence: column("sequence", Uint32Array),
  };
}

/** Two loops that differ in nothing but where a row is. */
function loops() {
  const log = columns();
  const count = log.object.length;
  const time = Float64Array.from(log.time, Number);
  const isWay = new Uint8Array(256 * 16);
  for (const [from, to] of meta.ways) {
    isWay[from * 16 + to] = 1;
  }
  const { object, from, to, sequence } = log;
  if (side === "typed") {
    return () => {
      const tally = new Tally(isWay, count);
      for (let row = 0; row < count; row += 1) {
        tally.row(object[row], time[row], from[row], to[row], sequence[row]);
      }
      return tally;
    };
  }
  const records = Array.from(time, (at, row) => ({
    object: object[row],
    time: at,
    from: from[row],
    to: to[row],
    sequence: sequence[row],
  }));
  return () => {
    const tally = new Tally(isWay, count);
    for (const record of records) {
      tally.row(record.object, record.time, record.from, record.to, record.sequence);
    }
    return tally;
  };
}

class Tally {
  chain = 0;
  sequence = 0;
  way = 0;
  time = 0;
  places = new Uint8Array(meta.objects).fill(NOT_CREATED);
  #unsure = [];
  #lengths;
  #counts = new Uint32Array(STATES);
  #object = -1;
  #time = 0;
  #to = 0;
  #sequence = 0;
  #isWay;

  constructor(isWay, count) {
    this.#isWay = isWay;
    this.#lengths = Array.from({ length: STATES }, () => new Float64Array(count >> 3));
  }

  row(object, time, from, to, sequence) {
    this.way += 1 - this.#isWay[from * 16 + to];
    if (object === this.#object) {
      const gap = from !== this.#to || sequence !== this.#sequence + 1;
      if (gap || time < this.#time) {
        this.#odd(object, time, from, sequence, gap);
      } else {
        const count = this.#counts[from];
        if (count === this.#lengths[from].length) {
          this.#grow(from);
        }
        this.#lengths[from][count] = time - this.#time;
        this.#counts[from] = count + 1;
      }
    }
    if (time <= meta.at) {
      this.places[object] = to;
    }
    this.#object = object;
    this.#time = time;
    this.#to = to;
    this.#sequence = sequence;
  }

  #odd(object, time, from, sequence, gap) {
    const before = this.#time;
    this.chain += from === this.#to ? 0 : 1;
    this.sequence += sequence === this.#sequence + 1 ? 0 : 1;
    this.time += time < before ? 1 : 0;
    if ((gap && before < meta.at && time > meta.at) || (before > meta.at && time <= meta.at)) {
      this.#unsure.push(object);
    }
  }

  #grow(state) {
    const longer = new Float64Array(this.#lengths[state].length * 2);
    longer.set(this.#lengths[state]);
    this.#lengths[state] = longer;
  }

  /** What is left to do when all rows were seen. */
  done() {
    for (const object of this.#unsure) {
      this.places[object] += UNCERTAIN;
    }
    this.distribution = new Array(STATES + 2).fill(0);
    for (const place of this.places) {
      this.distribution[place < STATES ? place : place === NOT_CREATED ? STATES + 1 : STATES] += 1;
    }
    this.dwell = this.#lengths.map((lengths, state) => dwell(lengths.subarray(0, this.#counts[state])));
    return this;
  }

  told() {
    const letters = Buffer.from("abcdefghi.......ABCDEFGHI" + "-".repeat(231));
    const { dwell, distribution, chain, sequence, way, time } = this;
    const state_at = Buffer.from(this.places.map((place) => letters[place])).toString("latin1");
    return { dwell, distribution, state_at, faults: { chain, sequence, way, time } };
  }
}

function dwell(lengths) {
  const count = lengths.length;
  if (count === 0) {
    return { count, sum: "0", mean: 0, p50: 0, p90: 0, p99: 0, max: 0 };
  }
  let [exact, sum] = [0n, 0];
  for (const length of lengths) {
    sum += length;
    if (sum > 2 ** 52) {
      exact += BigInt(sum);
      sum = 0;
    }
  }
  exact += BigInt(sum);
  lengths.sort();
  const [p50, p90, p99] = [50, 90, 99].map((part) => lengths[Math.ceil((count * part) / 100) - 1]);
  return { count, sum: String(exact), mean: Number(exact / BigInt(count)), p50, p90, p99, max: lengths[count - 1] };
}

/** The package: a report as of now, and where all objects were. */
async function veristate() {
  const { Machine, initSync } = await import("../../web/pkg/veristate.js");
  initSync({ module: readFileSync(new URL("../../web/pkg/veristate_bg.wasm", import.meta.url)) });
  const { object, time, from, to, sequence } = columns();
  const machine = new Machine(readFileSync(new URL("../instance.json", import.meta.url), "utf8"));
  const log = machine.log();
  log.addColumns({
    objects: Array.from({ length: meta.objects }, (_, number) => `object-${number}`),
    object,
    time,
    from: Int32Array.from(from, (state) => (state < STATES ? state : -1)),
    to: Int32Array.from(to),
    sequence,
    states: meta.states,
  });
  const options = { as_of: new Date(meta.now / 1000) };
  const at = new Date(meta.at / 1000);
  return () => ({ report: log.report(options), places: log.stateAt(at, options) });
}

/** Answers of the package in the form of all sides. */
function translated({ report, places }) {
  const of = (list, name) => list.find(({ state }) => state === name);
  const rows = (...rules) => rules.reduce((sum, rule) => sum + (report.violations.by_code[rule] ?? 0), 0);
  const letter = ({ status, states }) => {
    const letter = "abcdefghi"[meta.states.indexOf(states[0])];
    return { known: letter, uncertain: letter?.toUpperCase(), not_created: "-" }[status] ?? "?";
  };
  return {
    dwell: meta.states.map((name) => {
      const { count, ...times } = of(report.states, name).closed ?? { count: 0, sum: "PT0S", mean: "PT0S" };
      const [sum, mean, p50, p90, p99, max] = ["sum", "mean", "p50", "p90", "p99", "max"].map((what) =>
        micros(times[what] ?? "PT0S"),
      );
      return { count, sum: String(sum), mean, p50, p90, p99, max };
    }),
    distribution: [
      ...meta.states.map((name) => of(places.states, name).objects),
      places.uncertain,
      places.not_created,
    ],
    state_at: places.objects.map(letter).join(""),
    faults: {
      chain: rows("chain-gap"),
      sequence: rows("sequence-skips", "sequence-repeats"),
      way: rows("unknown-transition"),
      time: rows("time-runs-back"),
    },
  };
}

/** A duration as text in microseconds: a number, or a BigInt where that would not be exact. */
function micros(text) {
  const [, days = 0, hours = 0, minutes = 0, seconds = 0, part = ""] = text.match(
    /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?)?$/,
  );
  const whole = ((BigInt(days) * 24n + BigInt(hours)) * 60n + BigInt(minutes)) * 60n + BigInt(seconds);
  const all = whole * 1_000_000n + BigInt(part.padEnd(6, "0"));
  return all > Number.MAX_SAFE_INTEGER ? all : Number(all);
}

if (side === "veristate") {
  serve(await veristate(), translated);
} else {
  const run = loops();
  serve(
    () => run().done(),
    (tally) => tally.told(),
  );
}
