/**
 * Staggered projections (Kaufman et al. 2008), as Verschoor and Jalba 2019 compare with them (§6.2.3): normals with
 * the friction at hand, friction with the normals at hand, in turns, each a convex program solved by diagonally
 * preconditioned conjugate residuals, warm-started from the turn before. States change at the convergence of a program
 * only (active sets), or on the way.
 *
 * Unlike the paper's, friction is a cone here, too, so that all solvers answer one question. A comparator for bench and
 * lab: it allocates, and need not converge.
 */
import { defaultConjugateResidualOptions } from '../conjugate-residual/options';
import { addTransposed, type ContactRows } from '../conjugate-residual/rows';
import { createConjugateResidualReport, solveConjugateResidual } from '../conjugate-residual/solve';
import { createWork, type MixedProblem, resizeWork, type Work } from '../conjugate-residual/work';

export interface StaggeredOptions {
  /** States change at convergence only; false: on the way, too. */
  isActiveSet: boolean;
  /** Norm of the residual of each program, relative to the right-hand side [-]. */
  tolerance: number;
  /** Largest change of a contact over a turn, as a velocity, that ends the turns, and error of a row [m/s]. */
  rowTolerance: number;
  /** Iterations of all programs together at most [-]. */
  iterationLimit: number;
  /** Told after every program; r as it is. */
  onIteration?: (iterations: number) => void;
}

export interface StaggeredReport {
  status: 'converged' | 'iteration-limit';
  iterations: number;
  turns: number;
}

/** Iterations of one program at most [-]. */
const PROGRAM_LIMIT = 3000;
/** Divisor with which no evaluation ever comes on the way [-]. */
const NEVER = 1e-6;

/** Solves from nothing into r, three impulses a contact [N·s]. Bilateral rows go with the normals. */
export function solveStaggered(problem: MixedProblem, r: Float64Array, options: StaggeredOptions): StaggeredReport {
  const { operator, rows, f } = problem;
  const n = rows.count;
  const normalProblem: MixedProblem = { ...problem, f: f.slice(), rows: { ...rows, mu: new Float64Array(n) } };
  const frictionProblem: MixedProblem = { ...problem, f: f.slice(), rows: withoutNormals(rows) };
  const normals = createWork();
  const frictions = createWork();
  resizeWork(normals, operator.size, n);
  resizeWork(frictions, operator.size, n);
  const own = {
    ...defaultConjugateResidualOptions,
    preconditioner: 'diagonal' as const,
    tolerance: options.tolerance,
    constraintTolerance: options.rowTolerance,
    intervalDivisor: options.isActiveSet ? NEVER : 3,
  };
  const inner = createConjugateResidualReport();
  const report: StaggeredReport = { status: 'iteration-limit', iterations: 0, turns: 0 };
  const chosen = new Float64Array(3 * n);
  const last = new Float64Array(3 * n);
  /** Solves a program with f + Hᵀ of the impulses in `chosen`. */
  const run = (program: MixedProblem, work: Work) => {
    program.f.set(f);
    addTransposed(program.f, rows, work.state, chosen, true);
    own.iterationLimit = Math.min(PROGRAM_LIMIT, options.iterationLimit - report.iterations);
    solveConjugateResidual(program, work, own, inner);
    report.iterations += inner.iterations;
  };
  const isBilateral = (c: number) => rows.bilateral?.[c] === 1;

  r.fill(0);
  while (report.iterations < options.iterationLimit) {
    last.set(r);
    for (let i = 0; i < 3 * n; i++) chosen[i] = i % 3 === 0 || isBilateral((i / 3) | 0) ? 0 : r[i];
    run(normalProblem, normals);
    for (let i = 0; i < 3 * n; i++) if (i % 3 === 0 || isBilateral((i / 3) | 0)) r[i] = normals.r[i];
    options.onIteration?.(report.iterations);

    for (let i = 0; i < 3 * n; i++) chosen[i] = i % 3 === 0 || isBilateral((i / 3) | 0) ? r[i] : 0;
    if (report.turns === 0) frictions.v.set(normals.v);
    for (let c = 0; c < n; c++) frictions.r[3 * c] = isBilateral(c) ? 0 : r[3 * c];
    run(frictionProblem, frictions);
    for (let i = 0; i < 3 * n; i++) if (i % 3 !== 0 && !isBilateral((i / 3) | 0)) r[i] = frictions.r[i];
    report.turns++;
    options.onIteration?.(report.iterations);
    if (changeOf(problem, r, last) <= options.rowTolerance) {
      report.status = 'converged';
      break;
    }
  }
  return report;
}

/** Rows of friction alone: contacts whose normal nothing moves keep the normal impulse that they are given. */
function withoutNormals(rows: ContactRows): ContactRows {
  const value = rows.value.slice();
  const w = rows.w.slice();
  for (let c = 0; c < rows.count; c++) {
    const width = rows.bilateral?.[c] === 1 ? 3 : 1;
    w.fill(0, 3 * c, 3 * c + width);
    for (let k = rows.start[c]; k < rows.start[c + 1]; k++) value.fill(0, 3 * k, 3 * k + width);
  }
  return { ...rows, value, w, bilateral: null };
}

/** Largest change of an impulse as a velocity [m/s]. */
function changeOf({ operator, rows }: MixedProblem, r: Float64Array, last: Float64Array): number {
  let worst = 0;
  for (let c = 0; c < rows.count; c++) {
    for (let i = 0; i < 3; i++) {
      let give = 0;
      for (let k = rows.start[c]; k < rows.start[c + 1]; k++) {
        give += rows.value[3 * k + i] ** 2 * operator.inverseDiagonal[rows.column[k]];
      }
      worst = Math.max(worst, give * Math.abs(r[3 * c + i] - last[3 * c + i]));
    }
  }
  return worst;
}
