// Numbers of a result: JSON knows neither NaN nor infinity.

/** A number, or null in place of NaN and infinity. */
export type Finite = number | null;

export function finite(x: number): Finite {
  return Number.isFinite(x) ? x : null;
}
