// Primal–dual interior point method for quadratic programs with bounds (predictor and corrector of Mehrotra).
//
// With slacks x − l, u − x and multipliers y, z ≥ 0 of the finite bounds: A x − b − y + z = 0,
// (x − l) y = (u − x) z = μ. Every iteration changes the diagonal, A + y/(x − l) + z/(u − x),
// and so needs a factor of its own.

import { factorBanded, multiplyBanded, solveBanded } from './banded-ldl';
import { type BoxProgram, type BoxResult, type BoxStops, projectedGradient } from './box-program';

/** How close to a wall a step may go, of the way [1]. */
const NEAREST = 0.995;
/** At the end an unknown this close to its bound, of the box or of 1, is put on it [1]. */
const ON_THE_WALL = 1e-9;

/** Solves the program in place. The residual is that of the iterate with unknowns next to a bound put on it. */
export function solveInteriorPoint(program: BoxProgram, stops: BoxStops): BoxResult {
  const { size: n, x } = program;
  const [y, z, stepY, stepZ, gradient, step, predicted] = Array.from({ length: 7 }, () => new Float64Array(n));
  const rounded = new Float64Array(n);
  const best = new Float64Array(n);
  const matrix = new Float64Array(n * (program.halfBandwidth + 1));
  const point: Point = { program, matrix, y, z, stepY, stepZ, gradient, step, predicted, rounded };
  const bounds = leaveWalls(point);
  let residual = measure(point);
  best.set(rounded);
  const goal = Math.max(stops.absolute, stops.relative * residual);
  let iterations = 0;
  while (residual > goal && iterations < stops.mostIterations && bounds > 0) {
    iterations++;
    if (!findStep(point, bounds)) break;
    const length = Math.min(1, NEAREST * reachOf(point));
    for (let i = 0; i < n; i++) {
      x[i] += length * step[i];
      y[i] += length * stepY[i];
      z[i] += length * stepZ[i];
    }
    const reached = measure(point);
    // Past the precision of the factor nothing but noise comes: the best iterate counts.
    if (!(reached < 1e3 * residual)) break;
    if (reached <= residual) {
      residual = reached;
      best.set(rounded);
    }
    stops.note?.(iterations, residual);
  }
  for (let i = 0; i < n; i++) x[i] = best[i];
  return { iterations, residual, converged: residual <= goal };
}

/** An iterate: multipliers of the lower and upper bounds, steps of it, and what a step needs. */
interface Point {
  readonly program: BoxProgram;
  readonly matrix: Float64Array;
  readonly y: Float64Array;
  readonly z: Float64Array;
  readonly step: Float64Array;
  readonly stepY: Float64Array;
  readonly stepZ: Float64Array;
  readonly gradient: Float64Array;
  /** Step of the predictor. */
  readonly predicted: Float64Array;
  /** x with what is next to a wall on it. */
  readonly rounded: Float64Array;
}

/** Starts between the walls, with multipliers of the size of the gradient; returns the number of finite bounds. */
function leaveWalls({ program, y, z, gradient }: Point): number {
  const { size: n, lower, upper, x } = program;
  let bounds = 0;
  for (let i = 0; i < n; i++) {
    // Unknowns without room stay where they are, held by a large multiplier.
    const room = Math.min(upper[i] - lower[i], 2);
    x[i] = Math.min(upper[i] - 0.05 * room, Math.max(lower[i] + 0.05 * room, x[i]));
    y[i] = Number.isFinite(lower[i]) ? 1 : 0;
    z[i] = Number.isFinite(upper[i]) ? 1 : 0;
    bounds += y[i] + z[i];
  }
  writeGradient(gradient, program, x);
  let scale = 0;
  for (let i = 0; i < n; i++) scale = Math.max(scale, Math.abs(gradient[i]));
  for (let i = 0; i < n; i++) {
    y[i] *= scale || 1;
    z[i] *= scale || 1;
  }
  return bounds;
}

function writeGradient(gradient: Float64Array, { size, halfBandwidth, A, b }: BoxProgram, x: Float64Array): void {
  multiplyBanded(gradient, A, size, halfBandwidth, x);
  for (let i = 0; i < size; i++) gradient[i] -= b[i];
}

/** The residual of all solvers, of `rounded`, which is written. */
function measure({ program, y, z, gradient, rounded }: Point): number {
  const { size: n, lower, upper, x } = program;
  for (let i = 0; i < n; i++) {
    const near = ON_THE_WALL * Math.min(1, upper[i] - lower[i]);
    rounded[i] = y[i] > x[i] - lower[i] && x[i] - lower[i] < 1e3 * near ? lower[i] : x[i];
    if (z[i] > upper[i] - x[i] && upper[i] - x[i] < 1e3 * near) rounded[i] = upper[i];
  }
  writeGradient(gradient, program, rounded);
  return projectedGradient(gradient, rounded, lower, upper, n);
}

/** Predictor and corrector with one factor; false where there is none. */
function findStep(point: Point, bounds: number): boolean {
  const { program, matrix, y, z, stepY, stepZ, gradient, step, predicted } = point;
  const { size: n, halfBandwidth, A, lower, upper, x } = program;
  const width = halfBandwidth + 1;
  let gap = 0;
  for (let i = 0; i < n; i++) {
    if (y[i] > 0) gap += y[i] * (x[i] - lower[i]);
    if (z[i] > 0) gap += z[i] * (upper[i] - x[i]);
  }
  gap /= bounds;

  for (let i = 0; i < n * width; i++) matrix[i] = A[i];
  for (let i = 0; i < n; i++) {
    if (y[i] > 0) matrix[width * i] += y[i] / (x[i] - lower[i]);
    if (z[i] > 0) matrix[width * i] += z[i] / (upper[i] - x[i]);
  }
  if (factorBanded(matrix, 0, n, halfBandwidth) >= 0) return false;

  writeGradient(gradient, program, x);
  predicted.fill(0);
  newton(point, 0, false);
  let after = 0;
  const reach = Math.min(1, reachOf(point));
  for (let i = 0; i < n; i++) {
    if (y[i] > 0) after += (y[i] + reach * stepY[i]) * (x[i] + reach * step[i] - lower[i]);
    if (z[i] > 0) after += (z[i] + reach * stepZ[i]) * (upper[i] - x[i] - reach * step[i]);
  }
  const centring = (after / bounds / gap) ** 3;
  for (let i = 0; i < n; i++) predicted[i] = step[i];
  newton(point, centring * gap, true);
  return true;
}

/**
 * step, stepY, stepZ of Newton's method towards the complementarity `target`; second-order
 * terms of the prediction if asked.
 */
function newton(point: Point, target: number, corrected: boolean): void {
  const { program, matrix, y, z, stepY, stepZ, gradient, step, predicted } = point;
  const { size: n, halfBandwidth, lower, upper, x } = program;
  for (let i = 0; i < n; i++) {
    const low = x[i] - lower[i];
    const high = upper[i] - x[i];
    // ΔxΔy of the prediction, with its multipliers eliminated.
    const foreY = corrected && y[i] > 0 ? predicted[i] * (-y[i] - (y[i] / low) * predicted[i]) : 0;
    const foreZ = corrected && z[i] > 0 ? -predicted[i] * (-z[i] + (z[i] / high) * predicted[i]) : 0;
    stepY[i] = y[i] > 0 ? (target - foreY) / low : 0;
    stepZ[i] = z[i] > 0 ? (target - foreZ) / high : 0;
    step[i] = -gradient[i] + stepY[i] - stepZ[i];
  }
  solveBanded(matrix, 0, n, halfBandwidth, step, 0);
  for (let i = 0; i < n; i++) {
    if (y[i] > 0) stepY[i] -= y[i] + (y[i] / (x[i] - lower[i])) * step[i];
    if (z[i] > 0) stepZ[i] -= z[i] - (z[i] / (upper[i] - x[i])) * step[i];
  }
}

/** How far x and the multipliers may go along their steps. */
function reachOf({ program, y, z, step, stepY, stepZ }: Point): number {
  const { size: n, lower, upper, x } = program;
  let length = Number.POSITIVE_INFINITY;
  for (let i = 0; i < n; i++) {
    if (step[i] < 0) length = Math.min(length, (lower[i] - x[i]) / step[i]);
    if (step[i] > 0) length = Math.min(length, (upper[i] - x[i]) / step[i]);
    if (y[i] > 0 && stepY[i] < 0) length = Math.min(length, -y[i] / stepY[i]);
    if (z[i] > 0 && stepZ[i] < 0) length = Math.min(length, -z[i] / stepZ[i]);
  }
  return length;
}
