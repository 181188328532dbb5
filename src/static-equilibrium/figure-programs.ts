// The programs with bounds by which Takahashi and Batty 2025 compare solvers (figures
// 8 and 9, table I), and those solvers.
//
// A program is the first Newton step of a strand's rest shape, unscaled, as the paper has it. The paper does not tell
// length, radius or material axes of its level strand; what matters of them is how far the root's curvature would have
// to change, and in which direction. 16 cm of 50 µm at 1e8 Pa, 0.5 rad aslant, comes closest to the counts of table I.
// For the benchmark and the lab.

import { BAND_PRECONDITIONERS, type BandPreconditionerName } from '../math/band-preconditioners';
import type { BoxProgram, BoxResult, BoxStops } from '../math/box-program';
import { solveInteriorPoint } from '../math/interior-point';
import { createMprgpWork, solveMprgp } from '../math/mprgp';
import { solveProjectedGaussSeidel } from '../math/projected-gauss-seidel';
import { cosine, sine } from '../math/trigonometry';
import { createLagrangianWork, LAGRANGIAN_DEFAULTS, optimiseStrand } from './augmented-lagrangian';
import { DEFAULT_BOUNDS } from './bounds';
import { createDrawnStrand, drawStrand, type StrandMaterial } from './drawn-strand';
import { createParameters, resetParameters } from './parameters';

/** The strands that the figures are drawn for. */
export const FIGURE_STRANDS = ['level', 'long-level', 'curl'] as const;
export type FigureStrand = (typeof FIGURE_STRANDS)[number];

interface Figure {
  readonly points: number;
  readonly material: StrandMaterial;
  /** [m/s²] */
  readonly gravity: readonly [number, number, number];
  point(s: number): [number, number, number];
}

/** The paper's default coefficients. */
const SOFT: StrandMaterial = {
  radius: 5e-5,
  density: 1300,
  youngModulus: 1e8,
  shearModulus: 5e7,
  stretchModulus: 1e8,
};
const HUMAN: StrandMaterial = {
  radius: 3.7e-5,
  density: 1300,
  youngModulus: 4e9,
  shearModulus: 1.35e9,
  stretchModulus: 4e9,
};

/** Gravity at an angle [rad] to the strand's own axes, so that both curvatures of a node take part. */
function aslant(angle: number): readonly [number, number, number] {
  return [0, -9.81 * cosine(angle), -9.81 * sine(angle)];
}

const FIGURES: Readonly<Record<FigureStrand, Figure>> = {
  // The paper's.
  level: { points: 30, material: SOFT, gravity: aslant(0.5), point: (s) => [0.16 * s, 0, 0] },
  // As finely divided as a coil or a long curl has to be, with about the same change of curvature a node.
  'long-level': { points: 200, material: SOFT, gravity: aslant(0.2), point: (s) => [0.28 * s, 0, 0] },
  curl: {
    points: 30,
    material: HUMAN,
    gravity: [0, -9.81, 0],
    point: (s) => [0.01 * cosine(20 * s) + s / 30, -s / 15, 0.01 * sine(20 * s)],
  },
};

/** The program of a strand whose rest curvatures may change by `curvatureChange` [1]. */
export function makeFigureProgram(strand: FigureStrand, curvatureChange: number): BoxProgram {
  const { points: count, material, gravity, point } = FIGURES[strand];
  const points = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) points.set(point(i / (count - 1)), 3 * i);
  const drawn = createDrawnStrand(count);
  drawStrand(drawn, points, 0, count, material, { gravity, forces: null, clampEnd: false });
  const parameters = createParameters(count);
  resetParameters(parameters, drawn);
  const settings = { ...LAGRANGIAN_DEFAULTS, stiffness: false, scaled: false, mostSteps: 1 };
  const bounds = { ...DEFAULT_BOUNDS, curvatureChange, twistChange: curvatureChange / 4 };
  let copy: BoxProgram | undefined;
  optimiseStrand(parameters, drawn, bounds, settings, createLagrangianWork(count, settings), (program) => {
    const { size, halfBandwidth, A, b, lower, upper, x } = program;
    const matrix = { size, halfBandwidth, A: A.slice(), b: b.slice() };
    copy = { ...matrix, lower: lower.slice(), upper: upper.slice(), x: x.slice() };
    return { iterations: 0, residual: 0, converged: true };
  });
  return copy!;
}

/** A solver of the figures. */
export interface FigureSolver {
  readonly name: string;
  /** MPRGP with a preconditioner, figure 8; the others: figure 9. */
  readonly isPreconditioned: boolean;
  solve(program: BoxProgram, stops: BoxStops): BoxResult;
}

/** MPRGP with every preconditioner, the paper's last; then the other solvers. */
export function createFigureSolvers(): readonly FigureSolver[] {
  const names = Object.keys(BAND_PRECONDITIONERS) as BandPreconditionerName[];
  return [
    ...names.map((name): FigureSolver => {
      const preconditioner = BAND_PRECONDITIONERS[name]();
      let work = createMprgpWork(0);
      return {
        name: `MPRGP, ${name}`,
        isPreconditioned: true,
        solve(program, stops) {
          if (work.z.length < program.size) work = createMprgpWork(program.size);
          return solveMprgp(program, preconditioner, stops, work);
        },
      };
    }),
    { name: 'projected Gauss–Seidel', isPreconditioned: false, solve: solveProjectedGaussSeidel },
    { name: 'interior point', isPreconditioned: false, solve: solveInteriorPoint },
  ];
}

/** One solver's way through a program. */
export interface SolverTrace {
  readonly solver: string;
  readonly isPreconditioned: boolean;
  readonly converged: boolean;
  readonly iterations: number;
  /** After every iteration: time since the start, in the clock's unit, and residual, of that at the start [1]. */
  readonly times: readonly number[];
  readonly residuals: readonly number[];
}

/** Rounds of a solver that ends; the quickest counts. */
const ROUNDS = 9;

/** Runs one solver on a program to a residual of 1e-10 of that at the start; `clock` is read after every iteration. */
export function traceSolver(
  program: BoxProgram,
  { name, isPreconditioned, solve }: FigureSolver,
  mostIterations: number,
  clock: () => number,
): SolverTrace {
  const stops = { absolute: 0, relative: 1e-10, mostIterations };
  let first = 0;
  for (let k = 0; k < program.size; k++) first = Math.max(first, Math.abs(program.b[k]));

  // Once briefly before it is timed: compilation is nobody's time.
  program.x.fill(0);
  solve(program, { ...stops, mostIterations: Math.min(20, mostIterations) });

  let best: SolverTrace | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const times: number[] = [];
    const residuals: number[] = [];
    program.x.fill(0);
    const start = clock();
    const { converged, iterations } = solve(program, {
      ...stops,
      note(_, residual) {
        times.push(clock() - start);
        residuals.push(residual / first);
      },
    });
    const took = clock() - start;
    if (best === undefined || took < least) {
      best = { solver: name, isPreconditioned, converged, iterations, times, residuals };
      least = took;
    }
    if (!converged) break;
  }
  return best!;
}

/**
 * The lab's figures: every solver in turn on the program of a strand whose rest curvatures may change by
 * `curvatureChange` [1]. `note` hears of each when it has ended.
 */
export function traceFigure(
  strand: FigureStrand,
  curvatureChange: number,
  mostIterations: number,
  clock: () => number,
  note: (trace: SolverTrace) => void,
): void {
  const program = makeFigureProgram(strand, curvatureChange);
  for (const solver of createFigureSolvers()) note(traceSolver(program, solver, mostIterations, clock));
}
