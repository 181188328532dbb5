// `stiction bench sag-free`: the tables and figures of Takahashi and Batty 2025 again, and whole grooms.
//
// Every comparison runs its variants alternately in this process; times are processor time, the least of the rounds.

import { cpus, loadavg } from 'node:os';
import { createActiveSetCholesky } from '../math/band-preconditioners';
import { factorBanded, solveBanded } from '../math/banded-ldl';
import type { BoxProgram, BoxResult, BoxStops } from '../math/box-program';
import { createMprgpWork, solveMprgp } from '../math/mprgp';
import {
  createLagrangianWork,
  LAGRANGIAN_DEFAULTS,
  type LagrangianResult,
  type LagrangianSettings,
  optimiseStrand,
} from '../static-equilibrium/augmented-lagrangian';
import { bakeStrands, reportStrands } from '../static-equilibrium/bake-strands';
import { DEFAULT_BOUNDS, type EquilibriumBounds } from '../static-equilibrium/bounds';
import {
  createDrawnStrand,
  type DrawnStrand,
  drawStrand,
  type StrandMaterial,
} from '../static-equilibrium/drawn-strand';
import {
  createFigureSolvers,
  FIGURE_STRANDS,
  type FigureSolver,
  type FigureStrand,
  makeFigureProgram,
} from '../static-equilibrium/figure-programs';
import { createParameters, resetParameters } from '../static-equilibrium/parameters';
import { resolveSagFree } from '../static-equilibrium/sag-free-options';

export interface SagFreeBenchSize {
  rounds: number;
  coil: number;
  /** Strands of the grooms, 100 points each. */
  grooms: readonly number[];
  mostIterations: number;
}

export const FULL: SagFreeBenchSize = { rounds: 9, coil: 2000, grooms: [915, 3200], mostIterations: 10_000 };
export const QUICK: SagFreeBenchSize = { rounds: 3, coil: 400, grooms: [40, 140], mostIterations: 1000 };

/** One way to hold one strand. */
export interface MethodRow {
  strand: string;
  method: string;
  steps: number;
  /** Of the programs, a step. */
  inner: number;
  force: number;
  milliseconds: number;
}

/** One solver on one program with bounds. */
export interface ProgramRow {
  strand: string;
  curvatureChange: number;
  solver: string;
  iterations: number;
  converged: boolean;
  milliseconds: number;
}

export interface GroomRow {
  strands: number;
  points: number;
  milliseconds: number;
  forceLeft: number;
  unstable: number;
  worstForce: number;
}

export interface SagFreeBenchResult {
  date: string;
  node: string;
  machine: string;
  load: number[];
  methods: MethodRow[];
  preconditioners: ProgramRow[];
  solvers: ProgramRow[];
  coil: { points: number; two: number; four: number; ratio: number };
  grooms: GroomRow[];
}

/** The paper's coefficients [0.1 Pa], radius 50 µm. */
function soft(bend: number, stretch = bend): StrandMaterial {
  const pascal = { youngModulus: bend / 10, shearModulus: bend / 20, stretchModulus: stretch / 10 };
  return { radius: 5e-5, density: 1300, ...pascal };
}

const HAIR: StrandMaterial = {
  radius: 3.7e-5,
  density: 1300,
  youngModulus: 4e9,
  shearModulus: 1.35e9,
  stretchModulus: 4e9,
};

function straight(n: number, length: number, x: number, y: number): Float64Array {
  const at = (i: number, d: number) => (d * length * i) / (n - 1);
  return Float64Array.from({ length: 3 * n }, (_, k) => at(Math.floor(k / 3), [x, y, 0][k % 3]));
}

function curl(n: number, size: number, turns: number, phase = 0): Float64Array {
  return Float64Array.from({ length: 3 * n }, (_, k) => {
    const s = Math.floor(k / 3) / (n - 1);
    const angle = 2 * Math.PI * turns * s + phase;
    return size * [0.03 * Math.cos(angle) + 0.1 * s, -0.2 * s, 0.03 * Math.sin(angle)][k % 3];
  });
}

function draw(points: Float64Array, material: StrandMaterial): DrawnStrand {
  const count = points.length / 3;
  const drawn = createDrawnStrand(count);
  drawStrand(drawn, points, 0, count, material, { gravity: [0, -9.81, 0], forces: null, clampEnd: false });
  return drawn;
}

function boundsFor(curvatureChange: number): EquilibriumBounds {
  return { ...DEFAULT_BOUNDS, curvatureChange, twistChange: curvatureChange / 4 };
}

/** The augmented Lagrangian on a fresh start; `solve` instead of MPRGP with the complete factor. */
function optimise(
  drawn: DrawnStrand,
  bounds: EquilibriumBounds,
  change: Partial<LagrangianSettings>,
  solve?: (program: BoxProgram, stops: BoxStops) => BoxResult,
): LagrangianResult {
  const settings = { ...LAGRANGIAN_DEFAULTS, ...change };
  const parameters = createParameters(drawn.nodes);
  resetParameters(parameters, drawn);
  const work = createLagrangianWork(drawn.nodes, settings);
  const mprgp = createMprgpWork(9 * drawn.nodes);
  const factor = createActiveSetCholesky();
  const own = (program: BoxProgram, stops: BoxStops) => solveMprgp(program, factor, stops, mprgp);
  return optimiseStrand(parameters, drawn, bounds, settings, work, solve ?? own);
}

/** Processor times of several tasks, run in turn, the least of the rounds [ms]. */
function timeInTurn(rounds: number, tasks: readonly (() => void)[]): number[] {
  const times: number[][] = tasks.map(() => []);
  for (let round = 0; round < rounds; round++) {
    tasks.forEach((task, k) => {
      const start = process.cpuUsage();
      task();
      const { user, system } = process.cpuUsage(start);
      times[k].push((user + system) / 1000);
    });
  }
  return times.map((all) => Math.min(...all));
}

/**
 * Figures 6 and 7: rest shape alone, with stiffness as a penalty, with stiffness as a constraint, by internal forces.
 */
function benchMethods(rounds: number): MethodRow[] {
  const cases: [string, Float64Array, StrandMaterial, EquilibriumBounds][] = [
    ['vertical', straight(30, 0.3, 0, -1), soft(1e9, 1e2), { ...DEFAULT_BOUNDS, shortest: 0.01 }],
    ['horizontal, μ = 0.2', straight(30, 0.06, 1, 0), soft(1e9), boundsFor(0.2)],
  ];
  const ways: [string, Partial<LagrangianSettings>][] = [
    ['rest shape only', { stiffness: false, hard: false, penalty: 1e4 }],
    ['with stiffness, penalty', { hard: false, penalty: 1e4 }],
    ['with stiffness, constraint', {}],
  ];
  const rows: MethodRow[] = [];
  for (const [strand, points, material, bounds] of cases) {
    const drawn = draw(points, material);
    const gravity: [number, number, number] = [0, -9.81, 0];
    const job = {
      for: { ...material, gravity, clampEnd: false },
      settings: { bounds, stiffness: true, stabilise: false, forces: null },
    };
    const strands = { counts: [points.length / 3], positions: points };
    const tasks = [
      ...ways.map(
        ([, change]) =>
          () =>
            void optimise(drawn, bounds, change),
      ),
      () => void bakeStrands(strands, job),
    ];
    const times = timeInTurn(rounds, tasks);
    ways.forEach(([method, change], k) => {
      const { steps, innerIterations, force } = optimise(drawn, bounds, change);
      rows.push({ strand, method, steps, inner: innerIterations / steps, force, milliseconds: times[k] });
    });
    const [force] = bakeStrands(strands, job).strands;
    rows.push({ strand, method: 'by internal forces', steps: 0, inner: 0, force, milliseconds: times[ways.length] });
  }
  return rows;
}

/** Figures 8 and 9, Table I: solvers on the same programs. */
function benchPrograms(
  size: SagFreeBenchSize,
  strands: readonly FigureStrand[],
  changes: readonly number[],
  solvers: readonly FigureSolver[],
): ProgramRow[] {
  const stops: BoxStops = { absolute: 0, relative: 1e-10, mostIterations: size.mostIterations };
  const rows: ProgramRow[] = [];
  for (const strand of strands) {
    for (const curvatureChange of changes) {
      const program = makeFigureProgram(strand, curvatureChange);
      const results: BoxResult[] = [];
      const tasks = solvers.map(({ solve }, k) => () => {
        program.x.fill(0);
        results[k] = solve(program, stops);
      });
      const times = timeInTurn(size.rounds, tasks);
      solvers.forEach(({ name: solver }, k) => {
        const { iterations, converged } = results[k];
        rows.push({ strand, curvatureChange, solver, iterations, converged, milliseconds: times[k] });
      });
    }
  }
  return rows;
}

/** One solve of the coil's system (factor and substitution) with two and with four rest curvatures a node. */
function benchCoil(size: SagFreeBenchSize): SagFreeBenchResult['coil'] {
  const drawn = draw(curl(size.coil, 1 / 3, 40), soft(1e9));
  const systems = ([2, 4] as const).map((curvatures) => {
    let system: { A: Float64Array; b: Float64Array; n: number; half: number } | undefined;
    const free = boundsFor(1e9);
    optimise(drawn, free, { curvatures, stiffness: false, mostSteps: 1 }, (program) => {
      const { A, b, size: n, halfBandwidth: half } = program;
      system = { A: A.slice(0, n * (half + 1)), b: b.slice(0, n), n, half };
      return { iterations: 0, residual: 0, converged: true };
    });
    return system!;
  });
  const [two, four] = timeInTurn(
    3 * size.rounds,
    systems.map(({ A, b, n, half }) => {
      const factor = new Float64Array(A.length);
      const x = new Float64Array(n);
      return () => {
        factor.set(A);
        x.set(b);
        factorBanded(factor, 0, n, half);
        solveBanded(factor, 0, n, half, x, 0);
      };
    }),
  );
  return { points: size.coil, two, four, ratio: two / four };
}

/** Grooms of curls of hair, 27 cm and 100 points, each strand another; CPU time of one thread. */
function benchGroom(count: number): GroomRow {
  const points = 100;
  const positions = new Float64Array(3 * points * count);
  for (let s = 0; s < count; s++) {
    positions.set(curl(points, 0.7 + (0.6 * (s % 31)) / 31, 1 + (s % 17) / 8, s), 3 * points * s);
  }
  const gravity: [number, number, number] = [0, -9.81, 0];
  const job = {
    for: { ...HAIR, gravity, clampEnd: false },
    settings: resolveSagFree('bench', true),
  };
  const start = process.cpuUsage();
  const { strands } = bakeStrands({ counts: new Int32Array(count).fill(points), positions }, job);
  const { user, system } = process.cpuUsage(start);
  const { forceLeft, unstable, worstForce } = reportStrands(strands);
  return {
    strands: count,
    points,
    milliseconds: (user + system) / 1000,
    forceLeft: forceLeft.length,
    unstable: unstable.length,
    worstForce,
  };
}

/** Runs all tables. */
export function benchSagFree(size: SagFreeBenchSize, progress: (text: string) => void): SagFreeBenchResult {
  progress('single strands');
  const methods = benchMethods(size.rounds);
  progress('preconditioners');
  const all = createFigureSolvers();
  const preconditioned = all.filter(({ isPreconditioned }) => isPreconditioned);
  const preconditioners = benchPrograms(size, FIGURE_STRANDS, [0.4], preconditioned);
  progress('solvers');
  const others = all.filter(({ isPreconditioned }) => !isPreconditioned);
  const changes = [0.2, 0.3, 0.4, 0.5, 0.6];
  const solvers = benchPrograms(size, ['level', 'curl'], changes, [...others, ...preconditioned.slice(-1)]);
  progress('coil');
  const coil = benchCoil(size);
  benchGroom(4);
  const grooms = size.grooms.map((count) => {
    progress(`groom of ${count}`);
    return benchGroom(count);
  });
  return {
    date: new Date().toISOString(),
    node: process.version,
    machine: `${cpus().length} × ${cpus()[0].model}`,
    load: loadavg().map((x) => Number(x.toFixed(1))),
    methods,
    preconditioners,
    solvers,
    coil,
    grooms,
  };
}
