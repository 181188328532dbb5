/**
 * Algorithms 2 and 4 of Daviet 2020: ADMM between the elastic equations and the contacts.
 *
 *   v   := argmin of the elastic energy + ½‖v − (p + λ)‖²_W:   (A + W) v = f + W (p + λ), factored once
 *   p   := v − λ projected on the feasible set (Algorithm 3, project.ts)
 *   λ   := λ + p − v
 *
 * until δ∞ = dt (‖vˡ − vˡ⁻¹‖∞ + ‖vˡ − p‖∞) [m] is below the tolerance. λ lives on the unknowns, so the caller
 * keeps it from step to step (§6.2.2); r̄ lives on the contacts. New collisions are looked for every few
 * iterations by a callback that appends rows (§6.2.3). Algorithm 4 adds momentum to p and λ and drops it
 * whenever the residual grows. Rigid bodies: A = M, W = bodyWeight·M, so v = (v_free + bodyWeight (p + λ))/(1 + bodyWeight).
 * Bodies without contacts have no weight.
 */

import { OBJECT_ACTIVE, OBJECT_IDLE } from '../../core/elastic-constants';
import { chooseLocal, type LocalSolverName } from '../local/choose-local';
import { createLocalCounts, type LocalCounts } from '../local/hybrid';
import { pushBodies } from './body-contacts';
import { type AdmmProblem, type ElasticOperator, grown, unknownCount } from './problem';
import { applyForces, prepareContacts, type SweepOptions, sweepContacts } from './project';
import { beginRounds, mayRest, nextRound } from './resting';

export interface AdmmOptions {
  /** ADMM iterations at most, of an object on average [-]. Default 25, as in the paper. Fewer: contacts give, friction creeps. */
  iterations: number;
  /** Gauss–Seidel sweeps per iteration [-]. Default 5. */
  sweeps: number;
  /** δ∞ to reach [m]. Default 1e-5, the paper's. */
  tolerance: number;
  /** Momentum of Algorithm 4. Default false. */
  acceleration: boolean;
  /** Over-relaxation: the projection starts from p + relaxation (v − p), 1 … below 2 [-]. Default 1: the paper's. */
  relaxation: number;
  /** Sleeping contacts of §6.3.3. Default true. */
  sleeping: boolean;
  /** Change of a contact's velocity below which it sleeps, as a share of δ∞ [-]. Default 0.01. */
  sleepShare: number;
  /** Sweeps that it sleeps [-]. Default 10: to the end of the projection. */
  sleepSweeps: number;
  /** Objects that have converged rest (resting.ts); not with momentum. Default true. */
  resting: boolean;
  /** Cohesion of §6.3.1. Default true. */
  cohesion: boolean;
  /** The answer is p, which obeys the contacts, instead of v, which has the lower elastic energy (§6.2.7). Default true. */
  geometricCorrection: boolean;
  /** Iterations between looks for new collisions [-]. Default 5. */
  newCollisionsEvery: number;
  /** Four-sided pyramid for comparison, where a contact is isotropic. Default exact. */
  frictionCone: 'exact' | 'pyramid';
  /** Local solver of contacts with rigid bodies. Default hybrid. */
  local: LocalSolverName;
}

export const defaultAdmmOptions: AdmmOptions = {
  iterations: 25,
  sweeps: 5,
  tolerance: 1e-5,
  acceleration: false,
  relaxation: 1,
  sleeping: true,
  sleepShare: 0.01,
  sleepSweeps: 10,
  resting: true,
  cohesion: true,
  geometricCorrection: true,
  newCollisionsEvery: 5,
  frictionCone: 'exact',
  local: 'hybrid',
};

/**
 * Vectors over all unknowns; `v` and `lambda` are the warm start in and the answer out. Where the answer is v, `last` ends as
 * the v before it, which was projected.
 */
export interface AdmmState {
  v: Float64Array;
  p: Float64Array;
  lambda: Float64Array;
  last: Float64Array;
  right: Float64Array;
  /** p̂, λ̂ of Algorithm 4 and p, λ of the iteration before. */
  pAhead: Float64Array;
  lambdaAhead: Float64Array;
  pLast: Float64Array;
  lambdaLast: Float64Array;
  /** 1 for each object that does not rest; its own ‖vˡ − vˡ⁻¹‖∞ and ‖vˡ − p‖∞ [m/s]. */
  moving: Uint8Array;
  moved: Float64Array;
  apart: Float64Array;
}

export interface AdmmReport {
  status: 'converged' | 'iteration-limit';
  iterations: number;
  sweeps: number;
  /** Contacts solved in all sweeps together. */
  contactSolves: number;
  /** δ∞ of the last iteration [m]. */
  delta: number;
  /** Contacts that were added on the way. */
  added: number;
  /** What the hybrid local solver needed. */
  local: LocalCounts;
}

export function createAdmmState(): AdmmState {
  const none = new Float64Array(0);
  return {
    v: none,
    p: none,
    lambda: none,
    last: none,
    right: none,
    pAhead: none,
    lambdaAhead: none,
    pLast: none,
    lambdaLast: none,
    moving: new Uint8Array(0),
    moved: none,
    apart: none,
  };
}

export function createAdmmReport(): AdmmReport {
  return {
    status: 'iteration-limit',
    iterations: 0,
    sweeps: 0,
    contactSolves: 0,
    delta: 0,
    added: 0,
    local: createLocalCounts(),
  };
}

const VECTORS = ['v', 'p', 'lambda', 'last', 'right', 'pAhead', 'lambdaAhead', 'pLast', 'lambdaLast'] as const;

/** Makes room for `count` unknowns of `objects`; contents undefined where the room was too small. */
export function resizeAdmmState(state: AdmmState, count: number, objects = 0): void {
  if (state.v.length < count) for (const name of VECTORS) state[name] = grown(state[name], count);
  if (state.moving.length >= objects) return;
  state.moving = grown(state.moving, objects);
  state.moved = grown(state.moved, objects);
  state.apart = grown(state.apart, objects);
}

/**
 * Solves from `state.v` (the velocities without contacts) and `state.lambda` (of the last step) in place. The
 * answer is in state.v, the forces in problem.contacts.force. `findNew`, if given, appends contacts that the
 * velocities handed to it would violate, and returns; it sees the elastic part of v. `joints`, if given, makes a
 * solution of (A + W) v = rhs obey the joints (joints.ts). Never throws.
 */
export function solveAdmm(
  problem: AdmmProblem,
  operator: ElasticOperator,
  state: AdmmState,
  options: AdmmOptions,
  report: AdmmReport,
  findNew: ((v: Float64Array) => void) | null = null,
  joints: ((v: Float64Array) => void) | null = null,
): void {
  const count = unknownCount(problem);
  const { contacts, elasticCount, timeStep } = problem;
  const { v, p, lambda, last, right: relaxed } = state;
  sweep.sweeps = options.sweeps;
  sweep.sleepSweeps = options.sleepSweeps;
  sweep.sleepBelow = 0;
  sweep.local = chooseLocal(options.local, report.local);
  sweep.isPyramid = options.frictionCone === 'pyramid';
  report.status = 'iteration-limit';
  report.iterations = report.sweeps = report.contactSolves = report.added = 0;
  report.delta = 0;
  prepareContacts(problem, 0);
  markContactBodies(problem);
  startBodyDuals(problem, lambda, options.cohesion);
  for (let i = 0; i < count; i++) p[i] = v[i];
  const isAhead = options.acceleration;
  if (isAhead) {
    for (let i = 0; i < count; i++) {
      state.pAhead[i] = state.pLast[i] = p[i];
      state.lambdaAhead[i] = state.lambdaLast[i] = lambda[i];
    }
  }
  /** Adds the contacts that v would bring; returns how many. */
  const look = (): number => {
    const before = contacts.count;
    if (findNew) findNew(v);
    const added = contacts.count - before;
    if (added > 0) prepareContacts(problem, before);
    report.added += added;
    return added;
  };
  let theta = 1;
  let lastResidual = Number.POSITIVE_INFINITY;
  const { moving } = state;
  const rounds = beginRounds(options.iterations, options.tolerance, options.resting && !isAhead);
  let resting = 0;
  moving.fill(1, 0, problem.objectCount);
  while (nextRound(rounds, activeCount(problem) - resting, resting)) {
    for (let i = 0; i < count; i++) last[i] = v[i];
    solveVelocities(problem, operator, state, isAhead ? state.pAhead : p, isAhead ? state.lambdaAhead : lambda);
    if (joints) joints(v);
    if (rounds.done % options.newCollisionsEvery === 0) {
      const first = contacts.count;
      if (look() > 0) rouse(problem, state, first);
    }
    const from = isAhead ? state.lambdaAhead : lambda;
    const before = isAhead ? state.pAhead : p;
    // The right-hand side has been used: its place takes the velocities that the projection starts from.
    for (let i = 0; i < count; i++) {
      const isStill = resting > 0 && i < elasticCount && problem.weight[i] > 0 && moving[problem.objectOf[i]] === 0;
      relaxed[i] = isStill ? before[i] : before[i] + options.relaxation * (v[i] - before[i]);
      p[i] = relaxed[i] - from[i];
    }
    applyForces(problem, p, 0, options.cohesion);
    leaveOut(problem, state, resting > 0);
    report.contactSolves += sweepContacts(problem, p, sweep);
    report.iterations = Math.ceil(rounds.spent);
    report.sweeps += options.sweeps;
    report.delta = timeStep * (largestDifference(problem, v, last) + largestDifference(problem, v, p));
    if (options.sleeping) sweep.sleepBelow = (options.sleepShare * report.delta) / timeStep;
    for (let i = 0; i < count; i++) lambda[i] = from[i] + p[i] - relaxed[i];
    const isDone = report.delta < options.tolerance && resting === 0;
    // What no search has seen yet may be in its way.
    if (isDone && look() === 0) {
      report.status = 'converged';
      break;
    }
    const rouseAll = !mayRest(rounds) || report.delta < options.tolerance;
    resting = rouseAll ? 0 : letRest(problem, state, rounds.rest / timeStep);
    if (resting === 0) moving.fill(1, 0, problem.objectCount);
    if (isAhead) {
      const residual = stateResidual(problem, state);
      theta = moveAhead(state, count, theta, residual >= lastResidual);
      lastResidual = residual;
    }
  }
  if (options.geometricCorrection) {
    takeProjected(problem, state);
    return;
  }
  // v has not heard of the last projection yet: after a single iteration it would know nothing of this step's contacts.
  moving.fill(1, 0, problem.objectCount);
  for (let i = 0; i < count; i++) last[i] = v[i];
  solveVelocities(problem, operator, state, p, lambda);
  if (joints) joints(v);
}

const sweep: SweepOptions = {
  sweeps: 5,
  sleepBelow: 0,
  sleepSweeps: 10,
  isPyramid: false,
  local: chooseLocal('bracketed', null),
};

/** (A + W) v = f + W (p + λ). */
function solveVelocities(
  problem: AdmmProblem,
  operator: ElasticOperator,
  state: AdmmState,
  p: Float64Array,
  lambda: Float64Array,
): void {
  const { elasticCount, bodyCount, f, weight, bodyWeight, bodyHasContacts } = problem;
  const { v, right, moving } = state;
  for (let i = 0; i < elasticCount; i++) right[i] = f[i] + weight[i] * (p[i] + lambda[i]);
  operator.solve(v, right, moving);
  for (let body = 0; body < bodyCount; body++) {
    const w = bodyHasContacts[body] === 1 ? bodyWeight : 0;
    const at = elasticCount + 8 * body;
    for (let i = at; i < at + 8; i++) v[i] = (f[i] + w * (p[i] + lambda[i])) / (1 + w);
  }
}

/** Notes which bodies have contacts. */
export function markContactBodies(problem: AdmmProblem): void {
  const { contacts, bodyCount, bodyHasContacts } = problem;
  if (bodyCount === 0) return;
  bodyHasContacts.fill(0, 0, bodyCount);
  for (let c = 0; c < contacts.count; c++) {
    if (contacts.blockOf[c] < 0) continue;
    for (let side = 0; side < 2; side++) {
      const body = contacts.body[2 * c + side];
      if (body >= 0) bodyHasContacts[body] = 1;
    }
  }
}

/** λ = W⁻¹ Bᵀ r of bodies, from the forces of last time: it is kept nowhere else. */
function startBodyDuals(problem: AdmmProblem, lambda: Float64Array, cohesion: boolean): void {
  const { contacts, bodyCount, elasticCount } = problem;
  if (bodyCount === 0) return;
  lambda.fill(0, elasticCount, elasticCount + 8 * bodyCount);
  const { force, normal, offset } = contacts;
  for (let c = 0; c < contacts.count; c++) {
    const at = 4 * c;
    const s = force[at + 3];
    if (contacts.blockOf[c] < 0 || !(s > 0)) continue;
    const pull = cohesion ? offset[at + 3] : 0;
    const [x, y, z] = [
      force[at] / s - pull * normal[at],
      force[at + 1] / s - pull * normal[at + 1],
      force[at + 2] / s - pull * normal[at + 2],
    ];
    pushBodies(problem, lambda, c, x, y, z);
  }
}

/** ‖a − b‖∞ over what contacts see; a spin counts by the body's radius of gyration [m/s]. */
function largestDifference(problem: AdmmProblem, a: Float64Array, b: Float64Array): number {
  const { elasticCount, bodyCount, weight, bodyLength } = problem;
  let largest = 0;
  for (let i = 0; i < elasticCount; i++) {
    if (weight[i] === 0) continue;
    const d = Math.abs(a[i] - b[i]);
    if (d > largest) largest = d;
  }
  for (let body = 0; body < bodyCount; body++) {
    const at = elasticCount + 8 * body;
    for (let k = 0; k < 3; k++) {
      largest = Math.max(
        largest,
        Math.abs(a[at + k] - b[at + k]),
        bodyLength[body] * Math.abs(a[at + 4 + k] - b[at + 4 + k]),
      );
    }
  }
  return largest;
}

/** Ends the rest of the objects of contacts from `first` on. */
function rouse(problem: AdmmProblem, { moving }: AdmmState, first: number): void {
  const { contacts, objectCount, objectOf } = problem;
  if (objectCount === 0) return;
  for (let k = 4 * first; k < 4 * contacts.count; k++) {
    if (contacts.coefficient[k] !== 0) moving[objectOf[contacts.node[k]]] = 1;
  }
}

/** Notes which contacts are left out of this round: those of objects that all rest. */
function leaveOut(problem: AdmmProblem, { moving }: AdmmState, isAny: boolean): void {
  const { contacts, objectOf } = problem;
  const { leftOut, coefficient, node, body } = contacts;
  leftOut.fill(0, 0, contacts.count);
  if (!isAny) return;
  for (let c = 0; c < contacts.count; c++) {
    let still = body[2 * c] < 0 && body[2 * c + 1] < 0;
    for (let k = 4 * c; k < 4 * c + 4 && still; k++) still = coefficient[k] === 0 || moving[objectOf[node[k]]] === 0;
    leftOut[c] = still ? 1 : 0;
  }
}

/** Objects that take part. */
function activeCount({ objectCount, objectKind }: AdmmProblem): number {
  let active = 0;
  for (let object = 0; object < objectCount; object++) if (objectKind[object] !== OBJECT_IDLE) active++;
  return active;
}

/** Notes which objects have less than `rest` [m/s] left to go; returns how many of those that may rest. */
function letRest(problem: AdmmProblem, state: AdmmState, rest: number): number {
  const { elasticCount, objectCount, objectOf, objectKind, weight } = problem;
  const { v, p, last, moving, moved, apart } = state;
  moved.fill(0, 0, objectCount);
  apart.fill(0, 0, objectCount);
  for (let i = 0; i < elasticCount; i++) {
    if (weight[i] === 0) continue;
    const object = objectOf[i];
    moved[object] = Math.max(moved[object], Math.abs(v[i] - last[i]));
    apart[object] = Math.max(apart[object], Math.abs(v[i] - p[i]));
  }
  let resting = 0;
  for (let object = 0; object < objectCount; object++) {
    const rests = objectKind[object] === OBJECT_ACTIVE && moved[object] + apart[object] < rest;
    moving[object] = rests ? 0 : 1;
    if (rests) resting++;
  }
  return resting;
}

/** ‖p − p̂‖²_W + ‖λ − λ̂‖²_W: the combined residual by which Algorithm 4 is reset. */
function stateResidual(problem: AdmmProblem, state: AdmmState): number {
  const { weight, elasticCount, bodyCount, bodyInverseMass, bodyLength, bodyWeight } = problem;
  let sum = 0;
  for (let i = 0; i < elasticCount; i++) if (weight[i] > 0) sum += weight[i] * squaredStep(state, i);
  for (let body = 0; body < bodyCount; body++) {
    const w = bodyWeight / bodyInverseMass[body];
    const at = elasticCount + 8 * body;
    for (let k = 0; k < 3; k++) {
      sum += w * (squaredStep(state, at + k) + bodyLength[body] * bodyLength[body] * squaredStep(state, at + 4 + k));
    }
  }
  return sum;
}

function squaredStep(state: AdmmState, i: number): number {
  const dp = state.p[i] - state.pAhead[i];
  const dl = state.lambda[i] - state.lambdaAhead[i];
  return dp * dp + dl * dl;
}

/** p̂ and λ̂ of the next iteration; returns θ. */
function moveAhead(state: AdmmState, count: number, theta: number, reset: boolean): number {
  const { p, lambda, pAhead, lambdaAhead, pLast, lambdaLast } = state;
  const next = reset ? 1 : 0.5 * (1 + Math.sqrt(1 + 4 * theta * theta));
  const gain = reset ? 0 : (theta - 1) / next;
  for (let i = 0; i < count; i++) {
    pAhead[i] = p[i] + gain * (p[i] - pLast[i]);
    lambdaAhead[i] = lambda[i] + gain * (lambda[i] - lambdaLast[i]);
    pLast[i] = p[i];
    lambdaLast[i] = lambda[i];
  }
  return next;
}

/** v := p where p takes part. */
function takeProjected(problem: AdmmProblem, state: AdmmState): void {
  const { weight, elasticCount } = problem;
  const { v, p } = state;
  const count = unknownCount(problem);
  for (let i = 0; i < elasticCount; i++) if (weight[i] > 0) v[i] = p[i];
  for (let i = elasticCount; i < count; i++) v[i] = p[i];
}
