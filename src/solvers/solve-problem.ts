/**
 * One door to all solvers of a contact problem, for problem files and for comparing solvers.
 *
 * `auto` starts with the solver that is exact where its factor is cheap and goes on with the others, each
 * stage judged by the one residual and by nothing else:
 *
 *   dantzig if cheap (its passes are Newton steps on the whole problem; the cost is foreseen from the graph),
 *   gauss-seidel while it converges, proximal steps if pivots are affordable (low rank), then rounds, each of
 *   three times the steps of the one before, of
 *   contact-admm, dantzig if it has not had its turn and fits into memory, newton steps on everything at once
 *   (up to some hundred contacts) from the best and from further starts, gauss-seidel
 *
 * Dantzig and contact-admm start from the caller's r, not from what sweeps left: a stack of 160 boxes takes
 * dantzig 6 passes from nothing and is not solved after 200 sweeps' distorted load, contact-admm 948
 * iterations and more than 1800. Sweeps go on from the best.
 *
 * Whatever is chosen, the best r ever met is returned and the iterations of all stages together stay
 * within the limit. What a stage does never depends on the limit, which only cuts the series off: more iterations
 * never give a worse answer. One that is not met is looked at once more: problems that provably have no solution
 * say so. Allocates; not for the step.
 */

import { NO_SOLUTION } from '../core/contact-law-constants';
import { hasAbsurdImpulses } from './absurd-impulses';
import { createContactAdmmReport, defaultContactAdmmOptions, solveContactAdmm } from './contact-admm';
import { solveContactNewton } from './contact-newton';
import { type ContactProblem, velocityScale } from './contact-problem';
import { createDantzigReport, defaultDantzigOptions, solveDantzig } from './dantzig';
import {
  createGaussSeidelReport,
  defaultGaussSeidelOptions,
  type GaussSeidelOptions,
  solveGaussSeidel,
} from './gauss-seidel';
import { findKinematicConflict } from './kinematic-conflict';
import type { LocalSolverName } from './local/choose-local';
import { solveEnumerative } from './local/enumerative';
import { createLocalCounts, type LocalCounts } from './local/hybrid';
import { predictPivotCost } from './pivot-cost';
import { solveProximal } from './proximal-pivots';
import { residualOf } from './residual';
import { LAW_COULOMB } from './row-law';
import { createScratch } from './scratch';

export type ProblemSolver = 'auto' | 'dantzig' | 'gauss-seidel' | 'contact-admm';

/** All names, the default first. */
export const PROBLEM_SOLVERS: readonly ProblemSolver[] = ['auto', 'dantzig', 'gauss-seidel', 'contact-admm'];

export interface SolveOptions {
  solver: ProblemSolver;
  /** Local solver of the sweeps. */
  local: LocalSolverName;
  /**
   * Residual to reach, in m/s and relative to the largest |b|, whichever is less; the
   * latter not below 1e-13. Default 1e-10.
   * Larger: friction creeps. Below about 1e-12 rounding decides.
   */
  tolerance: number;
  /** Iterations of all stages together at most [-]: sweeps, passes and pivots, or splitting steps. Default 5000. */
  iterationLimit: number;
  /**
   * Told the best residual [m/s] at the start, while the stages work (sweeps: every fourth) and after each;
   * `iterations` counts those of all stages. For plots.
   */
  onIteration?: (progress: SolveProgress) => void;
}

/** Solvers that need the full form (solve-full-form.ts); the last three only to compare with. */
export type FullFormSolver =
  | 'admm'
  | 'conjugate-residual'
  | 'staggered-active-set'
  | 'staggered-conjugate-residual'
  | 'nested-relaxation'
  | 'nodal';

/** What `onIteration` is told. One object, written over each time. */
export interface SolveProgress {
  solver: SolveStage['solver'] | 'start';
  iterations: number;
  /** [m/s] */
  residual: number;
}

export const defaultSolveOptions: SolveOptions = {
  solver: 'auto',
  local: 'hybrid',
  tolerance: 1e-10,
  iterationLimit: 5000,
};

/** One solver's turn. */
export interface SolveStage {
  solver: Exclude<ProblemSolver, 'auto'> | FullFormSolver | 'newton' | 'proximal';
  iterations: number;
  /**
   * Of these, pivots; the others of 'dantzig' and 'proximal' are passes over the sets, each a Newton step on all
   * contacts.
   */
  pivots: number;
  /** Best residual after it [m/s]. */
  residual: number;
}

export interface SolveReport {
  status: 'converged' | 'iteration-limit' | 'no-solution';
  iterations: number;
  /** Residual of the r returned, measured with the full operator [m/s]. */
  residual: number;
  stages: SolveStage[];
  /** Of 'no-solution': a contact that asks for the impossible; else null. */
  impossibleContact: number | null;
  /** What the hybrid local solver needed in sweeps. */
  local: LocalCounts;
}

/** Cost of a factor up to which `auto` begins with dantzig (a second or so), and up to which it tries it at all. */
const DANTZIG_FIRST = 1e9;
const DANTZIG_AT_ALL = 3e10;
/** Pivots from each start of dantzig at most, in company and alone: a longer drive mostly cycles. */
const PIVOTS_IN_COMPANY = 400;
const PIVOTS_ALONE = 1200;
/** Proximal steps, and pivots of each from each start. */
const PROXIMAL_STEPS = 40;
const PROXIMAL_PIVOTS = 200;
/** Sweeps in which the residual must fall to a share of itself to count as converging [-]. */
const SWEEP_CHUNK = 100;
const SWEEP_PROGRESS = 0.3;
/** Sweeps between two looks at the residual: a look costs about a sweep without its local solver. */
const LOOK_INTERVAL = 4;
/** Steps of splitting and sweeps in the first round, and by what a round exceeds the one before. */
const ROUND_STEPS = 150;
const ROUND_GROWTH = 3;
/**
 * Multiplications that dense Newton steps may cost in the first round (seconds), steps per start, and further starts.
 */
const NEWTON_COST = 5e9;
const NEWTON_STEPS = 100;
const NEWTON_RESTARTS = 24;
/** Coefficients beyond this mean the same, a contact that never slides: larger ones only lose digits. */
const MU_LIMIT = 1e6;

/** State of one call. */
interface Run {
  problem: ContactProblem;
  options: SolveOptions;
  /** Relative to the largest |b|. */
  tolerance: number;
  target: number;
  left: number;
  /** Of the best iterate when Newton last left it: from there it would only do the same again. */
  newtonResidual: number;
  r: Float64Array;
  start: Float64Array;
  best: Float64Array;
  u: Float64Array;
  report: SolveReport;
  readonly progress: SolveProgress;
}

/** Passes a stage's steps on to who watches; undefined if nobody does. */
function watchStage(run: Run, solver: SolveStage['solver']): ((steps: number, residual: number) => void) | undefined {
  if (!run.options.onIteration) return undefined;
  return (steps, residual) => tellProgress(run, solver, run.report.iterations + steps, residual);
}

function tellProgress(run: Run, solver: SolveProgress['solver'], iterations: number, residual: number): void {
  const { progress, report, options } = run;
  progress.solver = solver;
  progress.iterations = iterations;
  progress.residual = Math.min(residual, report.residual);
  options.onIteration?.(progress);
}

/**
 * Solves from r in place: three impulses per contact [N·s], zeros or a guess (one that is not finite is replaced by
 * zeros). mu above 1e6 counts as 1e6. u, three velocities per contact [m/s], is filled with W r +
 * b. Never throws and always ends.
 */
export function solveProblem(
  problem: ContactProblem,
  r: Float64Array,
  u: Float64Array,
  options: Partial<SolveOptions> = {},
): SolveReport {
  const all = { ...defaultSolveOptions, ...options };
  const size = 3 * problem.contactCount;
  const scale = velocityScale(problem);
  const target = Math.max(all.tolerance * Math.min(1, scale), 1e-13 * scale);

  for (let i = 0; i < size; i++) {
    if (Number.isFinite(r[i])) continue;
    r.fill(0, 0, size);
    break;
  }

  const run: Run = {
    problem: capFriction(problem),
    options: all,
    tolerance: scale > 0 ? target / scale : 0,
    target,
    left: Math.max(0, Math.floor(all.iterationLimit)),
    newtonResidual: Number.POSITIVE_INFINITY,
    r,
    start: r.slice(0, size),
    best: r.slice(0, size),
    u,
    report: {
      status: 'iteration-limit',
      iterations: 0,
      residual: 0,
      stages: [],
      impossibleContact: null,
      local: createLocalCounts(),
    },
    progress: { solver: 'start', iterations: 0, residual: 0 },
  };

  const { report } = run;
  report.residual = residualOf(u, run.problem, r);
  tellProgress(run, 'start', 0, report.residual);
  if (report.residual > target) runStages(run);
  r.set(run.best);
  report.residual = residualOf(u, run.problem, r);
  if (report.residual <= target) report.status = 'converged';
  else judgeSolvable(run.problem, report);
  return report;
}

/** Sets the status and the contact where it is certain that there is no solution. */
export function judgeSolvable(problem: ContactProblem, report: SolveReport): void {
  const contact = findImpossibleContact(problem);
  if (contact < 0) return;
  report.status = 'no-solution';
  report.impossibleContact = contact;
}

function runStages(run: Run): void {
  const { solver } = run.options;
  const cost = solver === 'auto' || solver === 'dantzig' ? predictPivotCost(run.problem) : 0;
  if (solver === 'dantzig') {
    if (cost < Number.POSITIVE_INFINITY) runDantzig(run, PIVOTS_ALONE);
  } else if (solver === 'gauss-seidel') runSweeps(run, run.left, false);
  else if (solver === 'contact-admm') runAdmm(run, run.left);
  else {
    if (cost <= DANTZIG_FIRST && runDantzig(run, PIVOTS_IN_COMPANY)) return;
    if (runSweeps(run, Number.POSITIVE_INFINITY, true)) return;
    if (findImpossibleContact(run.problem) >= 0) {
      // The nearest to an answer that a round finds.
      runAdmm(run, ROUND_STEPS);
      return;
    }
    if (cost <= DANTZIG_FIRST && runProximal(run)) return;
    runRounds(run, cost > DANTZIG_FIRST && cost <= DANTZIG_AT_ALL);
  }
}

/** The rounds of the head comment, until the target or the limit. */
function runRounds(run: Run, isDantzigDue: boolean): void {
  let growth = 1;
  for (let round = 0; run.left > 0; round++) {
    const steps = ROUND_STEPS * growth;
    const { left } = run;
    if (runAdmm(run, steps)) return;
    if (round === 0 && isDantzigDue && (runDantzig(run, PIVOTS_IN_COMPANY) || runProximal(run))) return;
    if (runNewton(run, NEWTON_COST * growth) || runSweeps(run, steps, false)) return;
    // Numbers that are none: nothing moves them.
    if (run.left === left) return;
    growth *= ROUND_GROWTH;
  }
}

/** Books a stage that left its answer in r; true when the target is met. r := best. */
function close(run: Run, solver: SolveStage['solver'], iterations: number, pivots = 0): boolean {
  const { problem, r, best, u, report } = run;
  const residual = residualOf(u, problem, r);
  if (residual < report.residual && !hasAbsurdImpulses(problem, r)) {
    report.residual = residual;
    for (let i = 0; i < best.length; i++) best[i] = r[i];
  }
  for (let i = 0; i < best.length; i++) r[i] = best[i];
  run.left -= iterations;
  report.iterations += iterations;
  const last = report.stages.at(-1);
  if (last?.solver === solver) {
    last.iterations += iterations;
    last.pivots += pivots;
    last.residual = report.residual;
  } else report.stages.push({ solver, iterations, pivots, residual: report.residual });
  tellProgress(run, solver, report.iterations, report.residual);
  return report.residual <= run.target;
}

function runDantzig(run: Run, pivots: number): boolean {
  const { problem, left, r } = run;
  if (left <= 0) return false;
  const n = problem.contactCount;
  const report = createDantzigReport();
  const options = {
    ...defaultDantzigOptions,
    tolerance: run.tolerance,
    pivotLimit: Math.min(defaultDantzigOptions.pivotLimit, pivots / n),
    stepLimit: left,
    fallbackSweeps: 0,
    onCheck: watchStage(run, 'dantzig'),
  };
  r.set(run.start);
  solveDantzig(problem, r, new Int8Array(n), null, createScratch(), options, report);
  return close(run, 'dantzig', report.outerPasses + report.pivots, report.pivots);
}

/** Proximal steps from the best. */
function runProximal(run: Run): boolean {
  const { problem, left, r, target } = run;
  if (left <= 0) return false;
  const onCheck = watchStage(run, 'proximal');
  const limits = { stepLimit: left, pivots: PROXIMAL_PIVOTS, proximalSteps: PROXIMAL_STEPS };
  const { steps, pivots } = solveProximal(problem, r, { target, ...limits, onCheck });
  return close(run, 'proximal', steps, pivots);
}

/** At most so many sweeps from the best, or, when `mayGiveUp`, until they crawl. */
function runSweeps(run: Run, sweeps: number, mayGiveUp: boolean): boolean {
  if (run.left <= 0) return false;
  const options: Partial<GaussSeidelOptions> = {
    local: run.options.local,
    onCheck: watchStage(run, 'gauss-seidel'),
    giveUpInterval: mayGiveUp ? SWEEP_CHUNK : 0,
    giveUpShare: SWEEP_PROGRESS,
  };
  return sweepFrom(run, sweeps, options);
}

/** Sweeps from r; r becomes the best of all then, `answer`, if any, the best of these. */
function sweepFrom(
  run: Run,
  sweeps: number,
  options: Partial<GaussSeidelOptions>,
  answer: Float64Array | null = null,
): boolean {
  const { problem, r, left, tolerance } = run;
  const report = createGaussSeidelReport();
  const sweepLimit = Math.min(left, sweeps);
  const own = { ...defaultGaussSeidelOptions, checkInterval: LOOK_INTERVAL, isMonotone: true, tolerance, sweepLimit };
  solveGaussSeidel(problem, r, createScratch(), { ...own, ...options }, report);
  addCounts(run.report.local, report.local);
  answer?.set(r);
  const isDone = close(run, 'gauss-seidel', report.sweeps);
  // Cut off by the limit: what is left after the last look is too little for a look, and for no other stage.
  if (report.sweeps > left - LOOK_INTERVAL) run.left = 0;
  return isDone;
}

/** Splitting from the caller's start. */
function runAdmm(run: Run, steps: number): boolean {
  const { problem, left, r, tolerance } = run;
  if (left <= 0) return false;
  const report = createContactAdmmReport();
  r.set(run.start);
  const iterationLimit = Math.min(left, steps);
  const onCheck = watchStage(run, 'contact-admm');
  solveContactAdmm(problem, r, { ...defaultContactAdmmOptions, tolerance, iterationLimit, onCheck }, report);
  return close(run, 'contact-admm', report.iterations);
}

/**
 * Newton from the best iterate, then again and again from a few sweeps off a part of it: that is how it gets
 * away from stationary points that are no solutions. Of 1500 random problems with a known answer, low rank and mu up to
 * 2, 14 come here and 10 are solved.
 */
function runNewton(run: Run, cost: number): boolean {
  const { problem, r } = run;
  if (run.report.residual === run.newtonResidual) return false;
  let stepsLeft = Math.floor(cost / r.length ** 3);
  const answer = r.slice();
  for (let start = 0; start <= NEWTON_RESTARTS && Math.min(run.left, stepsLeft) > 0; start++) {
    if (start > 0) {
      // From a part of the best (chance factors per contact were tried and lead elsewhere less often).
      for (let i = 0; i < r.length; i++) r[i] = (run.best[i] * (start % 4)) / 4;
      const local = start % 2 === 0 ? 'bracketed' : 'isotropic';
      if (sweepFrom(run, LOOK_INTERVAL * start, { local }, answer)) return true;
      r.set(answer);
    }
    const limit = Math.min(run.left, stepsLeft, NEWTON_STEPS);
    const { iterations } = solveContactNewton(problem, r, run.target, limit);
    stepsLeft -= iterations;
    if (close(run, 'newton', iterations)) return true;
  }
  run.newtonResidual = run.report.residual;
  return false;
}

function addCounts(sum: LocalCounts, more: LocalCounts): void {
  sum.calls += more.calls;
  sum.enumerative += more.enumerative;
  sum.bracketed += more.bracketed;
  sum.failures += more.failures;
  sum.noSolution += more.noSolution;
}

/** The problem itself, or one with mu capped. */
function capFriction(problem: ContactProblem): ContactProblem {
  let isHuge = false;
  for (let c = 0; c < problem.contactCount; c++) if (problem.mu[c] > MU_LIMIT) isHuge = true;
  return isHuge ? { ...problem, mu: problem.mu.map((mu) => Math.min(mu, MU_LIMIT)) } : problem;
}

/**
 * A contact that shows that there is none, −1 where it is not certain: for a contact on its own by enumeration,
 * else by velocities.
 */
function findImpossibleContact(problem: ContactProblem): number {
  const { contactCount, rowStart, diagonal, values, b, mu, law } = problem;
  const alone = new Float64Array(3);
  for (let c = 0; c < contactCount; c++) {
    if (rowStart[c + 1] - rowStart[c] !== 1 || (law && law[c] !== LAW_COULOMB)) continue;
    if (solveEnumerative(alone, 0, values, 9 * diagonal[c], b, 3 * c, mu[c]) === NO_SOLUTION) return c;
  }
  return findKinematicConflict(problem);
}
