// Projected Gauss–Seidel for quadratic programs with bounds: each unknown in turn to
// its own minimum inside its bounds.

import { multiplyBanded } from './banded-ldl';
import { type BoxProgram, type BoxResult, type BoxStops, projectedGradient } from './box-program';

/** Solves the program in place; one iteration is one sweep. */
export function solveProjectedGaussSeidel(program: BoxProgram, stops: BoxStops): BoxResult {
  const { size: n, halfBandwidth, A, b, lower, upper, x } = program;
  const width = halfBandwidth + 1;
  const gradient = new Float64Array(n);
  const measure = (): number => {
    multiplyBanded(gradient, A, n, halfBandwidth, x);
    for (let i = 0; i < n; i++) gradient[i] -= b[i];
    return projectedGradient(gradient, x, lower, upper, n);
  };
  let residual = measure();
  const goal = Math.max(stops.absolute, stops.relative * residual);
  let iterations = 0;
  while (residual > goal && iterations < stops.mostIterations) {
    iterations++;
    for (let i = 0; i < n; i++) {
      let sum = b[i];
      for (let k = Math.min(i, halfBandwidth); k > 0; k--) sum -= A[width * i + k] * x[i - k];
      for (let k = 1; k <= halfBandwidth && i + k < n; k++) sum -= A[width * (i + k) + k] * x[i + k];
      x[i] = Math.min(upper[i], Math.max(lower[i], sum / A[width * i]));
    }
    residual = measure();
    stops.note?.(iterations, residual);
  }
  return { iterations, residual, converged: residual <= goal };
}
