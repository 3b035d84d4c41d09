/** The times at which something happens to an object. They stay texts, as exact as the log: a `Date` would cut what is shorter than a millisecond. */

export interface Moment {
  /** As the log says it. */
  text: string;
  /** Milliseconds since 1970, to draw it. */
  at: number;
}

/** Different times in order, none later than `now`, which is the last. */
export function momentsOf(texts: readonly (string | null)[], now: string): Moment[] {
  const end = momentOf(now);
  const all = texts.flatMap((text) => (text === null ? [] : [momentOf(text)])).filter((one) => !Number.isNaN(one.at) && compare(one, end) <= 0);
  const sorted = [...all, end].sort(compare);
  return sorted.filter((one, index) => index === 0 || compare(sorted[index - 1]!, one) !== 0);
}

export function momentOf(text: string): Moment {
  return { text, at: Date.parse(text) };
}

/** The last of them that is not after a time; 0 where all are. */
export function indexAt(moments: readonly Moment[], text: string): number {
  const wanted = momentOf(text);
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(moments[middle]!, wanted) <= 0) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

export function compare(a: Moment, b: Moment): number {
  return Math.floor(a.at) - Math.floor(b.at) || microsOf(a.text) - microsOf(b.text);
}

/** Microseconds within the second. */
function microsOf(text: string): number {
  return Number((/\.(\d{1,6})/.exec(text)?.[1] ?? "").padEnd(6, "0"));
}
