/**
 * A scale of time on which long silences are short. Bursts and then idle days are what most histories are; drawn to
 * scale, all that happened would be a line. What is compressed is marked, and its length is written there.
 */

/** A stretch of time and where it is drawn. Times are in milliseconds since 1970, places in pixels. */
export interface Piece {
  from: number;
  to: number;
  x0: number;
  x1: number;
  /** Nothing happens in it, and it is drawn shorter than it is. */
  isSilence: boolean;
}

export interface Scale {
  pieces: Piece[];
  width: number;
  /** Where a time is drawn; what lies outside is at the edge. */
  x(time: number): number;
  /** The time that is drawn at a place. */
  time(x: number): number;
}

/** A silence is so many times as long as the usual distance of events. */
const LONG = 8;
/** It takes this part of the whole, or it is not worth a mark. */
const WORTH = 0.08;
/** How wide a silence is drawn, in pixels, and how much of the width all of them may take. */
const WIDTH = 46;
const SHARE = 0.4;

/** The scale for what happened at these times, in any order, drawn in so many pixels. */
export function scaleOf(times: readonly number[], width: number): Scale {
  const at = [...new Set(times.filter(Number.isFinite))].sort((a, b) => a - b);
  if (at.length === 0) return made([{ from: 0, to: 0, x0: 0, x1: width, isSilence: false }], width);
  const [first, last] = [at[0]!, at.at(-1)!];
  const silences = silencesIn(at);
  const narrow = silences.length === 0 ? 0 : Math.min(WIDTH, (width * SHARE) / silences.length);
  const quiet = silences.reduce((sum, [from, to]) => sum + to - from, 0);
  const busy = last - first - quiet;
  const room = width - narrow * silences.length;
  const pieces: Piece[] = [];
  let [time, x] = [first, 0];
  const add = (to: number, isSilence: boolean): void => {
    const part = isSilence ? narrow : busy === 0 ? 0 : ((to - time) / busy) * room;
    if (to > time) pieces.push({ from: time, to, x0: x, x1: x + part, isSilence });
    if (to > time) [time, x] = [to, x + part];
  };
  for (const [from, to] of silences) {
    add(from, false);
    add(to, true);
  }
  add(last, false);
  if (pieces.length === 0) pieces.push({ from: first, to: last, x0: width / 2, x1: width / 2, isSilence: false });
  return made(pieces, width);
}

/** The stretches between events that are far longer than usual. */
function silencesIn(at: readonly number[]): [number, number][] {
  const gaps = at.slice(1).map((time, index) => time - at[index]!);
  // Two events have one distance, which is usual.
  if (gaps.length < 2) return [];
  const usual = [...gaps].sort((a, b) => a - b)[Math.floor((gaps.length - 1) / 2)]!;
  const all = at.at(-1)! - at[0]!;
  return gaps.flatMap((gap, index): [number, number][] => (gap > usual * LONG && gap > all * WORTH ? [[at[index]!, at[index + 1]!]] : []));
}

function made(pieces: Piece[], width: number): Scale {
  const x = (time: number): number => {
    const piece = pieces.find((one) => time <= one.to) ?? pieces.at(-1)!;
    const length = piece.to - piece.from;
    const part = length === 0 ? 0 : Math.min(1, Math.max(0, (time - piece.from) / length));
    return piece.x0 + part * (piece.x1 - piece.x0);
  };
  const time = (at: number): number => {
    const piece = pieces.find((one) => at <= one.x1) ?? pieces.at(-1)!;
    const length = piece.x1 - piece.x0;
    const part = length === 0 ? 0 : Math.min(1, Math.max(0, (at - piece.x0) / length));
    return Math.round(piece.from + part * (piece.to - piece.from));
  };
  return { pieces, width, x, time };
}

/** A few times to write below a scale: round ones in the pieces that have room for them. */
export function ticksOf(scale: Scale, room = 110): number[] {
  return scale.pieces.flatMap((piece) => {
    if (piece.isSilence || piece.to === piece.from) return [];
    const count = Math.floor((piece.x1 - piece.x0) / room);
    if (count < 1) return [];
    const step = stepFor((piece.to - piece.from) / count);
    const ticks: number[] = [];
    for (let at = Math.ceil(piece.from / step) * step; at <= piece.to && ticks.length < 50; at += step) ticks.push(at);
    return ticks;
  });
}

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];
const STEPS = [1, 10, 100, SECOND, 5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY, 14 * DAY, 28 * DAY, 91 * DAY, 182 * DAY, 364 * DAY];

function stepFor(least: number): number {
  return STEPS.find((step) => step >= least) ?? Math.ceil(least / (364 * DAY)) * 364 * DAY;
}
