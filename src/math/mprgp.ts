// MPRGP, modified proportioning with reduced gradient projections (Dostál and Schöberl 2005; Dostál 2009),
// preconditioned in the face, for two-sided bounds.
//
// Conjugate gradients run in the face of the unknowns that are off their bounds. Where the step would leave the box,
// the active set expands: the step is taken whole and projected where that lowers the objective by more than going to
// the wall alone does, and a projected step of fixed length along the reduced free gradient follows. Where the part of
// the gradient that pulls away from bounds (the chopped gradient β) outweighs the free part φ, ‖β‖² > Γ²
// φ̃ᵀφ, a step along β frees unknowns (proportioning). Γ = 1.
//
// Two departures from the books, against crawling. The fixed step of an unknown is one over the row sum of |A|, and
// norms are weighted by it, instead of 1/‖A‖ for all: the diagonal of row sums bounds A as well, and the method no
// longer depends on the units of the unknowns. With 1/‖A‖ a program with unknowns of unlike stiffness stands still
// after the first walls (level strand of 30 points, incomplete Cholesky: no end within 10 000 iterations, now 25). And
// the projected whole step: with the step to the wall alone, an unknown that was freed and is pushed back at once stops
// all others (2857 iterations where 36 do). The preconditioner sees the active set and must be symmetric positive
// definite on the free unknowns, 0 on the others.

import { multiplyBanded } from './banded-ldl';
import { type BoxProgram, type BoxResult, type BoxStops, projectedGradient } from './box-program';

/** What conjugate gradients are helped by. `prepare` once a matrix, `apply`: z ≈ inverse of the free part times r. */
export interface FacePreconditioner {
  prepare(A: Float64Array, size: number, halfBandwidth: number): void;
  apply(z: Float64Array, r: Float64Array, active: Int8Array): void;
}

/** Work area for programs of at most `size` unknowns. */
export interface MprgpWork {
  readonly gradient: Float64Array;
  readonly direction: Float64Array;
  readonly product: Float64Array;
  readonly turned: Float64Array;
  readonly z: Float64Array;
  readonly fixedStep: Float64Array;
  readonly active: Int8Array;
}

export function createMprgpWork(size: number): MprgpWork {
  return {
    gradient: new Float64Array(size),
    direction: new Float64Array(size),
    product: new Float64Array(size),
    turned: new Float64Array(size),
    z: new Float64Array(size),
    fixedStep: new Float64Array(size),
    active: new Int8Array(size),
  };
}

/** Proportionality constant Γ. */
const PROPORTION = 1;

/** Solves the program in place; allocates nothing but the result. */
export function solveMprgp(
  program: BoxProgram,
  preconditioner: FacePreconditioner,
  stops: BoxStops,
  work: MprgpWork,
): BoxResult {
  const { size: n, halfBandwidth, A, lower, upper, x } = program;
  const { gradient: g, direction: p, product, turned, z, fixedStep, active } = work;
  preconditioner.prepare(A, n, halfBandwidth);
  writeFixedSteps(fixedStep, A, n, halfBandwidth);

  measureGradient(g, program);
  markActive(active, x, lower, upper, n);
  let residual = projectedGradient(g, x, lower, upper, n);
  const goal = Math.max(stops.absolute, stops.relative * residual);
  restart(p, z, g, active, n, preconditioner);

  let iterations = 0;
  while (residual > goal && iterations < stops.mostIterations) {
    iterations++;
    if (isProportional(g, x, lower, upper, active, n, fixedStep)) {
      multiplyBanded(product, A, n, halfBandwidth, p);
      const curvature = dot(p, product, n);
      const wanted = curvature > 0 ? dot(g, p, n) / curvature : 0;
      const feasible = longestStep(x, p, lower, upper, n);
      if (wanted <= feasible) {
        // A step of conjugate gradients inside the face.
        for (let i = 0; i < n; i++) {
          x[i] -= wanted * p[i];
          g[i] -= wanted * product[i];
        }
        preconditioner.apply(z, g, active);
        const turn = curvature > 0 ? dot(z, product, n) / curvature : 0;
        for (let i = 0; i < n; i++) p[i] = z[i] - turn * p[i];
      } else {
        // The step whole and projected, or to the wall; z is the way and `turned` what it does to the gradient.
        for (let i = 0; i < n; i++) z[i] = clamp(x[i] - wanted * p[i], lower[i], upper[i]) - x[i];
        multiplyBanded(turned, A, n, halfBandwidth, z);
        const whole = dot(g, z, n) + 0.5 * dot(z, turned, n);
        const toWall = feasible * (0.5 * feasible * curvature - dot(g, p, n));
        if (whole < toWall) {
          for (let i = 0; i < n; i++) {
            x[i] = clamp(x[i] - wanted * p[i], lower[i], upper[i]);
            g[i] += turned[i];
          }
        } else {
          for (let i = 0; i < n; i++) {
            x[i] = clamp(x[i] - feasible * p[i], lower[i], upper[i]);
            g[i] -= feasible * product[i];
          }
        }

        // On by the fixed step; what is on a wall now stays there.
        markActive(active, x, lower, upper, n);
        for (let i = 0; i < n; i++) {
          if (active[i] === 0) x[i] = clamp(x[i] - fixedStep[i] * g[i], lower[i], upper[i]);
        }
        measureGradient(g, program);
        markActive(active, x, lower, upper, n);
        restart(p, z, g, active, n, preconditioner);
      }
    } else {
      // Proportioning: along the chopped gradient, as far as the box allows.
      for (let i = 0; i < n; i++) p[i] = fixedStep[i] * choppedGradient(g[i], active[i]);
      multiplyBanded(product, A, n, halfBandwidth, p);
      const curvature = dot(p, product, n);
      const wanted = curvature > 0 ? dot(g, p, n) / curvature : 0;
      const step = Math.min(wanted, longestStep(x, p, lower, upper, n));
      for (let i = 0; i < n; i++) {
        x[i] = clamp(x[i] - step * p[i], lower[i], upper[i]);
        g[i] -= step * product[i];
      }
      markActive(active, x, lower, upper, n);
      restart(p, z, g, active, n, preconditioner);
    }
    residual = projectedGradient(g, x, lower, upper, n);
    stops.note?.(iterations, residual);
    if (Number.isNaN(residual)) break;
  }
  return { iterations, residual, converged: residual <= goal };
}

function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}

function dot(a: Float64Array, b: Float64Array, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

/** One over the row sums of |A|. */
function writeFixedSteps(out: Float64Array, A: Float64Array, n: number, halfBandwidth: number): void {
  const width = halfBandwidth + 1;
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let k = Math.min(i, halfBandwidth); k >= 0; k--) sum += Math.abs(A[width * i + k]);
    for (let k = 1; k <= halfBandwidth && i + k < n; k++) sum += Math.abs(A[width * (i + k) + k]);
    out[i] = 1 / sum;
  }
}

/** g = A x − b. */
function measureGradient(g: Float64Array, { A, b, size, halfBandwidth, x }: BoxProgram): void {
  multiplyBanded(g, A, size, halfBandwidth, x);
  for (let i = 0; i < size; i++) g[i] -= b[i];
}

/** −1 at the lower bound, 1 at the upper one, 0 between. */
function markActive(active: Int8Array, x: Float64Array, lower: Float64Array, upper: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) active[i] = x[i] <= lower[i] ? -1 : x[i] >= upper[i] ? 1 : 0;
}

/** Part of the gradient of an unknown on its bound that pulls it away from there. */
function choppedGradient(g: number, active: number): number {
  return (active < 0 && g < 0) || (active > 0 && g > 0) ? g : 0;
}

function isProportional(
  g: Float64Array,
  x: Float64Array,
  lower: Float64Array,
  upper: Float64Array,
  active: Int8Array,
  n: number,
  fixedStep: Float64Array,
): boolean {
  let chopped = 0;
  let free = 0;
  for (let i = 0; i < n; i++) {
    if (active[i] !== 0) {
      const beta = choppedGradient(g[i], active[i]);
      chopped += fixedStep[i] * beta * beta;
    } else {
      const room = x[i] - (g[i] > 0 ? lower[i] : upper[i]);
      const step = fixedStep[i] * g[i];
      const reduced = g[i] > 0 ? Math.min(room, step) : Math.max(room, step);
      free += reduced * g[i];
    }
  }
  return chopped <= PROPORTION * PROPORTION * free;
}

/** Longest step along −p that stays inside the box. */
function longestStep(x: Float64Array, p: Float64Array, lower: Float64Array, upper: Float64Array, n: number): number {
  let step = Number.POSITIVE_INFINITY;
  for (let i = 0; i < n; i++) {
    if (p[i] > 0) step = Math.min(step, (x[i] - lower[i]) / p[i]);
    else if (p[i] < 0) step = Math.min(step, (x[i] - upper[i]) / p[i]);
  }
  return step;
}

/** p = z = preconditioned gradient in the face. */
function restart(
  p: Float64Array,
  z: Float64Array,
  g: Float64Array,
  active: Int8Array,
  n: number,
  preconditioner: FacePreconditioner,
): void {
  preconditioner.apply(z, g, active);
  for (let i = 0; i < n; i++) p[i] = z[i];
}
