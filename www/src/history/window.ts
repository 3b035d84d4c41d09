/** Which rows of a long table are in the document: those that are seen, and a few around them. */

/** Browsers cut elements that are taller than some tens of millions of pixels: beyond this, the scrollbar moves faster than the rows. */
export const TALLEST = 8_000_000;

export interface Window {
  /** The first row, and the one behind the last. */
  start: number;
  end: number;
  /** How far the first of them is from the top of the whole, in pixels. */
  offset: number;
  /** How tall the whole is, in pixels. */
  height: number;
}

/** The rows to show of `count` rows, each `row` pixels tall, in a view that is `view` pixels tall and scrolled by `top`. */
export function windowOf(count: number, row: number, view: number, top: number, around = 8): Window {
  const all = count * row;
  const height = Math.min(all, TALLEST);
  if (count === 0 || row <= 0) return { start: 0, end: 0, offset: 0, height: 0 };
  const most = Math.max(0, height - view);
  const at = Math.min(Math.max(0, top), most);
  // Where the whole is squeezed, the position among all rows is in proportion.
  const real = height === all || most === 0 ? at : (at / most) * Math.max(0, all - view);
  const first = Math.min(count - 1, Math.floor(real / row));
  const seen = Math.ceil(view / row) + 1;
  const start = Math.max(0, first - around);
  const end = Math.min(count, first + seen + around);
  return { start, end, offset: Math.max(0, at - (real - start * row)), height };
}

/** Where to scroll so that a row is seen: as little as is needed. */
export function scrollTo(index: number, count: number, row: number, view: number, top: number): number {
  const all = count * row;
  const height = Math.min(all, TALLEST);
  const [most, mostReal] = [Math.max(0, height - view), Math.max(0, all - view)];
  const real = most === 0 ? 0 : (Math.min(top, most) / most) * mostReal;
  const wanted = Math.min(index * row, Math.max(real, (index + 1) * row - view));
  const clamped = Math.min(Math.max(0, wanted), mostReal);
  return mostReal === 0 ? 0 : (clamped / mostReal) * most;
}
