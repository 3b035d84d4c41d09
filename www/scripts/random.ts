/** Numbers that look random and are the same everywhere: mulberry32. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** At least 0, less than 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let value = this.#state;
    value = Math.imul(value ^ (value >>> 15), value | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** Mostly near `low`, seldom near `high`. Powers of two only: other functions may differ in their last digit. */
  skewed(low: number, high: number): number {
    const part = this.next();
    return low + (high - low) * part * part * part;
  }

  /** One of them, by weight. */
  weighted<Item extends { weight: number }>(items: readonly Item[]): Item | undefined {
    let left = this.next() * items.reduce((sum, item) => sum + item.weight, 0);
    return items.find((item) => (left -= item.weight) < 0) ?? items.at(-1);
  }
}
