// The way of a box: which boxes does it enter, and when.

/** A moving box: its bounds at the start [m] and its direction, in the axes of the boxes that it may enter. */
export interface Way {
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly along: Float64Array;
}

/** A way to be set. */
export function createWay(): Way {
  return { low: new Float64Array(3), high: new Float64Array(3), along: new Float64Array(3) };
}

/** Where the way enters a box (min, max) widened by `slack` [m]; infinite where it does not by `limit`. */
export function enterBox(
  { low, high, along }: Way,
  boxes: Float64Array,
  at: number,
  limit: number,
  slack: number,
): number {
  let from = 0;
  let to = limit;
  for (let k = 0; k < 3; k++) {
    const first = boxes[at + k] - high[k] - slack;
    const last = boxes[at + 3 + k] - low[k] + slack;
    // What hardly moves would overflow.
    if (Math.abs(along[k]) < 1e-290) {
      if (first > 0 || last < 0) return Number.POSITIVE_INFINITY;
      continue;
    }
    const a = first / along[k];
    const b = last / along[k];
    from = Math.max(from, Math.min(a, b));
    to = Math.min(to, Math.max(a, b));
  }
  return from <= to ? from : Number.POSITIVE_INFINITY;
}
