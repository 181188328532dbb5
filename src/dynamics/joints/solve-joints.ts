// Islands with joints: contacts and joints in one problem, exactly where that is cheap.
//
// Where the profile of all rows is too dear, or passes and pivots do not settle it, contacts are swept and joints
// solved exactly, in turns: what is left undone then is left in the contacts.

import { velocityScale } from '../../solvers/contact-problem';
import { createDantzigReport, type DantzigOptions, defaultDantzigOptions, solveDantzig } from '../../solvers/dantzig';
import { predictPivotCost } from '../../solvers/pivot-cost';
import { createScratch } from '../../solvers/scratch';
import * as L from '../../state/layout';
import { type AssembledContacts, applyImpulses } from '../assemble-contacts';
import type { Engine, JointSolver } from '../engine';
import { keptFactor } from '../kept-factors';
import { findRebounds, writeKeptTerms } from '../rebound';
import { boundWork, guessSets, isLanding, storeHits, storeImpulses, writeMotionTerms } from '../solve-contacts';
import { isWildAnswer } from '../wild-answer';
import { assembleJoints, createJointRows, type JointRows, writeJointTerms } from './joint-rows';
import { refineJoints, storeReactions } from './refine-joints';
import { createTurns, solveInTurns } from './solve-in-turns';
import { solveSparse } from './solve-sparse';

/** Blocks up to which no cost is foreseen, and multiplications of a factor that are worth their price: about 1 ms. */
const CHEAP_BLOCKS = 48;
const DEAREST_FACTOR = 1_000_000;
/** Residual, relative to the largest free velocity, that an unfinished solve may keep [-]. */
const GOOD_ENOUGH = 1e-5;
/** Joints are brought this near to where they should be at the end of a step [m, rad], in so many solves at most. */
const REACHED = 1e-8;
const REFINEMENTS = 8;

/** Residual that is none [m/s]: where nothing moves there is no velocity to compare with. */
const NOTHING = 1e-10;

/** Contact points and twice the joints of an island from which on it is solved sparsely. */
const LARGE = 16;

interface JointSolve {
  readonly rows: JointRows;
  /** Residual that a solve of the island in hand may keep [m/s]. */
  enough: number;
  readonly options: DantzigOptions;
}

const solves = new WeakMap<Engine, JointSolve>();
const scratch = createScratch();
const report = createDantzigReport();
const turns = createTurns();

function solveOf(engine: Engine): JointSolve {
  let solve = solves.get(engine);
  if (!solve) {
    solve = {
      rows: createJointRows(),
      enough: 0,
      options: { ...defaultDantzigOptions, tolerance: engine.settings.tolerance },
    };
    solves.set(engine, solve);
  }
  return solve;
}

export const jointSolver: JointSolver = { solve: solveJointIsland, solveAfterStrands };

/** Whether the sparse solve is the cheaper one, or asked for. */
function isLarge({ settings, tables }: Engine, island: number): boolean {
  if (settings.solver !== 'auto') return settings.solver !== 'dantzig';
  const { islandJointCount, islandPointCount } = tables.bodies;
  return 2 * islandJointCount[island] + islandPointCount[island] > LARGE;
}

function solveJointIsland(engine: Engine, island: number): number {
  const own = solveOf(engine);
  const { rows, options } = own;
  const { bodies } = engine.tables;
  if (isLarge(engine, island) && solveSparse(engine, island, rows)) {
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
  writeJointTerms(engine, rows, false);
  own.enough = Math.max(GOOD_ENOUGH * velocityScale(problem), NOTHING);
  let isDear = n > CHEAP_BLOCKS && predictPivotCost(problem) > DEAREST_FACTOR;
  const factor = isDear ? null : keptFactor(engine, a);
  const { dantzig } = engine.report.solvers;
  const { fallbacks } = dantzig;
  const solve = (r: Float64Array): number => {
    // What passes did not settle once they will not in the same step.
    isDear ||= dantzig.fallbacks > fallbacks;
    return isDear ? swept(engine, rows, r) : exact(engine, own, r, factor);
  };

  let residual = solve(a.r);
  for (let k = 0; k < (isDear ? 1 : REFINEMENTS) && refineJoints(engine, island, rows, a.r) > REACHED; k++) {
    residual = solve(a.r);
  }
  refineJoints(engine, island, rows, a.r);
  bodies.islandResidual[island] = residual;
  storeImpulses(engine, a);
  const bounces = findRebounds(engine, a);
  applyImpulses(a, a.r, bodies.inverseMass, bodies.motion, bodies.motion, 8, 4);

  let kept = a.r;
  const isRecovering = relaxes || rows.isRecovering || isLanding(engine, a);
  if (bounces || isRecovering) {
    if (a.touchCount > 0) writeKeptTerms(engine, a, bounces);
    writeJointTerms(engine, rows, true);
    for (let i = 0; i < 3 * n; i++) rows.relaxed[i] = a.r[i];
    let left = solve(rows.relaxed);
    // Recovery bends, too: the velocity that is kept bends by its own.
    for (let k = 0; rows.isRecovering && !isDear && k < REFINEMENTS; k++) {
      if (refineJoints(engine, island, rows, rows.relaxed, a.r) <= REACHED) break;
      left = solve(rows.relaxed);
    }
    if (left <= Math.max(own.enough, residual) && !isWildAnswer(a, rows.relaxed)) kept = rows.relaxed;
  }
  storeHits(engine, a, kept);
  applyImpulses(a, kept, bodies.inverseMass, bodies.linearVelocity, bodies.angularVelocity, 4, 0);
  storeReactions(engine, rows, kept, a.r);
  markBreaks(engine, island);
  return L.ISLAND_DANTZIG;
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
  scratch.reset();
  return solveInTurns(turns, rows.contacts.problem, rows.contacts.touchCount, r, scratch, engine.settings.tolerance);
}

/** Joints of bodies that were solved with strands: what these have left in them is put right, one-way. */
function solveAfterStrands(engine: Engine, island: number): void {
  const own = solveOf(engine);
  const { rows, options } = own;
  const { bodies } = engine.tables;
  assembleJoints(engine, island, rows, false);
  const a: AssembledContacts = rows.contacts;
  const n = a.problem.contactCount;
  boundWork(options, n);
  rows.sets.fill(0, 0, n);
  writeJointTerms(engine, rows, false);
  own.enough = Math.max(GOOD_ENOUGH * velocityScale(a.problem), NOTHING);
  const factor = keptFactor(engine, a);
  let residual = exact(engine, own, a.r, factor);
  for (let k = 0; k < REFINEMENTS && refineJoints(engine, island, rows, a.r) > REACHED; k++) {
    residual = exact(engine, own, a.r, factor);
  }
  refineJoints(engine, island, rows, a.r);
  bodies.islandResidual[island] = Math.max(bodies.islandResidual[island], residual);
  applyImpulses(a, a.r, bodies.inverseMass, bodies.motion, bodies.motion, 8, 4);
  applyImpulses(a, a.r, bodies.inverseMass, bodies.linearVelocity, bodies.angularVelocity, 4, 0);
  storeReactions(engine, rows, a.r, a.r);
  markBreaks(engine, island);
}

/** Joints that bore more than they can break when the step is done. */
function markBreaks(engine: Engine, island: number): void {
  const { bodies, joints } = engine.tables;
  const { joints: counts } = engine.report;
  const start = bodies.islandJointStart[island];
  for (let i = start; i < start + bodies.islandJointCount[island]; i++) {
    const joint = joints.islandJoints[i];
    const force = lengthOf(joints.reaction, 8 * joint);
    const torque = lengthOf(joints.reaction, 8 * joint + 4);
    counts.active++;
    counts.error = Math.max(counts.error, joints.reaction[8 * joint + 3], joints.reaction[8 * joint + 7]);
    if (force <= joints.strength[2 * joint] && torque <= joints.strength[2 * joint + 1]) continue;
    joints.flags[joint] |= L.JOINT_BREAKS;
  }
}

function lengthOf(v: Float64Array, at: number): number {
  return Math.sqrt(v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2]);
}
