/**
 * Conjugate residuals on the mixed system of deformable objects in contact (Verschoor, Jalba 2019, Algorithms 1 to 3):
 *
 *   B y = d,   B = [A −Lᵀ; −L −C],   y = (v, r),   d = (f + friction of sliding contacts, w)
 *
 * with L the rows of H that are active: normals of closed contacts, tangents of those that stick. States change while
 * the iterations go on, every log₂(‖residual‖/ε₁)/3 of them; W = H A⁻¹ Hᵀ is
 * never formed and A never factored.
 *
 * Ours is the row across the slip of a sliding contact, δ⊥: friction −μ λ′ δ + η δ⊥ is against the
 * velocity β δ + t δ⊥ where t + β/(μ λ′) η = 0, a row that gives way, C = β/(μ λ′). It finds
 * directions in the iterations themselves, where the paper turns δ by a hundredth of the angle at each evaluation:
 * without it heaps with friction do not converge.
 *
 * The residual is kept in two parts, f − A v and the rest: a change of state makes only the rest anew, so that every
 * iteration has exactly one product with A.
 */
import { evaluate, readStates } from './evaluate';
import { advance, dot, follow, leastStep, refreshFree, restart, turnDownhill } from './iterate';
import { keepBest, meritOf, normOf, rowError, scaleOf, squaredNorm } from './merit';
import type { ConjugateResidualOptions } from './options';
import { measureGive, precondition, scaleRows } from './preconditioner';
import { contactVelocities } from './rows';
import { type MixedProblem, resizeWork, type Work } from './work';

export interface ConjugateResidualReport {
  /**
   * 'local-minimum': the gradient vanished and the residual did not, the answer is a least-squares one; 'stalled': the
   * iterations broke down again and again. The best iterate is returned whatever the status.
   */
  status: 'converged' | 'iteration-limit' | 'local-minimum' | 'stalled';
  iterations: number;
  /** Evaluations that changed something. */
  restarts: number;
  /** Norm of the residual relative to that of the right-hand side [-], at the end of the iterations. */
  relativeResidual: number;
  /** Largest |u| of an active row [m/s], likewise. */
  constraintError: number;
  /** Merit of the start and of the answer [m/s √kg]: see `meritOf`. */
  startMerit: number;
  merit: number;
}

/** Room for one report. */
export function createConjugateResidualReport(): ConjugateResidualReport {
  return {
    status: 'converged',
    iterations: 0,
    restarts: 0,
    relativeResidual: 0,
    constraintError: 0,
    startMerit: 0,
    merit: 0,
  };
}

/** Part of the residual, times ε₁, below which its gradient counts as zero [-]. */
const GRADIENT_SHARE = 1e-2;
/** Iterations between two times that f − A v is made afresh: recurrences lose digits. */
const REFRESH = 1000;
/** Part of `errorTolerance` at which nothing is done [-]. */
const START_SHARE = 0.1;
/** Restarts after which a change of friction must be worth once `frictionShare` more [-]: each costs what was won. */
const RESTARTS_A_SHARE = 10;
/** Breakdowns in a row after which there is no going on, and the |α| that is one [-]. */
const BREAKDOWNS = 8;
const LARGEST_STEP = 1e8;

/**
 * Solves from work.v and work.r (finite; states are read from r) and leaves the best iterate there, r admissible.
 * Allocates nothing once `work` is large enough. `onIteration` may look at `work`, and call `admit` of merit.ts.
 */
export function solveConjugateResidual(
  problem: MixedProblem,
  work: Work,
  options: ConjugateResidualOptions,
  report: ConjugateResidualReport,
  onIteration?: (iterations: number) => void,
): void {
  const { rows } = problem;
  const scale = open(problem, work, options, report);
  const target = options.tolerance * scale;
  let rho = restart(problem, work, options.preconditioner);
  let alpha = 0;
  let breakdowns = 0;
  let sinceRefresh = 0;

  for (;;) {
    if (work.error < options.errorTolerance) {
      report.status = 'converged';
      break;
    }
    const norm = normOf(problem, work);

    if (norm <= target && rowError(problem, work) < options.constraintTolerance) {
      // Lines 22 to 24: the last word has an evaluation in which everything counts, on a residual made afresh.
      refreshFree(problem, work);
      sinceRefresh = 0;
      const isChanged = evaluate(problem, work, options, 0, true);
      rho = restart(problem, work, options.preconditioner);
      track(problem, work, options, report);
      if (!isChanged && normOf(problem, work) <= 2 * target) {
        report.status = 'converged';
        break;
      }
      report.restarts++;
    } else if (report.iterations > 0) {
      // Steps with α <= 0 lead away from the unpreconditioned optimum: nothing is judged by them.
      const interval = intervalOf(norm / target, options.intervalDivisor);
      let isChanged = alpha > 0 && report.iterations % interval === 0 && weigh(problem, work, options, norm, report);
      if (sinceRefresh >= REFRESH) {
        refreshFree(problem, work);
        sinceRefresh = 0;
        isChanged = true;
      }
      if (isChanged || breakdowns > 0) {
        report.restarts++;
        rho = restart(problem, work, options.preconditioner);
      } else {
        rho = follow(problem, work, rho);
        if (isGradientZero(problem, work, GRADIENT_SHARE * options.tolerance * norm)) {
          if (!evaluate(problem, work, options, 0, true)) {
            report.status = 'local-minimum';
            break;
          }
          rho = restart(problem, work, options.preconditioner);
        }
      }
    }

    if (report.iterations >= options.iterationLimit) break;

    alpha = stepOf(problem, work, options, rho);

    if (Math.abs(alpha) <= LARGEST_STEP && alpha !== 0) breakdowns = 0;
    else {
      // Conjugate residuals break down: a step of steepest descent, and a new start.
      turnDownhill(problem, work);
      alpha = leastStep(problem, work);
      breakdowns++;
    }

    if (!Number.isFinite(alpha) || breakdowns > BREAKDOWNS) {
      report.status = 'stalled';
      break;
    }
    advance(problem, work, alpha);
    report.iterations++;
    sinceRefresh++;
    onIteration?.(report.iterations);
  }

  report.relativeResidual = scale > 0 ? normOf(problem, work) / scale : 0;
  report.constraintError = rowError(problem, work);
  refreshFree(problem, work);
  contactVelocities(work.u, rows, work.v);
  track(problem, work, options, report);
  for (let i = 0; i < problem.operator.size; i++) work.v[i] = work.bestV[i];
  for (let i = 0; i < 3 * rows.count; i++) work.r[i] = work.bestR[i];
}

/** Everything before the first residual; the norm of the right-hand side. */
function open(
  problem: MixedProblem,
  work: Work,
  options: ConjugateResidualOptions,
  report: ConjugateResidualReport,
): number {
  const { operator, rows } = problem;
  resizeWork(work, operator.size, rows.count);
  measureGive(work.give, rows, operator.inverseDiagonal);
  readStates(problem, work);
  scaleRows(problem, work);
  refreshFree(problem, work);
  contactVelocities(work.u, rows, work.v);
  report.iterations = report.restarts = 0;
  report.status = 'iteration-limit';
  report.startMerit = report.merit = meritOf(problem, work);
  keepBest(problem, work);
  // A start that is taken as it is must be better, or errors that are let go would add up from step to step.
  if (work.error < START_SHARE * options.errorTolerance) return scaleOf(problem, work);
  work.error = Number.POSITIVE_INFINITY;
  evaluate(problem, work, options, 0, false);
  return scaleOf(problem, work);
}

/** α of line 9. */
function stepOf(problem: MixedProblem, work: Work, options: ConjugateResidualOptions, rho: number): number {
  const { bp, bpRow, q, qRow } = work;
  precondition(options.preconditioner, problem, work, q, qRow, bp, bpRow);
  return rho / (dot(bp, q, problem.operator.size) + dot(bpRow, qRow, 3 * problem.rows.count));
}

/** log₂(‖r‖/ε₁)/divisor, at least 1, by halving: no logarithm is the same in all engines. */
function intervalOf(ratio: number, divisor: number): number {
  let halvings = 0;
  for (let x = ratio; x >= 2 && halvings < 200; x *= 0.5) halvings++;
  return Math.max(1, Math.floor(halvings / divisor));
}

/** An evaluation on the way; keeps the iterate if it is the best so far. */
function weigh(
  problem: MixedProblem,
  work: Work,
  options: ConjugateResidualOptions,
  norm: number,
  report: ConjugateResidualReport,
): boolean {
  const patience = 1 + report.restarts / RESTARTS_A_SHARE;
  const isChanged = evaluate(problem, work, options, norm * patience, false);
  track(problem, work, options, report);
  return isChanged;
}

function track(
  problem: MixedProblem,
  work: Work,
  options: ConjugateResidualOptions,
  report: ConjugateResidualReport,
): void {
  const merit = meritOf(problem, work);
  if (!(merit <= report.merit) && !(work.error < options.errorTolerance)) return;
  report.merit = merit;
  keepBest(problem, work);
}

/** §4.3: the gradient B C⁻¹ r vanishes where the rows contradict each other; these states have nothing better. */
function isGradientZero(problem: MixedProblem, work: Work, limit: number): boolean {
  return Math.sqrt(squaredNorm(problem, work, work.bz, work.bzRow)) < limit;
}
