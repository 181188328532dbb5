/**
 * Splitting for whole islands at once: one sparse factor of W + R couples all contacts, and the
 * exact law is met contact by contact (contact-space ADMM, in its Douglas–Rachford form).
 *
 * The law and the dynamics are two relations between r and u, R a positive number per contact [1/kg]:
 *
 *   dynamics:  u + R r = p,  u = W r + b    →  (W + R) r = p − b     (factor kept while R holds)
 *   law:       z = R s + (u − R r),  (s, z) obeys Signorini–Coulomb  →  `isotropic`, exact
 *   p := p + relaxation · R (s − r)
 *
 * At the fixed point s = r and z = u. Each iteration measures s with the full operator, and the best s
 * is returned. For sticking contacts a small R (a large penalty) ends in a handful of iterations, on
 * singular W as well, where sweeps need thousands; for sliding ones it is wrong. R therefore starts in
 * between and moves, for each state of contact, by the balance of the two sides, each move costing a
 * factorisation. Between moves the fixed point is accelerated (Anderson's mixing, type II, few columns),
 * an accelerated point being dropped when the residual of the map grew.
 *
 * Scaling: contact c in units of its own λ_c = trace(W_cc)/3, so that a stack of heavy and light bodies
 * or a problem in odd units behaves like any other. The law does not mind.
 *
 * Sources: the trial of the project's numerics notes; Acary et al. and Tasora et al. on ADMM for
 * frictional contact; Anderson 1965 in the form of Walker, Ni 2011.
 */
import { factorLdl, type SparseLdl, solveLdl } from '../math/sparse-ldl';
import { hasAbsurdImpulses } from './absurd-impulses';
import { createMixing, type Mixing, mixStep, restartMixing } from './anderson-mixing';
import { type ContactProblem, contactScale, velocityOf, velocityScale } from './contact-problem';
import { solveIsotropic } from './local/isotropic';
import { analyseOperator, type OperatorEntries, scaleEntries } from './operator-factor';
import { residualAt, residualOf } from './residual';
import { LAW_BILATERAL, LAW_BOUNDED } from './row-law';

export interface ContactAdmmOptions {
  /** Residual to reach, relative to the largest |b| [-]. */
  tolerance: number;
  /** Iterations at most [-]; each is two triangular solves and a product with W. */
  iterationLimit: number;
  /** R/λ to begin with [-]. Smaller: stuck contacts settle at once, sliding ones never; larger: like sweeps. */
  stiffness: number;
  /** 0 < relaxation < 2 [-]. Larger: faster and less safe. */
  relaxation: number;
  /** Iterations in which the residual must fall, else R moves [-]. Smaller: gives up too early; larger: waits. */
  stallInterval: number;
  /** Columns of the acceleration [-]; 0 switches it off. More: memory, and ill-conditioned mixing. */
  memory: number;
  /** Told after every iteration: iterations so far, best residual [m/s]. */
  onCheck?: (iterations: number, residual: number) => void;
}

export const defaultContactAdmmOptions: ContactAdmmOptions = {
  tolerance: 1e-8,
  iterationLimit: 1000,
  stiffness: 0.3,
  relaxation: 1.5,
  stallInterval: 120,
  memory: 6,
};

export interface ContactAdmmReport {
  /** 'not-positive': W is not positive semidefinite; 'too-dense': its factor would not fit. r is the start then. */
  status: 'solved' | 'iteration-limit' | 'not-positive' | 'too-dense';
  iterations: number;
  /** Numeric factorisations. */
  factorisations: number;
  /** Entries of the factor below its diagonal. */
  factorEntries: number;
  /** Residual of the r returned [m/s]. */
  residual: number;
}

/** Room for one report. */
export function createContactAdmmReport(): ContactAdmmReport {
  return { status: 'solved', iterations: 0, factorisations: 0, factorEntries: 0, residual: 0 };
}

/** R relative to the first one, stall after stall; then from the front again. */
const MOVES = [1, 0.3, 3, 0.1, 10, 0.01];
/** Fall of the best residual within the interval that is not a stall [-]. */
const PROGRESS = 0.3;

/** Arrays of one solve, in scaled units. */
interface AdmmWork {
  problem: ContactProblem;
  entries: OperatorEntries;
  ldl: SparseLdl;
  /** 1/√λ per contact; contacts that nothing moves have 0. */
  scale: Float64Array;
  b: Float64Array;
  /** R per row, equal in the three rows of a contact. */
  shift: Float64Array;
  p: Float64Array;
  r: Float64Array;
  u: Float64Array;
  s: Float64Array;
  next: Float64Array;
  local: Float64Array;
  /** s and W s + b in the problem's own units. */
  answer: Float64Array;
  velocity: Float64Array;
}

/**
 * Solves from r (finite) in place and returns the best iterate. Allocates its factor: for offline use.
 */
export function solveContactAdmm(
  problem: ContactProblem,
  r: Float64Array,
  options: ContactAdmmOptions,
  report: ContactAdmmReport,
): void {
  const n = problem.contactCount;
  const size = 3 * n;
  const target = options.tolerance * velocityScale(problem);
  const best = r.slice(0, size);
  const velocity = new Float64Array(size);
  let bestResidual = residualOf(velocity, problem, best);
  report.iterations = 0;
  report.factorisations = 0;
  report.factorEntries = 0;
  report.residual = bestResidual;
  report.status = bestResidual <= target ? 'solved' : 'iteration-limit';
  if (bestResidual <= target || options.iterationLimit <= 0) return;
  const work = openAdmm(problem, velocity);
  if (!work) {
    report.status = 'too-dense';
    return;
  }
  report.factorEntries = work.ldl.row.length;

  const mixing = createMixing(size, options.memory);
  let move = -1;
  let moveAt = 0;
  let lastBest = Number.POSITIVE_INFINITY;
  while (report.iterations < options.iterationLimit && bestResidual > target) {
    if (report.iterations === moveAt) {
      moveAt += options.stallInterval;
      if (bestResidual > PROGRESS * lastBest || move < 0) {
        move = (move + 1) % MOVES.length;
        startFrom(work, best, options.stiffness * MOVES[move]);
        restartMixing(mixing);
        report.factorisations++;
        if (factorLdl(work.ldl, work.entries.values, work.shift) >= 0) {
          report.status = 'not-positive';
          break;
        }
      }
      lastBest = bestResidual;
    }
    iterate(work);
    report.iterations++;

    for (let i = 0; i < size; i++) work.answer[i] = work.s[i] * work.scale[(i / 3) | 0];
    velocityOf(work.velocity, problem, work.answer);
    const residual = residualAt(problem, work.answer, work.velocity);
    if (residual < bestResidual && !hasAbsurdImpulses(problem, work.answer)) {
      bestResidual = residual;
      best.set(work.answer);
    }
    options.onCheck?.(report.iterations, bestResidual);
    advance(work, mixing, options.relaxation);
  }
  if (bestResidual <= target) report.status = 'solved';
  report.residual = bestResidual;
  for (let i = 0; i < size; i++) r[i] = best[i];
}

function openAdmm(problem: ContactProblem, velocity: Float64Array): AdmmWork | null {
  const n = problem.contactCount;
  const size = 3 * n;
  const analysed = analyseOperator(problem);
  if (!analysed) return null;
  const { entries, ldl } = analysed;
  const scale = new Float64Array(n);
  for (let c = 0; c < n; c++) {
    const lambda = contactScale(problem, c);
    scale[c] = lambda > 0 ? 1 / Math.sqrt(lambda) : 0;
  }
  scaleEntries(entries, problem, scale);
  return {
    problem,
    entries,
    ldl,
    scale,
    b: new Float64Array(size),
    shift: new Float64Array(size),
    p: new Float64Array(size),
    r: new Float64Array(size),
    u: new Float64Array(size),
    s: new Float64Array(size),
    next: new Float64Array(size),
    local: new Float64Array(3),
    answer: new Float64Array(size),
    velocity,
  };
}

/** p = u + R r of an iterate, R = stiffness·λ. */
function startFrom(work: AdmmWork, r: Float64Array, stiffness: number): void {
  const { problem, scale, b, shift, p } = work;
  velocityOf(work.velocity, problem, r);
  shift.fill(stiffness);
  for (let i = 0; i < p.length; i++) {
    const own = scale[(i / 3) | 0];
    b[i] = problem.b[i] * own;
    p[i] = work.velocity[i] * own + (own > 0 ? (stiffness * r[i]) / own : 0);
  }
}

/** r from the dynamics, s from the law. */
function iterate(work: AdmmWork): void {
  const { problem, ldl, b, shift, p, r, u, s, local } = work;
  const size = 3 * problem.contactCount;
  for (let i = 0; i < size; i++) r[i] = p[i] - b[i];
  solveLdl(ldl, r);
  for (let i = 0; i < size; i++) u[i] = p[i] - shift[i] * r[i];
  for (let c = 0; c < problem.contactCount; c++) {
    const at = 3 * c;
    const own = shift[at];
    for (let i = 0; i < 3; i++) local[i] = u[at + i] - own * r[at + i];
    if (problem.law && problem.law[c] === LAW_BILATERAL) {
      for (let i = 0; i < 3; i++) s[at + i] = -local[i] / own;
    } else if (problem.law && problem.law[c] === LAW_BOUNDED) {
      for (let i = 0; i < 3; i++) {
        const { low, high } = problem;
        const unit = work.scale[c];
        s[at + i] = unit > 0 ? Math.min(Math.max(-local[i] / own, low[at + i] / unit), high[at + i] / unit) : 0;
      }
    } else if (work.scale[c] === 0) {
      s.fill(0, at, at + 3);
    } else {
      solveIsotropic(s, at, own, local, 0, problem.mu[c]);
    }
  }
}

/** p := p + relaxation R (s − r), or its accelerated form. */
function advance(work: AdmmWork, mixing: Mixing, relaxation: number): void {
  const { problem, shift, p, r, s, next } = work;
  const size = 3 * problem.contactCount;
  for (let i = 0; i < size; i++) next[i] = p[i] + relaxation * shift[i] * (s[i] - r[i]);
  mixStep(p, mixing, next);
}
