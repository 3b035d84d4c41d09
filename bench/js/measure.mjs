// Measuring: two ways to do something, in turns.
//
// A busy machine slows down whatever runs at the moment. So the measurement
// has many rounds of short turns, one for each side, and the other side begins
// each time; a ratio is the median of the ratios within the rounds.

const ROUNDS = 400;
const WARM_UP = 100;

/** How long one turn takes, about, in nanoseconds: less than a scheduler's time slice. */
const TURN = 1e6;

/**
 * A side is a function that does something so many times; it may return the nanoseconds that this took, if not all of
 * its time counts. Answers with the median times of both sides and the spread of `theirs / ours`.
 */
export function measure(ours, theirs, operations = 1) {
  const sides = [ours, theirs].map((run) => ({ run, calls: 1, times: [] }));
  for (const side of sides) {
    warmUp(side);
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      side.times.push(turn(side) / side.calls / operations);
    }
  }
  const [own, other] = sides.map((side) => side.times);
  return {
    ours: spread(own).median,
    theirs: spread(other).median,
    ratio: spread(own.map((time, round) => other[round] / time)),
  };
}

/** Has the engine compile the code for speed, and finds how many calls fill a turn. */
function warmUp(side) {
  for (let round = 0; round < WARM_UP; round += 1) {
    const time = turn(side) / side.calls;
    side.calls = Math.max(1, Math.round(Math.min(TURN / time, side.calls * 2)));
  }
}

function turn({ run, calls }) {
  const start = process.hrtime.bigint();
  const counted = run(calls);
  return counted ?? Number(process.hrtime.bigint() - start);
}

/** The middle of many numbers, and the bounds of the middle half of them. */
function spread(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (quarter) => sorted[Math.floor(((sorted.length - 1) * quarter) / 4)];
  return { low: at(1), median: at(2), high: at(3) };
}
