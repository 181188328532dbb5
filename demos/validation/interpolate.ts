// Reading a table between its entries.

/**
 * Value at `x` of the table (rising `xs`); at an entry that entry. Between entries: the cubic through the four around.
 */
export function interpolate(xs: readonly number[], ys: readonly number[], x: number): number {
  let i = 0;
  while (i < xs.length - 2 && xs[i + 1] <= x) i++;
  if (xs[i] === x) return ys[i];
  const first = Math.min(Math.max(i - 1, 0), xs.length - 4);
  let sum = 0;
  for (let a = first; a < first + 4; a++) {
    let share = ys[a];
    for (let b = first; b < first + 4; b++) if (b !== a) share *= (x - xs[b]) / (xs[a] - xs[b]);
    sum += share;
  }
  return sum;
}

/** First x at which the rising table reaches `y`, by straight lines. */
export function firstReach(xs: readonly number[], ys: readonly number[], y: number): number {
  for (let i = 1; i < xs.length; i++) {
    if (ys[i] >= y) return xs[i - 1] + ((xs[i] - xs[i - 1]) * (y - ys[i - 1])) / (ys[i] - ys[i - 1]);
  }
  return xs[xs.length - 1];
}
