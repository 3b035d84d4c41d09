/** Times and durations as people read them. Only display: the package does all arithmetic that decides. */

const UNITS: [number, string][] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
];

/** `1 h 5 min`: the two largest units. */
export function span(milliseconds: number): string {
  let rest = Math.abs(milliseconds);
  const parts: string[] = [];
  for (const [size, unit] of UNITS) {
    const count = Math.floor(rest / size);
    if (count > 0) parts.push(`${count} ${unit}`);
    rest -= count * size;
    if (parts.length === 2) break;
  }
  return parts.join(" ") || "0 s";
}

/** `09:00` on the day of `now`, else with its date. Always UTC. */
export function clock(time: string, now?: string): string {
  const iso = toIso(time);
  if (!iso) return time;
  const seconds = iso.slice(17, 19) === "00" ? "" : iso.slice(16, 19);
  const hours = `${iso.slice(11, 16)}${seconds}`;
  return now !== undefined && toIso(now)?.slice(0, 10) === iso.slice(0, 10) ? hours : `${iso.slice(0, 10)} ${hours}`;
}

export function between(from: string, to: string): number {
  return Date.parse(to) - Date.parse(from);
}

export function toIso(time: string): string | undefined {
  const value = Date.parse(time);
  return Number.isNaN(value) ? undefined : new Date(value).toISOString();
}

/** A whole number of seconds as the package reads it. */
export function isoSeconds(milliseconds: number): string {
  return `PT${Math.round(milliseconds / 1000)}S`;
}

/** `a, b and c`. */
export function list(words: string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** Reads what somebody typed as a time. Without an offset it is UTC, as everywhere on the page. A day that no calendar has is none. */
export function timeFrom(typed: string): string | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[ T]+(\d{1,2}:\d{2})(:\d{2}(?:\.\d+)?)?)?\s*(Z|UTC|[+-]\d{2}:\d{2})?$/i.exec(typed.trim());
  if (!match) return undefined;
  const [, day, minutes = "00:00", seconds = ":00", offset = "Z"] = match;
  const written = `${day}T${minutes.padStart(5, "0")}`;
  // `Date` makes 2 March of 30 February.
  if (day!.startsWith("0000") || toIso(`${written}Z`)?.slice(0, 16) !== written) return undefined;
  const iso = toIso(`${written}${seconds}${/utc|z/i.test(offset) ? "Z" : offset}`);
  return iso?.replace(".000Z", "Z");
}
