/** Durations as the package writes them (ISO 8601: `P3DT4H`), for people. Only display: nothing is decided by what is reckoned here. */

const PATTERN = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,6}))?S)?)?$/;
const UNITS: [bigint, string, string][] = [
  [86_400_000_000n, "d", "day"],
  [3_600_000_000n, "h", "hour"],
  [60_000_000n, "min", "minute"],
  [1_000_000n, "s", "second"],
  [1_000n, "ms", "millisecond"],
  [1n, "µs", "microsecond"],
];

/** Microseconds, exact at any size; nothing for what is no duration. */
export function microsOf(duration: string): bigint | undefined {
  const match = PATTERN.exec(duration);
  if (!match || duration.length < 3 || duration.endsWith("T")) return undefined;
  const [, days = "0", hours = "0", minutes = "0", seconds = "0", fraction = ""] = match;
  const whole = ((BigInt(days) * 24n + BigInt(hours)) * 60n + BigInt(minutes)) * 60n + BigInt(seconds);
  return whole * 1_000_000n + BigInt(fraction.padEnd(6, "0"));
}

/** Milliseconds, about: enough to draw and to sort. */
export function millisOf(duration: string): number {
  return Number(microsOf(duration) ?? 0n) / 1000;
}

/** `3 d 4 h`: the two largest units that stand beside each other, the rest is cut. What is no duration stays as it is. */
export function readable(duration: string | null | undefined): string {
  if (duration === null || duration === undefined) return "–";
  const micros = microsOf(duration);
  return micros === undefined ? duration : spanOf(micros);
}

/** The same of microseconds. */
export function spanOf(micros: bigint): string {
  if (micros === 0n) return "0 s";
  const at = UNITS.findIndex(([size]) => micros >= size);
  const [first, second] = [UNITS[at]!, UNITS[at + 1]];
  const count = micros / first[0];
  // Beside 120 days nobody asks for hours.
  const rest = count < 100n && second ? (micros % first[0]) / second[0] : 0n;
  const head = `${grouped(count)} ${first[1]}`;
  return rest > 0n ? `${head} ${rest} ${second![1]}` : head;
}

/** Every unit in words: `3 days, 4 hours and 0.000001 seconds` would be too long for a line, and is what a title is for. */
export function exact(duration: string | null | undefined): string {
  if (duration === null || duration === undefined) return "not known";
  let rest = microsOf(duration);
  if (rest === undefined) return duration;
  const parts: string[] = [];
  for (const [size, , name] of UNITS) {
    const count = rest / size;
    rest %= size;
    if (count > 0n) parts.push(`${grouped(count)} ${name}${count === 1n ? "" : "s"}`);
  }
  return `${parts.join(", ") || "0 seconds"} (${duration})`;
}

/** A message of the package with its durations as people read them: `due PT90M ago` becomes `due 1 h 30 min ago`. */
export function plainly(message: string): string {
  return message.replace(/(?<![\w.])P(?:\d+D)?(?:T[\dHMS.]*[HMS])?(?![\w])/g, (found) => readable(found));
}

/** `12,345`. */
export function grouped(count: number | bigint): string {
  return count.toString().replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** `1 row`, `2,000 rows`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** `1.5 MB`. */
export function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(0)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
