/**
 * Proximal point steps for problems of low rank: hard piles at large mu, where sweeps and splitting crawl and pivots on
 * W itself cycle.
 *
 * Step k solves the law with  u = (W + ρ Λ) r + (b − ρ Λ q),  Λ the contacts' own scales λ_c, from and
 * around its last answer q; what it leaves of the problem itself is ρ Λ (r − q). With ρ > 0 the matrix is
 * regular: loads no longer wander through what W does not feel, and `dantzig` ends in some tens of passes and
 * pivots. ρ falls while it does (then a step is worth 1/ρ of splitting's) and rises where it does not.
 *
 * Measured on piles of 20 to 90 rocks (hulls, mu = 1, 33 to 679 contacts): 1e-6 in 0.1 to 3 s each, where 5000 steps
 * of all other stages left up to 1.6e-5 after 8 s. Source: Rockafellar 1976 on proximal points. Allocates; not for
 * the step.
 */
import { hasAbsurdImpulses } from './absurd-impulses';
import { type ContactProblem, contactScale, velocityScale } from './contact-problem';
import { createDantzigReport, defaultDantzigOptions, solveDantzig } from './dantzig';
import { residualOf } from './residual';
import { createScratch } from './scratch';

export interface ProximalOptions {
  /** Residual to reach [m/s]. */
  target: number;
  /** Passes and pivots at most, in all [-]; it only cuts off what is done. */
  stepLimit: number;
  /** Pivots of one proximal step at most, from each start [-]. */
  pivots: number;
  /** Proximal steps at most [-]. */
  proximalSteps: number;
  /** Told after every proximal step: passes and pivots so far, best residual [m/s]. */
  onCheck?: (steps: number, residual: number) => void;
}

export interface ProximalReport {
  /** Passes and pivots, and the pivots among them. */
  steps: number;
  pivots: number;
  /** Residual of the r returned [m/s]. */
  residual: number;
}

/** ρ at the start, its bounds, and by what it falls and rises [-]. */
const FIRST = 1e-2;
const LEAST = 1e-8;
const MOST = 1;
const FALL = 0.3;
const RISE = 2;
/** ε of the factor: below every ρ, so that it costs no passes. */
const EPSILON = 1e-9;
/** Residual of a proximal step, relative to the largest |b|, at which it counts as solved [-]. */
const SOLVED = 1e-8;

/** Steps from r (finite) in place; r becomes the best iterate. */
export function solveProximal(problem: ContactProblem, r: Float64Array, options: ProximalOptions): ProximalReport {
  const n = problem.contactCount;
  const u = new Float64Array(3 * n);
  const best = r.slice(0, 3 * n);
  const report: ProximalReport = { steps: 0, pivots: 0, residual: residualOf(u, problem, best) };
  const near: ContactProblem = { ...problem, values: problem.values.slice(), b: problem.b.slice() };
  const sets = new Int8Array(n);
  const scratch = createScratch();
  const dantzig = createDantzigReport();
  const speed = velocityScale(problem);
  let rho = FIRST;
  for (let k = 0; k < options.proximalSteps; k++) {
    if (report.residual <= options.target || report.steps >= options.stepLimit) break;
    moveNear(near, problem, r, rho);
    scratch.reset();
    const own = {
      ...defaultDantzigOptions,
      epsilon: EPSILON,
      tolerance: Math.min(SOLVED, (0.1 * options.target) / speed),
      enough: SOLVED,
      pivotLimit: options.pivots / n,
      stepLimit: options.stepLimit - report.steps,
      fallbackSweeps: 0,
    };
    solveDantzig(near, r, sets, null, scratch, own, dantzig);
    report.steps += dantzig.outerPasses + dantzig.pivots;
    report.pivots += dantzig.pivots;

    // What is cut off does not count, or a larger limit could give a worse answer.
    if (dantzig.residual > SOLVED * speed && report.steps >= options.stepLimit) break;
    const residual = residualOf(u, problem, r);
    if (residual < report.residual && !hasAbsurdImpulses(problem, r)) {
      report.residual = residual;
      best.set(r.subarray(0, 3 * n));
    }
    options.onCheck?.(report.steps, report.residual);
    const isSolved = dantzig.residual <= SOLVED * speed;
    rho = isSolved ? Math.max(LEAST, FALL * rho) : Math.min(MOST, RISE * rho);
    if (!isSolved) r.set(best);
  }
  r.set(best);
  return report;
}

/** near := the problem with ρ Λ (r − rₖ) added to its velocities. */
function moveNear(near: ContactProblem, problem: ContactProblem, r: Float64Array, rho: number): void {
  for (let c = 0; c < problem.contactCount; c++) {
    const own = rho * contactScale(problem, c);
    for (let i = 0; i < 3; i++) {
      const at = 9 * problem.diagonal[c] + 4 * i;
      near.values[at] = problem.values[at] + own;
      near.b[3 * c + i] = problem.b[3 * c + i] - own * r[3 * c + i];
    }
  }
}
