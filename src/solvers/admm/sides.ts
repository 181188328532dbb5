/**
 * Both sides of an elastic solve in double precision, on the vectors of `AdmmState`: what the loop of solvers/elastic
 * asks of a problem file and of the reference backend. Rigid bodies: A = M, W = bodyWeight·M, so v = (v_free +
 * bodyWeight (p + λ))/ (1 + bodyWeight); those without contacts have no weight.
 */

import { OBJECT_ACTIVE, OBJECT_IDLE } from '../../core/elastic-constants';
import { createMomentum, type Momentum, nextGain } from '../elastic/momentum';
import type { ContactSide, ElasticSide } from '../elastic/ports';
import type { LocalSolver } from '../local/local-solver';
import type { AdmmOptions } from './options';
import { type AdmmProblem, type ElasticOperator, unknownCount } from './problem';
import { applyForces, prepareContacts, type SweepOptions, sweepContacts } from './project';
import type { AdmmState } from './state';

/** Both sides, and what their owner adds. */
export interface AdmmSides extends ElasticSide, ContactSide {
  /**
   * Appends the contacts that v would bring, or with `projected` what the projection would end
   * with; null: none are looked for.
   */
  findNew: ((projected: boolean) => void) | null;
  /** Makes v obey the joints; null: there are none. */
  joints: ((v: Float64Array) => void) | null;
  /** Takes v and λ as they are as the start. */
  open(): void;
}

/** What the functions below share. */
interface Run {
  readonly problem: AdmmProblem;
  readonly operator: ElasticOperator;
  readonly state: AdmmState;
  readonly options: AdmmOptions;
  readonly sweep: SweepOptions;
  /** Objects that rest. */
  resting: number;
  /** Whether p̂ and λ̂ of Algorithm 4 are in use. */
  isAhead: boolean;
  readonly momentum: Momentum;
}

/** The sides of a problem; `state` has its size. */
export function createSides(
  problem: AdmmProblem,
  operator: ElasticOperator,
  state: AdmmState,
  options: AdmmOptions,
  local: LocalSolver,
): AdmmSides {
  const { sweeps, sleepSweeps, frictionCone } = options;
  const sweep = { sweeps, sleepBelow: 0, sleepSweeps, isPyramid: frictionCone === 'pyramid', local };
  const momentum = createMomentum();
  const run: Run = { problem, operator, state, options, sweep, momentum, resting: 0, isAhead: false };
  const sides: AdmmSides = {
    findNew: null,
    joints: null,
    open: () => open(run),
    solve: (all) => solve(run, all, sides.joints),
    moveAhead: () => moveAhead(run),
    look: (projected) => look(run, sides.findNew, projected),
    project: (count, sleepBelow) => project(run, count, sleepBelow),
    update: (rest) => update(run, rest),
    rouse: () => rouseAll(run),
    movingCount: () => activeCount(problem) - run.resting,
    restingCount: () => run.resting,
  };
  return sides;
}

function open({ problem, state, options }: Run): void {
  const { v, p, lambda, last } = state;
  const count = unknownCount(problem);
  for (let i = 0; i < count; i++) p[i] = last[i] = v[i];
  if (!options.acceleration) return;
  for (let i = 0; i < count; i++) {
    state.pAhead[i] = state.pLast[i] = p[i];
    state.lambdaAhead[i] = state.lambdaLast[i] = lambda[i];
  }
}

/** (A + W) v = f + W (p + λ). */
function solve(run: Run, all: boolean, joints: ((v: Float64Array) => void) | null): void {
  const { problem, operator, state, isAhead } = run;
  const { elasticCount, bodyCount, f, weight, bodyWeight, bodyHasContacts } = problem;
  const { v, last, right, moving } = state;
  const p = isAhead ? state.pAhead : state.p;
  const lambda = isAhead ? state.lambdaAhead : state.lambda;
  if (all) rouseAll(run);
  const count = unknownCount(problem);
  for (let i = 0; i < count; i++) last[i] = v[i];

  for (let i = 0; i < elasticCount; i++) right[i] = f[i] + weight[i] * (p[i] + lambda[i]);
  operator.solve(v, right, moving);
  for (let body = 0; body < bodyCount; body++) {
    const w = bodyHasContacts[body] === 1 ? bodyWeight : 0;
    const at = elasticCount + 8 * body;
    for (let i = at; i < at + 8; i++) v[i] = (f[i] + w * (p[i] + lambda[i])) / (1 + w);
  }
  if (joints) joints(v);
}

/** Adds contacts; returns how many. */
function look({ problem, state }: Run, findNew: AdmmSides['findNew'], projected: boolean): number {
  const { contacts } = problem;
  const before = contacts.count;
  if (findNew) findNew(projected);
  const added = contacts.count - before;
  if (added > 0) {
    prepareContacts(problem, before);
    rouseTouched(problem, state, before);
  }
  return added;
}

/** p := v − λ, relaxed, and projected. */
function project(run: Run, sweeps: number, sleepBelow: number): number {
  const { problem, state, options, sweep, resting, isAhead } = run;
  const { v, p, moving, right: relaxed } = state;
  const from = isAhead ? state.lambdaAhead : state.lambda;
  const before = isAhead ? state.pAhead : p;
  const count = unknownCount(problem);
  const { elasticCount, weight, objectOf } = problem;
  // The right-hand side has been used: its place takes the velocities that the projection starts from.
  for (let i = 0; i < count; i++) {
    const isStill = resting > 0 && i < elasticCount && weight[i] > 0 && moving[objectOf[i]] === 0;
    relaxed[i] = isStill ? before[i] : before[i] + options.relaxation * (v[i] - before[i]);
    p[i] = relaxed[i] - from[i];
  }
  applyForces(problem, p, 0, options.cohesion);
  leaveOut(problem, state, resting > 0);
  sweep.sweeps = sweeps;
  sweep.sleepBelow = sleepBelow;
  return sweepContacts(problem, p, sweep);
}

/** λ := λ + p − v; who rests from now on. */
function update(run: Run, rest: number): number {
  const { problem, state } = run;
  const { v, p, lambda, last, right: relaxed } = state;
  const reached = largestDifference(problem, v, last) + largestDifference(problem, v, p);
  const from = run.isAhead ? state.lambdaAhead : lambda;
  const count = unknownCount(problem);
  for (let i = 0; i < count; i++) lambda[i] = from[i] + p[i] - relaxed[i];
  run.isAhead = false;
  run.resting = rest > 0 ? letRest(problem, state, rest) : 0;
  if (run.resting === 0) rouseAll(run);
  return reached;
}

function rouseAll(run: Run): void {
  run.resting = 0;
  run.state.moving.fill(1, 0, run.problem.objectCount);
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
function rouseTouched(problem: AdmmProblem, { moving }: AdmmState, first: number): void {
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

/** p̂ and λ̂ of the next solve. */
function moveAhead(run: Run): void {
  const { problem, state } = run;
  const { p, lambda, pAhead, lambdaAhead, pLast, lambdaLast } = state;
  const residual = stateResidual(problem, state);
  const gain = nextGain(run.momentum, residual);
  const count = unknownCount(problem);
  for (let i = 0; i < count; i++) {
    pAhead[i] = p[i] + gain * (p[i] - pLast[i]);
    lambdaAhead[i] = lambda[i] + gain * (lambda[i] - lambdaLast[i]);
    pLast[i] = p[i];
    lambdaLast[i] = lambda[i];
  }
  run.isAhead = true;
}
