// solve-contacts: every island gets its solver; velocities with which bodies move, and those they keep.
//
// A Dantzig island is solved twice on the same factor. First with the gaps in w (a speculative contact may
// close but not cross, a penetration parts at a bounded rate): that velocity moves the bodies. Then, only where
// it matters, as the bodies are when they have moved, without recovery and with restitution: that velocity is kept, so
// recovery adds no energy, a fast body lands before it bounces, and what lands has landed.

import { RELAX_SPEED } from '../core/engine-constants';
import { chooseSolver } from '../solvers/choose-solver';
import { velocityScale } from '../solvers/contact-problem';
import { createDantzigReport, type DantzigOptions, defaultDantzigOptions, solveDantzig } from '../solvers/dantzig';
import { createScratch } from '../solvers/scratch';
import {
  ANGULAR,
  HIT_SLID,
  PAIR_SURFACE_ACROSS,
  PAIR_SURFACE_ALONG,
  POINT_GAP,
  pairPointAt,
} from '../state/contact-places';
import { EXACT_SLACK, FEW_CONTACTS } from '../state/exact-solve';
import * as L from '../state/layout';
import { type AssembledContacts, applyImpulses, assembleContacts, createAssembledContacts } from './assemble-contacts';
import type { Engine } from './engine';
import { keptFactor, releaseStaleFactors } from './kept-factors';
import { keptResidual } from './kept-residual';
import { capOf, limitDriven, noteCaps } from './limit-driven';
import { isSliding } from './measure-hits';
import { tellMissed } from './missed-residual';
import {
  conserveEnergy,
  findRebounds,
  isTurning,
  noteFree,
  turnsFreely,
  weakenRebounds,
  winsByLaw,
  writeKeptTerms,
} from './rebound';
import { isRefused, tellRefused } from './refused-solver';
import { REAL } from './report';
import { releaseStaleSettled } from './settled-factors';
import { beginSettledStep, SETTLED_SPEED, solveSettled } from './solve-settled';
import { isTooUnevenToSweep, tellUnevenMasses } from './uneven-masses';
import { isWildAnswer } from './wild-answer';

/** So often is a bounce solved at most, each time with less restitution, where the law would win energy. */
const WEAKER_ROUNDS = 9;

/**
 * What one solve of an island within a step may do: pivots per contact, as shoved stacks need, but in all so many
 * pivots times contacts squared; so many passes times contacts, at least the fewest. What it does not settle goes to
 * the splitting, which costs less there: pivoting a tumbling heap of 50 contacts takes 10 ms and more.
 */
const PIVOTS_A_CONTACT = 12;
const PIVOT_WORK = 60_000;
const PASS_WORK = 720;
const FEWEST_PASSES = 10;
/** Contacts up to which further guesses and sweeps are worth their price. */
const GUESSED_CONTACTS = 24;

/**
 * Islands of one body that bounce or turn fast, which the kernel of small islands leaves, and that are solved exactly
 * in a step at most: each costs some 20 µs whatever it does, by sweeps two to four. Further ones are swept.
 */
const LONE_EXACT = 128;

/**
 * Work of the exact solves of a step that islands in motion may take, passes and pivots times what each costs: about
 * 3 ms. The rest is left to the sweeps: a layer of columns that lands in one step is no hitch. An island begins only
 * where the fewest passes fit in, and ends with what is left.
 */
const EXACT_WORK = 100_000;
const FEWEST_STEPS = 4;
/** Passes and pivots of an island that stands: what they do not settle is for the splitting, which costs less there. */
const STANDING_STEPS = 40;
/**
 * The same where `solver: 'dantzig'` is asked for: work of a step, about 100 ms, but for each solve room for all its
 * passes and some pivots, and as much again for all its rounds with bounces. From 54 contacts on this room alone is
 * more than that work (100: six times). Five boxes jammed between walls (100 contacts) pivoted for a second and more,
 * and found no answer.
 */
const FORCED_WORK = 3_000_000;
const FORCED_STEPS = 120;
/**
 * Share of the tolerance that a solve of an island that stands aims at, and that its impulses must still meet in the
 * step after [-]. A solve takes velocities away but leaves the loads that made them; the next one, from rest, puts
 * those right. Its impulses then last for some twenty steps; with 1 they lasted for one.
 */
const STANDING_SHARE = 1e-2;

/** A pass or pivot costs this for each contact, one for each pair of them, and this for each three: a new factor. */
const CONTACT_WORK = 50;
const FACTOR_WORK = 0.125;

/**
 * Residual relative to the largest free velocity, above which an island counts as approximate: by exact
 * solvers, in tolerances, and by sweeps.
 */
const LOOSE_TOLERANCES = 10;
const SWEPT_ENOUGH = 0.02;

/** Residual, relative to the island's largest free velocity, that an unfinished exact solve may keep [-]. */
const GOOD_ENOUGH = 1e-4;

/** The same for an island that stands: other solvers would leave more. */
const SETTLED_ENOUGH = 1e-2;

/** The same where masses are so far apart that sweeps leave nearly all (uneven-masses). */
const UNEVEN_ENOUGH = 0.3;

/** Steps for which an island that passes and pivots could not solve in their budget is left to the other solvers. */
const BACK_OFF = 4;

/** Contacts of an island beyond which a full matrix of them has no room, whatever solver is asked for: 1.2 GB. */
const MOST_EXACT = 4000;

/** What one world's exact solves need; reused every step. */
interface ExactSolve {
  contacts: AssembledContacts;
  sets: Int32Array;
  relaxed: Float64Array;
  readonly options: DantzigOptions;
}

const solves = new WeakMap<Engine, ExactSolve>();
/** Work of the exact solves of this step so far, and islands of one body that came to more than the kernel. */
let exactWork = 0;
let loneSolves = 0;
/** Largest free velocity of each island of this step [m/s]. */
let freeSpeeds = new Float64Array(0);
const scratch = createScratch();
const report = createDantzigReport();

/** Solves all islands of this step but the elastic ones; sweeps also move their bodies (they work in substeps). */
export function solveContacts(engine: Engine): void {
  const { arena, tables } = engine;
  const { bodies } = tables;
  const { dantzig, contactAdmm, sweeps } = engine.report.solvers;
  dantzig.islands = dantzig.passes = dantzig.pivots = dantzig.warm = dantzig.fallbacks = sweeps.islands = 0;
  const { joints } = engine.report;
  joints.active = joints.broken = joints.error = 0;
  contactAdmm.islands = contactAdmm.iterations = contactAdmm.factorisations = contactAdmm.fallbacks = 0;
  const islands = arena.i32[L.ISLAND_COUNT >> 2];
  exactWork = loneSolves = 0;
  beginSettledStep();
  noteFreeSpeeds(engine, islands);
  const capped = noteCaps(engine, islands);
  let refused = 0;
  for (let island = 0; island < islands; island++) {
    if (bodies.islandSolver[island] === L.ISLAND_ELASTIC) {
      if (bodies.islandJointCount[island] > 0) engine.joints?.solveAfterStrands(engine, island);
      continue;
    }
    const solver = solveIsland(engine, island);
    bodies.islandSolver[island] = solver;
    if (isRefused(engine, island, solver)) refused++;
    if (solver === L.ISLAND_SWEEPS) sweeps.islands++;
  }
  if (refused > 0) tellRefused(engine);
  if (sweeps.islands > 0) solveSweepIslands(engine);
  engine.reals[REAL.FURTHER] = 0;
  if (sweeps.islands > 0) engine.reals[REAL.FURTHER] = engine.kernels.furtherSweeps();
  if (capped > 0) limitDriven(engine, islands);
  engine.report.islands = islands;
  reportResiduals(engine, islands);
  releaseStaleFactors(engine);
  releaseStaleSettled(engine);
}

/** The scale of each island's residual, before its velocities are solved. */
function noteFreeSpeeds({ tables }: Engine, islands: number): void {
  if (freeSpeeds.length < islands) freeSpeeds = new Float64Array(2 * islands);
  const { bodies } = tables;
  const { islandBodies, islandBodyStart, islandBodyCount, linearVelocity } = bodies;
  for (let island = 0; island < islands; island++) {
    // Summed up in the table: a local number would be boxed again and again.
    freeSpeeds[island] = 0;
    const start = islandBodyStart[island];
    for (let i = start; i < start + islandBodyCount[island]; i++) {
      const at = 4 * islandBodies[i];
      const x = linearVelocity[at];
      const y = linearVelocity[at + 1];
      const z = linearVelocity[at + 2];
      const square = x * x + y * y + z * z;
      if (square > freeSpeeds[island]) freeSpeeds[island] = square;
    }
    freeSpeeds[island] = Math.sqrt(freeSpeeds[island]);
  }
}

/** The worst residual, and how many islands missed what their solver aims at. */
function reportResiduals(engine: Engine, islands: number): void {
  const { tables, reals, report, settings } = engine;
  const { bodies } = tables;
  const { islandResidual, islandSolver } = bodies;
  // The place of the worst, not its number, which would be boxed again and again.
  let worst = -1;
  let approximate = 0;
  for (let island = 0; island < islands; island++) {
    if (worst < 0 || islandResidual[island] > islandResidual[worst]) worst = island;
    if (islandResidual[island] === 0 || islandSolver[island] === L.ISLAND_ELASTIC) continue;
    const isSwept = islandSolver[island] === L.ISLAND_SWEEPS;
    if (isSwept && islandResidual[island] <= SWEPT_ENOUGH * freeSpeeds[island]) continue;
    if (!isSwept && islandResidual[island] <= LOOSE_TOLERANCES * settings.tolerance * freeSpeeds[island]) continue;
    approximate++;
    tellUnevenMasses(engine, island, freeSpeeds[island]);
  }
  reals[REAL.RESIDUAL] = 0;
  if (worst >= 0) reals[REAL.RESIDUAL] = islandResidual[worst];
  report.solvers.approximate = approximate;
  tellMissed(engine, islands, freeSpeeds);
}

/** Solves an island exactly, or leaves it to the sweeps; says which. */
function solveIsland(engine: Engine, island: number): number {
  if (engine.tables.bodies.islandJointCount[island] > 0 && engine.joints) return engine.joints.solve(engine, island);
  // Bodies that only pass keep their velocities in every bit, which f32 sweeps would not.
  if (engine.kernels.releaseIsland(island)) return L.ISLAND_NONE;
  const { solver } = engine.settings;
  const { dantzig } = engine.report.solvers;
  const isExact = isExactIsland(engine, island);
  if (isExact && solver === 'auto') {
    if (keepsResting(engine, island)) {
      dantzig.islands++;
      dantzig.warm++;
      return L.ISLAND_RESTING;
    }
    if (solveFew(engine, island)) {
      dantzig.islands++;
      return L.ISLAND_FEW;
    }
    if (engine.tables.bodies.islandBodyCount[island] === 1 && loneSolves++ >= LONE_EXACT) return L.ISLAND_SWEEPS;
  }
  if (isExact && (stepsLeft(engine, island) > 0 || isForcedOrSettled(engine, island))) {
    if (solveExactly(engine, island)) {
      dantzig.islands++;
      return L.ISLAND_DANTZIG;
    }
    backOff(engine, island);
    dantzig.fallbacks++;
  }
  if (solver === 'dantzig') return L.ISLAND_SWEEPS;
  if (solver !== 'gauss-seidel' && solveSettled(engine, island, solver === 'contact-admm')) return L.ISLAND_SETTLED;
  // Sweeps would leave nearly all of a boulder's fall, and throw what lies under it.
  if (solver !== 'auto' && canSolveUneven(engine, island) && solveExactly(engine, island)) {
    dantzig.islands++;
    return L.ISLAND_DANTZIG;
  }
  return L.ISLAND_SWEEPS;
}

/** Whether an island stands on the impulses of the step before, as exact as a solve would be; then it is done. */
function keepsResting({ kernels, kernelScratch }: Engine, island: number): boolean {
  const scratch = kernelScratch.address(kernels.settledScratchSize(island));
  return kernels.restsOnItsImpulses(island, scratch, SETTLED_SPEED, STANDING_SHARE) !== 0;
}

/** An island of up to four contacts, solved in one call without its matrix; false where that leaves it to others. */
function solveFew(engine: Engine, island: number): boolean {
  const { kernels, kernelScratch, report } = engine;
  if (engine.tables.bodies.islandPointCount[island] > FEW_CONTACTS) return false;
  const scratch = kernelScratch.address(kernels.settledScratchSize(island));
  const steps = kernels.solveFew(island, scratch);
  if (steps < 0) return false;
  report.solvers.dantzig.passes += steps;
  return true;
}

/** Passes and pivots that the step has left for an island in motion; 0 where they are too few to begin with. */
function stepsLeft({ tables }: Engine, island: number): number {
  const steps = Math.floor((EXACT_WORK - exactWork) / workOfPass(tables.bodies.islandPointCount[island]));
  return steps < FEWEST_STEPS ? 0 : steps;
}

function forcedSteps(contacts: number): number {
  return Math.max(FORCED_STEPS, Math.floor((FORCED_WORK - exactWork) / workOfPass(contacts)));
}

function workOfPass(contacts: number): number {
  return contacts * (CONTACT_WORK + contacts * (1 + FACTOR_WORK * contacts));
}

function isForcedOrSettled(engine: Engine, island: number): boolean {
  return engine.settings.solver === 'dantzig' || isSettled(engine, island);
}

function canSolveUneven(engine: Engine, island: number): boolean {
  const { settings, tables } = engine;
  if (chooseSolver(tables.bodies.islandPointCount[island], settings.dantzigContacts) !== 'dantzig') return false;
  return isTooUnevenToSweep(engine, island) && stepsLeft(engine, island) > 0;
}

/** By counts, and not while the island is left to the sweeps after an exact solve that took too long. */
function isExactIsland(engine: Engine, island: number): boolean {
  const { settings, tables, arena } = engine;
  const { bodies } = tables;
  if (settings.solver === 'dantzig') return bodies.islandPointCount[island] <= MOST_EXACT;
  if (settings.solver !== 'auto') return false;
  if (chooseSolver(bodies.islandPointCount[island], settings.dantzigContacts) !== 'dantzig') return false;
  const step = arena.i32[L.STEP_INDEX >> 2];
  const start = bodies.islandBodyStart[island];
  for (let i = start; i < start + bodies.islandBodyCount[island]; i++) {
    if (bodies.sweptUntil[bodies.islandBodies[i]] > step) return false;
  }
  return true;
}

function backOff(engine: Engine, island: number): void {
  const { bodies } = engine.tables;
  const until = engine.arena.i32[L.STEP_INDEX >> 2] + BACK_OFF;
  const start = bodies.islandBodyStart[island];
  for (let i = start; i < start + bodies.islandBodyCount[island]; i++)
    bodies.sweptUntil[bodies.islandBodies[i]] = until;
}

function solveSweepIslands(engine: Engine): void {
  const need = engine.kernels.sweepScratchSize();
  const address = engine.kernelScratch.address(need);
  engine.kernels.solveSweeps(address, engine.kernelScratch.size(), engine.settings.solver === 'auto');
}

function exactSolveOf(engine: Engine): ExactSolve {
  let solve = solves.get(engine);
  if (!solve) {
    solve = {
      contacts: createAssembledContacts(),
      sets: new Int32Array(0),
      relaxed: new Float64Array(0),
      options: { ...defaultDantzigOptions, tolerance: engine.settings.tolerance },
    };
    solves.set(engine, solve);
  }
  return solve;
}

/**
 * Dantzig pivoting on one island; writes motion, velocity, impulses and residual. False, and nothing written, if
 * it could not be solved well enough within its budget.
 */
function solveExactly(engine: Engine, island: number): boolean {
  const solve = exactSolveOf(engine);
  const a = solve.contacts;
  assembleContacts(engine, island, a);
  const n = a.problem.contactCount;
  if (solve.sets.length < n) {
    solve.sets = new Int32Array(a.pair.length);
    solve.relaxed = new Float64Array(a.r.length);
  }
  const { sets } = solve;
  const isForced = engine.settings.solver === 'dantzig';
  const settled = isSettled(engine, island);
  const { options } = solve;
  if (!isForced) boundWork(options, n);
  options.enough = isForced ? 0 : LOOSE_TOLERANCES * engine.settings.tolerance;
  options.tolerance = (settled && !isForced ? STANDING_SHARE : 1) * engine.settings.tolerance;
  options.stepLimit = isForced ? forcedSteps(n) : settled ? STANDING_STEPS : stepsLeft(engine, island);
  guessSets(a, sets);
  const needsRelaxing = writeMotionTerms(engine, a);
  const factor = keptFactor(engine, a);
  scratch.reset();
  solveDantzig(a.problem, a.r, sets, factor, scratch, options, report);
  exactWork += (1 + report.outerPasses + report.pivots) * workOfPass(n);
  const counts = engine.report.solvers.dantzig;
  counts.passes += report.outerPasses;
  counts.pivots += report.pivots;
  const scale = velocityScale(a.problem);
  let enough = (isForced || settled ? SETTLED_ENOUGH : GOOD_ENOUGH) * scale;
  if (report.status !== 'solved' && !(report.residual <= enough)) {
    if (!isTooUnevenToSweep(engine, island)) return false;
    enough = UNEVEN_ENOUGH * scale;
    if (!(report.residual <= enough)) return false;
  }
  const cap = capOf(island);
  if (isWildAnswer(a, a.r, cap)) return false;
  const { islandResidual } = engine.tables.bodies;
  islandResidual[island] = report.residual;
  if (report.factorRebuilds === 0) counts.warm++;
  const { bodies } = engine.tables;
  storeImpulses(engine, a);
  let bounces = findRebounds(engine, a);
  const isTracked = (bounces || isTurning(engine, island)) && turnsFreely(engine, island);
  if (isTracked) noteFree(engine, island);
  applyImpulses(a, a.r, bodies.inverseMass, bodies.motion, bodies.motion, 8, 4);

  let kept = a.r;
  const hasOwnTerms = bounces || needsRelaxing || isLanding(engine, a);
  if (hasOwnTerms) {
    for (let i = 0; i < 3 * n; i++) solve.relaxed[i] = a.r[i];
    let left = forcedSteps(n);
    for (let round = 0; round < WEAKER_ROUNDS && left > 0; round++) {
      bounces = writeKeptTerms(engine, a, bounces);
      if (isForced) options.stepLimit = left;
      scratch.reset();
      solveDantzig(a.problem, solve.relaxed, sets, factor, scratch, options, report);
      counts.passes += report.outerPasses;
      counts.pivots += report.pivots;
      exactWork += (1 + report.outerPasses + report.pivots) * workOfPass(n);
      if (isForced) left -= 1 + report.outerPasses + report.pivots;
      // Else what moved the bodies is kept, a little recovery in it.
      const isSolved = report.status === 'solved' || report.residual <= enough;
      kept = isSolved && !isWildAnswer(a, solve.relaxed, cap) ? solve.relaxed : a.r;
      if (!bounces || !isTracked || kept === a.r || !winsByLaw(engine, island, a, kept)) break;
      weakenRebounds(a);
    }
  }
  engine.kernels.turnMotions(island);
  applyImpulses(a, kept, bodies.inverseMass, bodies.linearVelocity, bodies.angularVelocity, 4, 0);
  if (isTracked) conserveEnergy(engine, island, a, kept, bounces && kept !== a.r);
  if (hasOwnTerms || isTracked) {
    // The worse of the two: of the velocity that moved the bodies, and of the one that they keep.
    islandResidual[island] = Math.max(islandResidual[island], keptResidual(engine, a, kept, isTracked));
  }
  storeHits(engine, a, kept);
  return true;
}

/** What the game is told of the touches: impulses of the velocities that are kept. */
export function storeHits(engine: Engine, a: AssembledContacts, kept: Float64Array): void {
  const { hit } = engine.tables.pairs;
  for (let c = 0; c < a.touchCount; c++) {
    const at = 4 * a.pair[c];
    if (a.point[c] === 0) hit.fill(0, at, at + 4);
    for (let d = 0; d < 3; d++) hit[at + d] += kept[3 * c + d];
    if (isSliding(kept, 3 * c, a.problem.mu[c])) hit[at + HIT_SLID] = 1;
  }
}

/**
 * Does the motion close a gap faster than matters? Then the velocity that closes it is not the one to keep: what lands
 * without a bounce has lost all its approach in this step, and the touch its whole impulse.
 */
export function isLanding(engine: Engine, a: AssembledContacts): boolean {
  const { point } = engine.tables.pairs;
  const open = RELAX_SPEED * engine.settings.timeStep;
  for (let c = 0; c < a.touchCount; c++) {
    if (a.r[3 * c] > 0 && point[pairPointAt(a.pair[c], a.point[c]) + POINT_GAP] > open) return true;
  }
  return false;
}

/** Limits of a solve of n contacts. */
export function boundWork(options: DantzigOptions, n: number): void {
  const isSmall = n <= GUESSED_CONTACTS;
  options.passLimit = Math.max(FEWEST_PASSES, Math.min(defaultDantzigOptions.passLimit, Math.floor(PASS_WORK / n)));
  options.pivotLimit = Math.min(PIVOTS_A_CONTACT, PIVOT_WORK / (n * n * n));
  options.guessRounds = isSmall ? defaultDantzigOptions.guessRounds : 1;
  options.fallbackSweeps = isSmall ? defaultDantzigOptions.fallbackSweeps : 0;
}

/** Were all of the island's bodies slow at the start of the step? */
function isSettled(engine: Engine, island: number): boolean {
  const { bodies } = engine.tables;
  const { linearVelocity, angularVelocity, velocityChange } = bodies;
  const start = bodies.islandBodyStart[island];
  for (let i = start; i < start + bodies.islandBodyCount[island]; i++) {
    const body = bodies.islandBodies[i];
    for (let k = 0; k < 3; k++) {
      const v = linearVelocity[4 * body + k] - velocityChange[8 * body + k];
      const w = angularVelocity[4 * body + k] - velocityChange[8 * body + ANGULAR + k];
      if (v > SETTLED_SPEED || v < -SETTLED_SPEED || w > SETTLED_SPEED || w < -SETTLED_SPEED) return false;
    }
  }
  return true;
}

/** Sets of the warm start, read off the impulses that were carried over by feature. */
export function guessSets(a: AssembledContacts, sets: Int32Array): void {
  for (let c = 0; c < a.touchCount; c++) {
    const n = a.r[3 * c];
    const x = a.r[3 * c + 1];
    const y = a.r[3 * c + 2];
    const limit = a.problem.mu[c] * n;
    sets[c] = n <= 0 ? 0 : x * x + y * y < limit * limit * (1 - 1e-9) || limit === 0 ? 1 : 2;
  }
}

/** b of the velocity that moves the bodies: free velocity, gaps, conveyor speed. True if recovery is worth relaxing. */
export function writeMotionTerms(engine: Engine, a: AssembledContacts): boolean {
  const { pairs } = engine.tables;
  const { timeStep, recoveryRate, recoverySpeed } = engine.settings;
  const slack = EXACT_SLACK * engine.settings.speculativeDistance;
  let isRecovering = false;
  for (let c = 0; c < a.touchCount; c++) {
    const pair = a.pair[c];
    const gap = pairs.point[pairPointAt(pair, a.point[c]) + POINT_GAP];
    // What stands and has come to an end of its slack is put back by half of it at once, and may then wander for long.
    const left = gap > 0 ? Math.max(gap - slack / 2, 0) : Math.min(gap + slack / 2, 0);
    const parted = Math.max(left, recoveryRate * left - slack, -recoverySpeed * timeStep);
    const w = (left > 0 ? left : parted) / timeStep;
    if (w < -RELAX_SPEED) isRecovering = true;
    a.problem.b[3 * c] = a.free[3 * c] + w;
    a.problem.b[3 * c + 1] = a.free[3 * c + 1] - pairs.material[4 * pair + PAIR_SURFACE_ALONG];
    a.problem.b[3 * c + 2] = a.free[3 * c + 2] - pairs.material[4 * pair + PAIR_SURFACE_ACROSS];
  }
  return isRecovering;
}

export function storeImpulses(engine: Engine, a: AssembledContacts): void {
  const { impulse } = engine.tables.pairs;
  for (let c = 0; c < a.touchCount; c++) {
    const at = 16 * a.pair[c] + 4 * a.point[c];
    for (let d = 0; d < 3; d++) impulse[at + d] = a.r[3 * c + d];
  }
}
