// Quadratic programs with bounds on every unknown: minimise ½ xᵀA x − bᵀx subject to lower ≤ x ≤ upper.
//
// A is a symmetric positive definite band matrix (storage: see active-set-cholesky). Solvers: mprgp,
// projected-gauss-seidel, interior-point. All leave x inside its bounds and report the same residual: the largest entry
// of the projected gradient g = A x − b, where what pushes against a bound counts as 0.

/** Minimise ½ xᵀA x − bᵀx subject to lower ≤ x ≤ upper; bounds may be infinite. */
export interface BoxProgram {
  readonly size: number;
  readonly halfBandwidth: number;
  /** Lower triangle by rows, halfBandwidth + 1 numbers each. */
  readonly A: Float64Array;
  readonly b: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** In: the start, inside the bounds. Out: the solution. */
  readonly x: Float64Array;
}

/** When a solver stops. */
export interface BoxStops {
  /** Largest projected gradient, absolute. */
  readonly absolute: number;
  /** The same, of that at the start. */
  readonly relative: number;
  readonly mostIterations: number;
  /** Told the residual after every iteration. */
  readonly note?: (iteration: number, residual: number) => void;
}

/** How a solve ended. */
export interface BoxResult {
  iterations: number;
  /** Largest projected gradient at the end. */
  residual: number;
  converged: boolean;
}

/** Largest entry of the projected gradient at x. */
export function projectedGradient(
  gradient: Float64Array,
  x: Float64Array,
  lower: Float64Array,
  upper: Float64Array,
  n: number,
): number {
  let largest = 0;
  for (let i = 0; i < n; i++) {
    const g = gradient[i];
    if (x[i] <= lower[i] && g > 0) continue;
    if (x[i] >= upper[i] && g < 0) continue;
    const size = g < 0 ? -g : g;
    // Not a number counts as the largest.
    if (!(size <= largest)) largest = size;
  }
  return largest;
}
