/**
 * Both sides of an elastic solve in double precision, on the vectors of `AdmmState`: what the loop of solvers/elastic
 * asks of a problem file and of the reference backend. Rigid bodies: A = M, W = bodyWeight·M, so v = (v_free +
 * bodyWeight (p + λ))/ (1 + bodyWeight); those without contacts have no weight.
 */

import { OBJECT_ACTIVE, OBJECT_IDLE } from '../../core/elastic-constants';
import {
  goesOn,
  type Islands,
  type Leaves,
  leaderOf,
  linkIslands,
  noteStale,
  type Stale,
  waitsIn,
} from '../elastic/islands';
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
  /** Makes v obey the joints but those of what `leaves` is true of; null: there are none. */
  joints: ((v: Float64Array, leaves: Leaves | null) => void) | null;
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
  readonly islands: Islands;
  /** By island: objects that rest, and ‖vˡ − vˡ⁻¹‖∞ and ‖vˡ − p‖∞ of the last update [m/s]. */
  readonly resting: number[];
  readonly moved: number[];
  readonly apart: number[];
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
  islands: Islands,
): AdmmSides {
  const { sweeps, sleepSweeps, frictionCone } = options;
  const sweep = { sweeps, sleepBelow: 0, sleepSweeps, isPyramid: frictionCone === 'pyramid', local };
  const momentum = createMomentum();
  const noted = { resting: [], moved: [], apart: [] };
  const run: Run = { problem, operator, state, options, sweep, islands, momentum, ...noted, isAhead: false };
  const sides: AdmmSides = {
    findNew: null,
    joints: null,
    open: () => open(run),
    solve: (all) => solve(run, all, sides.joints),
    moveAhead: () => moveAhead(run),
    look: (projected) => look(run, sides, projected),
    project: (times, sleeps) => project(run, times, sleeps),
    update: () => update(run),
    rouse: (island) => rouse(run, island),
    leave: (island) => leave(run, island),
    movingCount: (island) => activeCount(run, island) - (run.resting[island] ?? 0),
    restingCount: (island) => run.resting[island] ?? 0,
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

/** Whether a body waits with its island. */
const bodyWaits = ({ islands }: Run, body: number): boolean =>
  !islands.isWhole && !goesOn(islands, islands.ofBody[body]);

/** (A + W) v = f + W (p + λ). */
function solve(run: Run, all: boolean, joints: AdmmSides['joints']): void {
  const { problem, operator, state, islands, isAhead } = run;
  const { elasticCount, objectCount, bodyCount, f, weight } = problem;
  const { v, last, right, moving } = state;
  const p = isAhead ? state.pAhead : state.p;
  const lambda = isAhead ? state.lambdaAhead : state.lambda;
  if (all && islands.isWhole) rouse(run, 0);
  const count = unknownCount(problem);
  for (let i = 0; i < count; i++) last[i] = v[i];

  for (let i = 0; i < elasticCount; i++) right[i] = f[i] + weight[i] * (p[i] + lambda[i]);
  const kept = all ? moving.slice(0, objectCount) : null;
  if (kept) moving.fill(1, 0, objectCount);
  operator.solve(v, right, moving);
  if (kept) moving.set(kept);
  for (let body = 0; body < bodyCount; body++) if (all || !bodyWaits(run, body)) solveBody(run, body, p, lambda);
  if (joints) joints(v, all || islands.isWhole ? null : waitsIn(islands));
}

function solveBody({ problem, state }: Run, body: number, p: Float64Array, lambda: Float64Array): void {
  const { elasticCount, f, bodyWeight, bodyHasContacts } = problem;
  const w = bodyHasContacts[body] === 1 ? bodyWeight : 0;
  const at = elasticCount + 8 * body;
  for (let i = at; i < at + 8; i++) state.v[i] = (f[i] + w * (p[i] + lambda[i])) / (1 + w);
}

/** Adds contacts; returns how many. */
function look(run: Run, { findNew, joints }: AdmmSides, projected: boolean): number {
  const { problem, state, islands } = run;
  const { contacts } = problem;
  const before = contacts.count;
  if (findNew) findNew(projected);
  const added = contacts.count - before;
  if (added === 0) return 0;
  prepareContacts(problem, before);
  if (islands.isWhole) {
    rouseTouched(problem, state, before);
    return added;
  }
  const stale = linkContacts(run, before);
  // A look along the projection is followed by a solve of all.
  if (!projected && stale.objects.size + stale.bodies.size > 0) solveStale(run, stale, joints);
  return added;
}

/** v of what is stale alone: what has been solved in this round keeps its v. */
function solveStale(run: Run, { objects, bodies }: Stale, joints: AdmmSides['joints']): void {
  const { problem, operator, state } = run;
  const { v, p, lambda, right, moving } = state;
  const { elasticCount, objectCount, f, weight } = problem;
  for (let i = 0; i < elasticCount; i++) right[i] = f[i] + weight[i] * (p[i] + lambda[i]);
  const kept = moving.slice(0, objectCount);
  for (let object = 0; object < objectCount; object++) moving[object] = objects.has(object) ? 1 : 0;
  operator.solve(v, right, moving);
  moving.set(kept);
  for (const body of bodies) solveBody(run, body, p, lambda);
  joints?.(v, (object, body) => !(object >= 0 ? objects.has(object) : bodies.has(body)));
}

/**
 * Islands of contacts from `first` on are linked, and go on: what had waited all of it, of what goes on anyway what
 * they touch ends its rest. Returns what of it is stale.
 */
function linkContacts(run: Run, first: number): Stale {
  const { islands, problem, state } = run;
  const stale: Stale = { objects: new Set(), bodies: new Set() };
  const linked = new Set<number>();
  for (let c = first; c < problem.contacts.count; c++) {
    let island = -1;
    forEachIsland(run, c, (number) => {
      const own = leaderOf(islands, number);
      if (islands.list[own].state !== 'going') {
        noteStale(islands, own, stale);
        rouse(run, own);
      }
      island = linkIslands(islands, island, own);
    });
    if (island >= 0) linked.add(island);
  }
  rouseTouched(problem, state, first);
  for (const island of linked) if (leaderOf(islands, island) === island) countResting(run, island);
  return stale;
}

/** Calls `visit` with the island of each object and body of a contact, by the number that it had at first. */
function forEachIsland({ islands, problem }: Run, c: number, visit: (island: number) => void): void {
  const { node, coefficient, body } = problem.contacts;
  for (let k = 4 * c; k < 4 * c + 4; k++) {
    const island = coefficient[k] === 0 ? -1 : islands.ofObject[problem.objectOf[node[k]]];
    if (island >= 0) visit(island);
  }
  for (let k = 2 * c; k < 2 * c + 2; k++) {
    const island = body[k] < 0 ? -1 : islands.ofBody[body[k]];
    if (island >= 0) visit(island);
  }
}

/** Counts the objects of an island that rest. */
function countResting({ islands, problem, state, resting }: Run, i: number): void {
  resting[i] = 0;
  for (let object = islands.list[i].first; object >= 0; object = islands.next[object])
    if (problem.objectKind[object] === OBJECT_ACTIVE && state.moving[object] === 0) resting[i]++;
}

/** p := v − λ, relaxed, and projected: what has more sweeps after what has fewer. */
function project(run: Run, times: number, sleeps: boolean): number {
  const { problem, state, options, sweep, islands, isAhead } = run;
  const { v, p, moving, right: relaxed } = state;
  const from = isAhead ? state.lambdaAhead : state.lambda;
  const before = isAhead ? state.pAhead : p;
  const count = unknownCount(problem);
  const { elasticCount, weight, objectOf } = problem;
  const isAny = !islands.isWhole || (run.resting[0] ?? 0) > 0;
  // The right-hand side has been used: its place takes the velocities that the projection starts from.
  for (let i = 0; i < count; i++) {
    const isStill =
      i < elasticCount
        ? isAny && weight[i] > 0 && moving[objectOf[i]] === 0
        : isAny && bodyWaits(run, (i - elasticCount) >> 3);
    relaxed[i] = isStill ? before[i] : before[i] + options.relaxation * (v[i] - before[i]);
    p[i] = relaxed[i] - from[i];
  }
  applyForces(problem, p, 0, options.cohesion);
  let solved = 0;
  for (let least = 0; ; ) {
    // The next number of sweeps that any island has.
    let sweeps = Number.POSITIVE_INFINITY;
    for (let i = 0; i < islands.count; i++) {
      const island = islands.list[i];
      if (island.state !== 'going' || island.sweeps <= least || island.sweeps > sweeps) continue;
      const sleepBelow = sleeps ? island.sleepBelow : 0;
      // What is swept together sleeps where it may in each of the islands.
      sweep.sleepBelow = island.sweeps < sweeps ? sleepBelow : Math.min(sweep.sleepBelow, sleepBelow);
      sweeps = island.sweeps;
    }
    if (sweeps === Number.POSITIVE_INFINITY) return solved;
    leaveOut(run, isAny, sweeps);
    sweep.sweeps = times * sweeps;
    solved += sweepContacts(problem, p, sweep);
    least = sweeps;
  }
}

/** λ := λ + p − v; who rests from now on. */
function update(run: Run): void {
  const { problem, state, islands } = run;
  const { v, p, lambda, last, right: relaxed } = state;
  const [whole] = islands.list;
  if (islands.isWhole) whole.reached = largestDifference(problem, v, last) + largestDifference(problem, v, p);
  const from = run.isAhead ? state.lambdaAhead : lambda;
  const count = unknownCount(problem);
  for (let i = 0; i < count; i++) lambda[i] = from[i] + p[i] - relaxed[i];
  run.isAhead = false;
  if (!islands.isWhole) {
    measureObjects(problem, state);
    for (let i = 0; i < islands.count; i++) if (islands.list[i].state === 'going') updateIsland(run, i);
    return;
  }
  if (whole.rest > 0) measureObjects(problem, state);
  run.resting[0] = whole.rest > 0 ? letRest(run, 0, whole.rest) : 0;
  if (run.resting[0] === 0) rouse(run, 0);
}

/** What an island has left to go, and who of it rests. */
function updateIsland(run: Run, i: number): void {
  const { islands, problem, state } = run;
  const { v, p, last } = state;
  const island = islands.list[i];
  let [moved, apart] = [0, 0];
  for (let object = island.first; object >= 0; object = islands.next[object]) {
    moved = Math.max(moved, state.moved[object]);
    apart = Math.max(apart, state.apart[object]);
  }
  for (let body = island.firstBody; body >= 0; body = islands.nextBody[body]) {
    moved = Math.max(moved, bodyDifference(problem, body, v, last));
    apart = Math.max(apart, bodyDifference(problem, body, v, p));
  }
  island.reached = moved + apart;
  run.resting[i] = letRest(run, i, island.rest);
}

/** No object of the island rests. */
function rouse({ islands, state, problem, resting }: Run, i: number): void {
  resting[i] = 0;
  if (islands.isWhole) state.moving.fill(1, 0, problem.objectCount);
  else for (let object = islands.list[i].first; object >= 0; object = islands.next[object]) state.moving[object] = 1;
}

/** An island waits. */
function leave({ islands, state }: Run, i: number): void {
  if (islands.isWhole) return;
  for (let object = islands.list[i].first; object >= 0; object = islands.next[object]) state.moving[object] = 0;
}

/** ‖a − b‖∞ over what contacts see; a spin counts by the body's radius of gyration [m/s]. */
function largestDifference(problem: AdmmProblem, a: Float64Array, b: Float64Array): number {
  const { elasticCount, bodyCount, weight } = problem;
  let largest = 0;
  for (let i = 0; i < elasticCount; i++) {
    if (weight[i] === 0) continue;
    const d = Math.abs(a[i] - b[i]);
    if (d > largest) largest = d;
  }
  for (let body = 0; body < bodyCount; body++) largest = Math.max(largest, bodyDifference(problem, body, a, b));
  return largest;
}

/** The same of a body. */
function bodyDifference(
  { elasticCount, bodyLength }: AdmmProblem,
  body: number,
  a: Float64Array,
  b: Float64Array,
): number {
  const at = elasticCount + 8 * body;
  let largest = 0;
  for (let k = 0; k < 3; k++) {
    const turned = bodyLength[body] * Math.abs(a[at + 4 + k] - b[at + 4 + k]);
    largest = Math.max(largest, Math.abs(a[at + k] - b[at + k]), turned);
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

/** Notes which contacts are left out: those of objects that all rest, and those of islands with other sweeps. */
function leaveOut({ problem, state, islands }: Run, isAny: boolean, sweeps: number): void {
  const { contacts, objectOf } = problem;
  const { leftOut, coefficient, node, body } = contacts;
  leftOut.fill(0, 0, contacts.count);
  if (!isAny) return;
  for (let c = 0; c < contacts.count; c++) {
    let still = body[2 * c] < 0 && body[2 * c + 1] < 0;
    for (let k = 4 * c; k < 4 * c + 4 && still; k++)
      still = coefficient[k] === 0 || state.moving[objectOf[node[k]]] === 0;
    const isOther = !islands.isWhole && sweepsOf(problem, islands, c) !== sweeps;
    leftOut[c] = still || isOther ? 1 : 0;
  }
}

/** Sweeps of a contact's island; 0 where it waits. */
function sweepsOf({ contacts, objectOf }: AdmmProblem, islands: Islands, c: number): number {
  const { coefficient, node, body } = contacts;
  let island = -1;
  for (let k = 4 * c; k < 4 * c + 4 && island < 0; k++)
    if (coefficient[k] !== 0) island = islands.ofObject[objectOf[node[k]]];
  for (let k = 2 * c; k < 2 * c + 2 && island < 0; k++) if (body[k] >= 0) island = islands.ofBody[body[k]];
  return goesOn(islands, island) ? islands.list[leaderOf(islands, island)].sweeps : 0;
}

/** Objects of an island that take part. */
function activeCount({ problem, islands }: Run, i: number): number {
  const { objectCount, objectKind } = problem;
  let active = 0;
  if (islands.isWhole) for (let k = 0; k < objectCount; k++) active += objectKind[k] !== OBJECT_IDLE ? 1 : 0;
  else for (let k = islands.list[i].first; k >= 0; k = islands.next[k]) active += objectKind[k] !== OBJECT_IDLE ? 1 : 0;
  return active;
}

/** By object: ‖vˡ − vˡ⁻¹‖∞ and ‖vˡ − p‖∞. */
function measureObjects({ elasticCount, objectCount, objectOf, weight }: AdmmProblem, state: AdmmState): void {
  const { v, p, last, moved, apart } = state;
  moved.fill(0, 0, objectCount);
  apart.fill(0, 0, objectCount);
  for (let i = 0; i < elasticCount; i++) {
    if (weight[i] === 0) continue;
    const object = objectOf[i];
    moved[object] = Math.max(moved[object], Math.abs(v[i] - last[i]));
    apart[object] = Math.max(apart[object], Math.abs(v[i] - p[i]));
  }
}

/** Notes which objects of an island have less than `rest` [m/s] left to go; returns how many of those that may rest. */
function letRest({ problem, state, islands }: Run, i: number, rest: number): number {
  const { objectKind } = problem;
  const { moving, moved, apart } = state;
  let resting = 0;
  const decide = (object: number) => {
    const rests = objectKind[object] === OBJECT_ACTIVE && moved[object] + apart[object] < rest;
    moving[object] = rests ? 0 : 1;
    if (rests) resting++;
  };
  if (islands.isWhole) for (let object = 0; object < problem.objectCount; object++) decide(object);
  else for (let object = islands.list[i].first; object >= 0; object = islands.next[object]) decide(object);
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
