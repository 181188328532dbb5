// Rest shape and stiffness for static equilibrium by the augmented Lagrangian (Takahashi and Batty 2025, IV).
//
//   minimise ½ ‖p − p₀‖²_W  subject to  c(p) = 0,  lower ≤ p ≤ upper
//   L(p, ν) = ½ ‖p − p₀‖²_W + νᵀc + ρ/2 ‖c‖²; per outer iteration one Gauss–Newton step of L in
//   p, by a quadratic program with bounds, a backtracking line search, then ν += ρ c.
// Without multipliers (`hard` false) it is the penalty method; with the rest shape alone the method before the paper's.
//
// Weights: the exponents of ρ and W are lost in the paper's text. In our units (parameters of order one, forces over
// weights) W is 1 for the rest shape and 1e3 for stiffness factors, and ρ = 1e6. See
// test/static-equilibrium for the steps that this takes.

// A further kind than strands (rest angles and rest lengths of a pinned cloth, of a solid) uses this loop as it is when
// it supplies what drawn-strand, parameters and parameter-vector do for strands:
//   the drawn shape: loads, held unknowns, and the scale that makes every equation a force over a weight;
//   a vector of parameters of order one, its bounds and weights, and how it is read from and written to the tables;
//   c(p), the forces on the drawn shape, and J = ∂c/∂p by columns;
//   A = W + ρ JᵀJ in the storage that its solver factors. For strands that is a band. For a mesh: sparse-order and
//   sparse-ldl, the product A x in place of multiplyBanded, and a FacePreconditioner (mprgp) that leaves constrained
//   unknowns out of both substitutions, as solveFiltered does: equations 34 and 35 hold for any L D Lᵀ; for stability
//   the inertia of the Hessian at the drawn shape, by the same factor (stability.ts counts negative pivots).
// Only internal-forces is for strands alone: it rests on a cantilever being statically determinate.

import type { BoxProgram, BoxResult, BoxStops } from '../math/box-program';
import type { EquilibriumBounds } from './bounds';
import type { DrawnStrand } from './drawn-strand';
import {
  COLUMN,
  createLayout,
  multiplyTransposed,
  readVector,
  type VectorLayout,
  writeBounds,
  writeJacobian,
  writeNormalMatrix,
  writeVector,
} from './parameter-vector';
import { addForces, copyParameters, createParameters, forceLeft, type StrandParameters } from './parameters';

export interface LagrangianSettings {
  /** Rest curvatures of a node. Default 2. */
  readonly curvatures: 2 | 4;
  /** Whether stiffness factors change, too. Default true. */
  readonly stiffness: boolean;
  /** Whether equilibrium is a constraint (multipliers) or a penalty. Default true. */
  readonly hard: boolean;
  /** Penalty ρ [1]. Default 1e6. */
  readonly penalty: number;
  /** Ends when a step changes no parameter by more [1]. Default 1e-7: steps of 1e-6 may leave forces of 1e-6. */
  readonly smallestStep: number;
  /** Default 1000. */
  readonly mostSteps: number;
  /**
   * Whether the inner programs are scaled to a diagonal of 1. Default true; the figures of preconditioners do without.
   */
  readonly scaled: boolean;
  /** Of the inner programs. */
  readonly stops: BoxStops;
  /** Shown every inner program before it is solved. */
  readonly note?: (program: BoxProgram) => void;
}

export const LAGRANGIAN_DEFAULTS: LagrangianSettings = {
  curvatures: 2,
  stiffness: true,
  hard: true,
  penalty: 1e6,
  smallestStep: 1e-7,
  mostSteps: 1000,
  scaled: true,
  stops: { absolute: 1e-10, relative: 1e-10, mostIterations: 100 },
};

/** Solves a program in place. */
export type SolveProgram = (program: BoxProgram, stops: BoxStops) => BoxResult;

/** How an optimisation ended. */
export interface LagrangianResult {
  /** Newton steps. */
  steps: number;
  /** Of the programs, all together. */
  innerIterations: number;
  /** Force left over weight [1]. */
  force: number;
  ended: 'small step' | 'most steps' | 'line search';
}

/** Work area for strands of at most `most` nodes. */
export interface LagrangianWork {
  readonly layout: VectorLayout;
  readonly columns: Record<
    'p' | 'start' | 'trial' | 'lower' | 'upper' | 'weight' | 'gradient' | 'low' | 'high' | 'step' | 'scale',
    Float64Array
  >;
  readonly J: Float64Array;
  readonly A: Float64Array;
  readonly force: Float64Array;
  readonly c: Float64Array;
  readonly multiplier: Float64Array;
  readonly mixed: Float64Array;
  readonly parameters: StrandParameters;
  /** Those with the least sum of squares of the forces left so far. */
  readonly best: StrandParameters;
}

export function createLagrangianWork(most: number, settings: LagrangianSettings): LagrangianWork {
  const layout = createLayout(settings.curvatures, settings.stiffness);
  const size = layout.entries * Math.max(1, most - 2);
  const column = () => new Float64Array(size);
  return {
    layout,
    columns: {
      p: column(),
      start: column(),
      trial: column(),
      lower: column(),
      upper: column(),
      weight: column(),
      gradient: column(),
      low: column(),
      high: column(),
      step: column(),
      scale: column(),
    },
    J: new Float64Array(COLUMN * size),
    A: new Float64Array((layout.halfBandwidth + 1) * size),
    force: new Float64Array(4 * most),
    c: new Float64Array(4 * most),
    multiplier: new Float64Array(4 * most),
    mixed: new Float64Array(4 * most),
    parameters: createParameters(most),
    best: createParameters(most),
  };
}

/** Share of the promised decrease that a step must bring [1]. */
const DECREASE = 1e-4;
const MOST_HALVINGS = 30;

/** Optimises `p` in place, from what it holds; it is also p₀. Allocates nothing that grows with the strand. */
export function optimiseStrand(
  p: StrandParameters,
  drawn: DrawnStrand,
  bounds: EquilibriumBounds,
  settings: LagrangianSettings,
  work: LagrangianWork,
  solve: SolveProgram,
): LagrangianResult {
  const { layout, columns, c, multiplier } = work;
  const { start, trial, lower, upper, weight, gradient, low, high, step } = columns;
  const n = drawn.nodes;
  const size = layout.entries * (n - 2);
  const rho = settings.penalty;
  const x = columns.p;
  readVector(x, layout, drawn, p);
  writeBounds(lower, upper, weight, layout, drawn, bounds);
  for (let k = 0; k < size; k++) start[k] = x[k];
  multiplier.fill(0, 0, 4 * n);
  const program: BoxProgram = {
    size,
    halfBandwidth: layout.halfBandwidth,
    A: work.A,
    lower: low,
    upper: high,
    b: gradient,
    x: step,
  };
  const task: Task = { p, drawn, settings, work, size, program };
  const result: LagrangianResult = { steps: 0, innerIterations: 0, force: 0, ended: 'most steps' };

  let value = measure(task, x, p);
  let least = squareOf(c, 4 * n);
  copyParameters(work.best, p, n);
  while (result.steps < settings.mostSteps) {
    result.steps++;
    result.innerIterations += findStep(task, solve);
    const { share, largest } = searchLine(task, value);
    if (share === 0) {
      measure(task, x, p);
      result.ended = 'line search';
      break;
    }
    for (let k = 0; k < size; k++) x[k] = trial[k];
    if (settings.hard) for (let k = 0; k < 4 * n; k++) multiplier[k] += rho * c[k];
    value = measure(task, x, p);
    const square = squareOf(c, 4 * n);
    if (square < least) {
      least = square;
      copyParameters(work.best, p, n);
    }
    if (largest * share < settings.smallestStep) {
      result.ended = 'small step';
      break;
    }
  }
  // Where it did not converge, the best there was, which may be the drawn shape itself.
  if (!(squareOf(c, 4 * n) <= least)) {
    copyParameters(p, work.best, n);
    addForces(work.force, drawn, p);
  }
  result.force = forceLeft(work.force, drawn);
  return result;
}

/** A strand that is being optimised: `size` entries of its vector, the program of one step. */
interface Task {
  readonly p: StrandParameters;
  readonly drawn: DrawnStrand;
  readonly settings: LagrangianSettings;
  readonly work: LagrangianWork;
  readonly size: number;
  readonly program: BoxProgram;
}

/** The Gauss–Newton step within the bounds, into `step`, and the gradient; returns the iterations that it took. */
function findStep({ p, drawn, settings, work, size, program }: Task, solve: SolveProgram): number {
  const { layout, columns, J, A, c, multiplier, mixed } = work;
  const { p: x, start, lower, upper, weight, gradient, low, high, step, scale } = columns;
  const n = drawn.nodes;
  const rho = settings.penalty;
  // Gradient and Gauss–Newton matrix of L.
  writeJacobian(J, layout, drawn, p);
  for (let k = 0; k < 4 * n; k++) mixed[k] = multiplier[k] + rho * c[k];
  multiplyTransposed(gradient, J, layout, n, mixed);
  for (let k = 0; k < size; k++) gradient[k] = -(gradient[k] + weight[k] * (x[k] - start[k]));
  writeNormalMatrix(A, J, layout, n, weight, rho);

  // The step, within the bounds.
  scaleMatrix(A, scale, size, layout.halfBandwidth, settings.scaled);
  for (let k = 0; k < size; k++) {
    low[k] = (lower[k] - x[k]) / scale[k];
    high[k] = (upper[k] - x[k]) / scale[k];
    gradient[k] *= scale[k];
    step[k] = 0;
  }
  settings.note?.(program);
  const { iterations } = solve(program, settings.stops);
  for (let k = 0; k < size; k++) {
    step[k] *= scale[k];
    gradient[k] /= scale[k];
  }
  return iterations;
}

/** As far along the step as L falls from `value`, into `trial`: share of the step, 0 none, and its largest entry. */
function searchLine(task: Task, value: number): { share: number; largest: number } {
  const { work, size } = task;
  const { p: x, trial, lower, upper, gradient, step } = work.columns;
  let slope = 0;
  let largest = 0;
  for (let k = 0; k < size; k++) {
    slope -= gradient[k] * step[k];
    largest = Math.max(largest, Math.abs(step[k]));
  }
  let share = 1;
  for (let halvings = 0; halvings <= MOST_HALVINGS; halvings++) {
    for (let k = 0; k < size; k++) trial[k] = Math.min(upper[k], Math.max(lower[k], x[k] + share * step[k]));
    const next = measure(task, trial, work.parameters);
    // Rounding of L itself counts as no increase.
    if (next <= value + DECREASE * share * slope + 1e-14 * Math.abs(value)) return { share, largest };
    share *= 0.5;
  }
  return { share: 0, largest };
}

/** L at a vector, whose parameters and c are written. */
function measure(task: Task, vector: Float64Array, into: StrandParameters): number {
  const { p, drawn, settings, work, size } = task;
  const { layout, columns, c, multiplier, force } = work;
  const { start, weight } = columns;
  const n = drawn.nodes;
  const rho = settings.penalty;
  if (into !== p) copyRootLength(into, p);
  writeVector(into, vector, layout, drawn);
  if (!layout.stiffness && into !== p) copyFactors(into, p, n);
  addForces(force, drawn, into);
  let sum = 0;
  for (let k = 0; k < 4 * n; k++) {
    c[k] = drawn.scale[k] * force[k];
    sum += multiplier[k] * c[k] + 0.5 * rho * c[k] * c[k];
  }
  for (let k = 0; k < size; k++) sum += 0.5 * weight[k] * (vector[k] - start[k]) ** 2;
  return sum;
}

function squareOf(values: Float64Array, count: number): number {
  let sum = 0;
  for (let k = 0; k < count; k++) sum += values[k] * values[k];
  return sum;
}

/** A ← S A S with a diagonal of 1, S in `scale`; S = 1 where not wanted. */
function scaleMatrix(A: Float64Array, scale: Float64Array, size: number, half: number, wanted: boolean): void {
  const width = half + 1;
  for (let k = 0; k < size; k++) scale[k] = wanted ? 1 / Math.sqrt(A[width * k]) : 1;
  if (!wanted) return;
  for (let i = 0; i < size; i++) {
    for (let k = Math.min(i, half); k >= 0; k--) A[width * i + k] *= scale[i] * scale[i - k];
  }
}

/** The first edge is held: its rest length and factor stay. */
function copyRootLength(to: StrandParameters, from: StrandParameters): void {
  to.restLength[0] = from.restLength[0];
  to.stretchFactor[0] = from.stretchFactor[0];
}

function copyFactors(to: StrandParameters, from: StrandParameters, n: number): void {
  for (let i = 0; i < n; i++) {
    to.stretchFactor[i] = from.stretchFactor[i];
    to.bendFactor[i] = from.bendFactor[i];
    to.twistFactor[i] = from.twistFactor[i];
  }
}
