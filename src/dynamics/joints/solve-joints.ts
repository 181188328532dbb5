// Islands with joints: contacts and joints in one problem, exactly where that is cheap.
//
// Where the profile of all rows is too dear, or passes and pivots do not settle it, contacts are swept and joints
// solved exactly, in turns: what is left undone then is left in the contacts.

import { velocityScale } from '../../solvers/contact-problem';
import { createDantzigReport, type DantzigOptions, defaultDantzigOptions, solveDantzig } from '../../solvers/dantzig';
import { predictPivotCost } from '../../solvers/pivot-cost';
import { residualOf } from '../../solvers/residual';
import { createScratch } from '../../solvers/scratch';
import { REACTION_APART, REACTION_TORQUE, REACTION_TURNED, STRENGTH_TORQUE } from '../../state/contact-places';
import * as L from '../../state/layout';
import { type AssembledContacts, applyImpulses } from '../assemble-contacts';
import type { Engine, JointSolver } from '../engine';
import { keptFactor } from '../kept-factors';
import { findRebounds, writeKeptTerms } from '../rebound';
import { boundWork, guessSets, isLanding, storeHits, storeImpulses, writeMotionTerms } from '../solve-contacts';
import { isWildAnswer } from '../wild-answer';
import { attainTargets, CONFLICT, isAttainable, isOpen } from './attain-targets';
import { worksTooMuch } from './bound-work';
import { brakeMotors } from './brake-motors';
import { assembleJoints, createJointRows, type JointRows, writeJointTerms } from './joint-rows';
import { keepFree, limitEnergy } from './limit-energy';
import { hasLoops } from './loops';
import { closeJoints, projectJoints } from './project-joints';
import { clearBends, refineJoints, speedsOf, storeReactions } from './refine-joints';
import { addDone, driveOf, easeShared, giveRows, noteShared, openShared, takeOffDone } from './rows-with-strands';
import { shutStopped } from './shut-stopped';
import { createTurns, solveInTurns } from './solve-in-turns';
import { solveSparse } from './solve-sparse';

/** Blocks up to which no cost is foreseen, and multiplications of a factor that are worth their price: about 1 ms. */
const CHEAP_BLOCKS = 48;
const DEAREST_FACTOR = 1_000_000;
/** Residual, relative to the largest free velocity, that an unfinished solve may keep [-]. */
const GOOD_ENOUGH = 1e-5;
/** With more than this share the island is left to the sparse solve. */
const WORTHLESS = 1e-2;
/** Joints are brought this near to where they should be at the end of a step [m, rad], in so many solves at most. */
const REACHED = 1e-8;
const REFINEMENTS = 8;
/** Where joints of a loop come no nearer, but are this near, what bends is kept. */
const NEARLY = 1e-5;

/**
 * Joints that were nearer than this after the last step are brought together after strands whatever their targets
 * contradict [m, rad]: a bridge that hangs by little seems to disagree with itself, and with what is left of its
 * targets sank further in every step. What does not hold by more does disagree, and is where it can be.
 */
const SHUT = 1e-4;

/** Residual that is none [m/s]: where nothing moves there is no velocity to compare with. */
const NOTHING = 1e-10;

/** Contact points and twice the joints of an island from which on it is solved sparsely. */
const LARGE = 16;
/** Joints up to which those that contradict each other are solved exactly all the same. */
const MEDIUM = 16;

interface JointSolve {
  readonly rows: JointRows;
  /** Whether joints of the island in hand may contradict each other. */
  isLooped: boolean;
  /** By how much they were found to do so in this step [-]. */
  conflict: number;
  /** Residual that a solve of the island in hand may keep [m/s]. */
  enough: number;
  readonly options: DantzigOptions;
}

let linear = new Float64Array(0);
let angular = new Float64Array(0);
const solves = new WeakMap<Engine, JointSolve>();
const scratch = createScratch();
const report = createDantzigReport();
const turns = createTurns();

function solveOf(engine: Engine): JointSolve {
  let solve = solves.get(engine);
  if (!solve) {
    solve = {
      rows: createJointRows(),
      isLooped: false,
      conflict: 0,
      enough: 0,
      options: { ...defaultDantzigOptions, tolerance: engine.settings.tolerance },
    };
    solves.set(engine, solve);
  }
  return solve;
}

export const jointSolver: JointSolver = {
  solve(engine, island) {
    keepFree(engine, island);
    const solver = solveJointIsland(engine, island);
    limitEnergy(engine, island, solveOf(engine).rows);
    return solver;
  },
  solveAfterStrands,
  openShared,
  giveRows: (engine, island, take) => giveRows(engine, island, solveOf(engine).rows, take),
  noteShared,
  driveOf,
  easeShared,
  shutStopped: (engine) => shutStopped(engine, solveOf(engine).rows),
};

/** Whether the sparse solve is the cheaper one, or asked for. Small loops are brought to agree by the exact one. */
function isLarge(engine: Engine, island: number, isLooped: boolean): boolean {
  const { settings, tables } = engine;
  const { islandJointCount, islandPointCount } = tables.bodies;
  if (settings.solver === 'dantzig') return isLooped && !isAttainable(engine, island);
  const joints = islandJointCount[island];
  if (2 * joints + islandPointCount[island] <= LARGE) return settings.solver !== 'auto' && !isLooped;
  return !(isLooped && joints <= MEDIUM && isOpen(engine, island));
}

function solveJointIsland(engine: Engine, island: number): number {
  const own = solveOf(engine);
  const { rows, options } = own;
  const { bodies } = engine.tables;
  const isLooped = hasLoops(engine, island);
  if (isLarge(engine, island, isLooped) && solveSparse(engine, island, rows, true)) {
    markBreaks(engine, island);
    return L.ISLAND_SETTLED;
  }
  engine.report.solvers.dantzig.islands++;
  assembleJoints(engine, island, rows, true);
  const a = rows.contacts;
  const { problem } = a;
  const n = problem.contactCount;
  boundWork(options, n);
  options.fallbackSweeps = 0;
  guessSets(a, rows.sets);
  rows.sets.fill(0, a.touchCount, n);
  const relaxes = writeMotionTerms(engine, a);
  own.isLooped = isLooped;
  own.conflict = 0;
  if (isLooped) forgetHolds(rows);
  aimJoints(engine, own, false);
  own.enough = Math.max(GOOD_ENOUGH * velocityScale(problem), NOTHING);
  let isDear = n > CHEAP_BLOCKS && predictPivotCost(problem) > DEAREST_FACTOR;
  const factor = isDear ? null : keptFactor(engine, a);
  const { dantzig } = engine.report.solvers;
  const { fallbacks } = dantzig;
  const solve: Solve = (r) => {
    // What passes did not settle once they will not in the same step.
    isDear ||= dantzig.fallbacks > fallbacks;
    return isDear ? swept(engine, rows, r) : exact(engine, own, r, factor);
  };

  const tries = brakeMotors(engine, rows, () => {
    aimJoints(engine, own, false);
    rows.sets.fill(0, a.touchCount, n);
    rows.relaxed.set(a.r.subarray(0, 3 * n));
    solve(rows.relaxed);
    speedsOf(rows, rows.relaxed);
  });
  if (tries) {
    rows.sets.fill(0, a.touchCount, n);
    aimJoints(engine, own, false);
  }
  const residual = bend(engine, island, own, solve, a.r, null, isDear ? 1 : REFINEMENTS);
  if (!isLooped && residual > WORTHLESS * velocityScale(problem)) {
    clearBends(engine, rows);
    if (solveSparse(engine, island, rows, false)) {
      markBreaks(engine, island);
      return L.ISLAND_SETTLED;
    }
  }
  bodies.islandResidual[island] = Math.max(residual, rows.missed);
  storeImpulses(engine, a);
  let bounces = findRebounds(engine, a);
  applyImpulses(a, a.r, bodies.inverseMass, bodies.motion, bodies.motion, 8, 4);

  let kept = a.r;
  const hasOwnTerms = bounces || relaxes || rows.isRecovering || isLanding(engine, a);
  if (hasOwnTerms) {
    if (a.touchCount > 0) bounces = writeKeptTerms(engine, a, bounces);
    aimJoints(engine, own, true);
    for (let i = 0; i < 3 * n; i++) rows.relaxed[i] = a.r[i];
    // Recovery bends, too: the velocity that is kept bends by its own.
    const left = bend(engine, island, own, solve, rows.relaxed, a.r, rows.isRecovering && !isDear ? REFINEMENTS : 0);
    const isGood = left <= Math.max(own.enough, residual) && !isWildAnswer(a, rows.relaxed);
    // Joints that contradict each other pull at a body in every step: what stands must not keep what they pull against.
    const isStanding =
      own.conflict > CONFLICT &&
      !bounces &&
      energyOf(engine, island, a, a.r) < energyOf(engine, island, a, rows.relaxed);
    if (isGood && !isStanding) kept = rows.relaxed;
  }
  storeHits(engine, a, kept);
  applyImpulses(a, kept, bodies.inverseMass, bodies.linearVelocity, bodies.angularVelocity, 4, 0);
  if (hasOwnTerms) {
    scratch.reset();
    const left = residualOf(scratch.f64(3 * n), problem, kept);
    bodies.islandResidual[island] = Math.max(bodies.islandResidual[island], left, rows.missed);
  }
  storeReactions(engine, rows, kept, a.r);
  projectJoints(engine, island, rows);
  markBreaks(engine, island);
  return L.ISLAND_DANTZIG;
}

type Solve = (r: Float64Array) => number;

/**
 * Solves for r, then at most so many times for what its motion bends (refine-joints, `done` as there), or without that
 * where it would throw the bodies. Returns the residual.
 */
function bend(
  engine: Engine,
  island: number,
  own: JointSolve,
  solve: Solve,
  r: Float64Array,
  done: Float64Array | null,
  times: number,
): number {
  const { rows } = own;
  const isMade = done === null;
  let residual = solve(r);
  let last = Number.POSITIVE_INFINITY;
  for (let k = 0; k < times; k++) {
    const miss = refineJoints(engine, island, rows, r, done);
    if (miss <= REACHED) break;
    const isNearer = miss < last;
    aimAgain(engine, own, !isMade, isNearer || miss < NEARLY);
    last = miss;
    residual = solve(r);
    if (own.isLooped && !isNearer) break;
  }
  if (isMade) refineJoints(engine, island, rows, r);
  else speedsOf(rows, r);
  if (!worksTooMuch(engine, island, rows, r, isMade)) return residual;
  clearBends(engine, rows);
  aimJoints(engine, own, !isMade);
  residual = solve(r);
  if (isMade) refineJoints(engine, island, rows, r);
  clearBends(engine, rows);
  return residual;
}

/** Twice the kinetic energy that the island's bodies have by the impulses r, but for what turns them [J]. */
function energyOf({ tables }: Engine, island: number, a: AssembledContacts, r: Float64Array): number {
  const { bodies } = tables;
  const { inverseMass, linearVelocity, angularVelocity } = bodies;
  const start = bodies.islandBodyStart[island];
  const end = start + bodies.islandBodyCount[island];
  if (linear.length < linearVelocity.length) {
    linear = new Float64Array(linearVelocity.length);
    angular = new Float64Array(linearVelocity.length);
  }
  for (let i = start; i < end; i++) {
    for (let k = 4 * bodies.islandBodies[i]; k < 4 * bodies.islandBodies[i] + 3; k++) {
      linear[k] = linearVelocity[k];
      angular[k] = angularVelocity[k];
    }
  }
  applyImpulses(a, r, inverseMass, linear, angular, 4, 0);
  let energy = 0;
  for (let i = start; i < end; i++) {
    const at = 4 * bodies.islandBodies[i];
    const square = linear[at] ** 2 + linear[at + 1] ** 2 + linear[at + 2] ** 2;
    energy += square / inverseMass[bodies.islandBodies[i]];
  }
  return energy;
}

/** b of the joints' rows, for the bends that are known: in loops what they can do together. */
function aimJoints(engine: Engine, own: JointSolve, isKept: boolean): void {
  writeJointTerms(engine, own.rows, isKept);
  if (own.isLooped) own.conflict = attainTargets(engine, own.rows, isKept, own.conflict);
}

/**
 * The same after a refinement, which has written b already where nothing is looped. What does not come nearer is not
 * gone after.
 */
function aimAgain(engine: Engine, own: JointSolve, isKept: boolean, isNearer: boolean): void {
  if (!own.isLooped) return;
  if (!isNearer) clearBends(engine, own.rows);
  aimJoints(engine, own, isKept);
}

/** What joints bore in the last step is no start where they say the same twice: it would add up from step to step. */
function forgetHolds({ contacts: a }: JointRows): void {
  for (let c = a.touchCount; c < a.problem.contactCount; c++) if (a.point[c] < 2) a.r.fill(0, 3 * c, 3 * c + 3);
}

/** Passes and pivots; what they leave goes to the turns. Returns the residual. */
function exact(
  engine: Engine,
  { rows, options, enough }: JointSolve,
  r: Float64Array,
  factor: ReturnType<typeof keptFactor>,
): number {
  const { problem } = rows.contacts;
  scratch.reset();
  solveDantzig(problem, r, rows.sets, factor, scratch, options, report);
  const counts = engine.report.solvers.dantzig;
  counts.passes += report.outerPasses;
  counts.pivots += report.pivots;
  if (report.status === 'solved' || report.residual <= enough) {
    if (!isWildAnswer(rows.contacts, r)) return report.residual;
  }
  counts.fallbacks++;
  return swept(engine, rows, r);
}

function swept(engine: Engine, rows: JointRows, r: Float64Array): number {
  const { problem, touchCount } = rows.contacts;
  const { tolerance } = engine.settings;
  scratch.reset();
  const residual = solveInTurns(turns, problem, touchCount, r, scratch, tolerance);
  if (residual <= velocityScale(problem)) return residual;
  // Worse than nothing: what passes and pivots left is no start.
  r.fill(0, 0, 3 * problem.contactCount);
  scratch.reset();
  return solveInTurns(turns, problem, touchCount, r, scratch, tolerance);
}

/** Joints of bodies that were solved with strands: what that solve has left in them is put right, one-way. */
function solveAfterStrands(engine: Engine, island: number): void {
  const own = solveOf(engine);
  const { rows, options } = own;
  const { bodies } = engine.tables;
  const wasShut = !isOpen(engine, island, SHUT);
  assembleJoints(engine, island, rows, false);
  takeOffDone(engine, rows);
  const a: AssembledContacts = rows.contacts;
  const n = a.problem.contactCount;
  boundWork(options, n);
  rows.sets.fill(0, 0, n);
  own.isLooped = isAttainable(engine, island) && hasLoops(engine, island);
  own.conflict = 0;
  if (own.isLooped) forgetHolds(rows);
  aimJoints(engine, own, false);
  const scale = velocityScale(a.problem);
  own.enough = Math.max(GOOD_ENOUGH * scale, NOTHING);
  const factor = keptFactor(engine, a);
  let residual = bend(engine, island, own, (r) => exact(engine, own, r, factor), a.r, null, REFINEMENTS);
  // Worse than nothing: rows on long arms that all but contradict each other.
  if (!(residual <= scale) || worksTooMuch(engine, island, rows, a.r, true)) {
    a.r.fill(0, 0, 3 * n);
    residual = scale;
  }
  bodies.islandResidual[island] = Math.max(bodies.islandResidual[island], residual, rows.missed);
  applyImpulses(a, a.r, bodies.inverseMass, bodies.motion, bodies.motion, 8, 4);
  applyImpulses(a, a.r, bodies.inverseMass, bodies.linearVelocity, bodies.angularVelocity, 4, 0);
  addDone(engine, rows, a.r, rows.relaxed);
  storeReactions(engine, rows, rows.relaxed, rows.relaxed);
  if (wasShut) closeJoints(engine, island, rows);
  else projectJoints(engine, island, rows);
  markBreaks(engine, island);
}

/** Joints that bore more than they can break when the step is done. */
function markBreaks(engine: Engine, island: number): void {
  const { bodies, joints } = engine.tables;
  const { joints: counts } = engine.report;
  const { reaction, strength } = joints;
  const start = bodies.islandJointStart[island];
  const count = bodies.islandJointCount[island];
  let worst = 0;
  for (let i = start; i < start + count; i++) {
    const joint = joints.islandJoints[i];
    const force = lengthOf(reaction, 8 * joint);
    const torque = lengthOf(reaction, 8 * joint + REACTION_TORQUE);
    worst = Math.max(worst, reaction[8 * joint + REACTION_APART], reaction[8 * joint + REACTION_TURNED]);
    if (force <= strength[2 * joint] && torque <= strength[2 * joint + STRENGTH_TORQUE]) continue;
    joints.flags[joint] |= L.JOINT_BREAKS;
  }
  counts.active += count;
  counts.error = Math.max(counts.error, worst);
}

function lengthOf(v: Float64Array, at: number): number {
  return Math.sqrt(v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2]);
}
