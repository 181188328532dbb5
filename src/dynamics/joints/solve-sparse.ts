// Islands with many joints: contacts and joint rows on a sparse factor of the bodies, in the kernels.
//
// The same rows, targets and refinements as of the exact solve, but by the settled solver's splitting with a factor
// made in each step (kernels/assembly/settled/jointed.ts): a cost in proportion to the bodies of a chain or a
// ragdoll, whatever it holds, and an answer also where joints say the same twice or contradict each other.

import { MACHINE_BODIES } from '../../core/engine-constants';
import { ANGULAR } from '../../state/contact-places';
import type { Engine } from '../engine';
import { FARTHEST, worksTooMuch } from './bound-work';
import { brakeMotors } from './brake-motors';
import { assembleRows, type JointRows, writeJointTerms } from './joint-rows';
import { keepTrial, projectTrial } from './project-joints';
import { clearBends, refineBends, storeErrors, storeReactions } from './refine-joints';
import { countRows, hasBounds, openRows, readImpulses, writeBounds, writeRows, writeTargets } from './sparse-rows';

/** How far an island is solved. */
interface Effort {
  /** Sweeps at most of a solve, and of that for the kept velocity. */
  readonly sweeps: number;
  readonly kept: number;
  /** The change of a point or limit that ends the sweeps, relative to the largest free velocity [-]. */
  readonly enough: number;
  /** How well joints hold, relative to the same [-]. */
  readonly tolerance: number;
  /** Joints are brought this near to where they should be at the end of a step [m, rad]. */
  readonly reached: number;
  /** So many times as many sweeps at most where they leave more than `UNSETTLED`. */
  readonly further: number;
  /** Recovery that is left in the kept velocity: at most [m/s], and relative to the largest free velocity [-]. */
  readonly slow: number;
  readonly slowShare: number;
}

/** Machines and dolls by themselves: a sweep costs next to nothing. */
const FINE: Effort = {
  sweeps: 16,
  kept: 8,
  enough: 1e-4,
  tolerance: 1e-10,
  reached: 1e-5,
  further: 0,
  slow: 0,
  slowShare: 0,
};
/**
 * Heaps of them. What joints are open by at the end of the step is shut in any case (project-joints), by the factor at
 * hand for less than further sweeps take. Gravity closes
 * what recovers as slowly as is left here; a solve without it left ten to a hundred times the residual, in every step
 * of heaps that would otherwise have come to rest. A step that ends badly is a bad start for the next: where it is left
 * at that, heaps stay at residuals of 0.2 m/s for hundreds of steps.
 */
const COARSE: Effort = {
  sweeps: 12,
  kept: 6,
  enough: 1e-3,
  tolerance: 1e-7,
  reached: 1e-3,
  further: 3,
  slow: 0.02,
  slowShare: 0.03,
};
/** Residual from which on it is worth further sweeps, relative to the largest free velocity [-]. */
const UNSETTLED = 0.1;
const FEW_POINTS = 24;
/**
 * Newton steps over all that machines leave, at most, and the residual that ends them, relative to the largest free
 * velocity. The block feeder takes 20 and more with 150 points in one machine: with 12 of them its median residual was
 * ten times as large, and its step 0.5 ms in place of 0.75. Dolls are not worth them: a fifth more time for what falls
 * and is tossed about.
 */
const FINISHES = 28;
/** The same of a solve whose targets are still to be refined. */
const FIRST_FINISHES = 14;
const FINISHED = 1e-10;
/** Sweeps at most of a solve that only follows targets that have changed a little, and such solves at most. */
const FURTHER_SWEEPS = 4;
const REFINEMENTS = 2;
/**
 * The same where there is nothing to sweep, as chains that swing freely are exact, and of machines: what a contact
 * holds where a joint does, too, can agree with the joint only as far as that is where it should be. With 1e-5 the jack
 * kept residuals of 1e-7, which no Newton step took away.
 */
const REACHED_EXACT = 1e-8;
const REFINEMENTS_FREE = 8;
const REFINEMENTS_MACHINE = 4;
/** Share of the error before that a further solve of a machine whose joints are near must leave at most. */
const NEARER = 0.1;
/**
 * Residual after a refinement, in those before, from which on it is taken back; relative to the largest free
 * velocity a good one.
 */
const WORSE = 4;
const GOOD = 1e-3;
/** Velocity that is none [m/s]. */
const NOTHING = 1e-9;

interface SparseSolve {
  readonly engine: Engine;
  readonly island: number;
  readonly rows: JointRows;
  readonly scratch: number;
  /** Whether it has neither contacts nor bounded rows, and a factor. */
  readonly isFree: boolean;
  readonly effort: Effort;
  /** Whether joints hold its few bodies to what is fixed or driven: a machine, which goes on where it stands. */
  readonly isMachine: boolean;
  /** Addresses. */
  readonly rowsAt: number;
  readonly velocities: number;
  readonly slots: number;
}

/** BODY_MOTION without impulses, of the bodies of the island. */
let freeMotion = new Float64Array(0);

/**
 * Solves an island; false, and nothing written, if its joints have no factor. `stiffens`: its bodies are as the step
 * found them (stiffen-bodies).
 */
export function solveSparse(engine: Engine, island: number, rows: JointRows, stiffens: boolean): boolean {
  const { kernels } = engine;
  assembleRows(engine, island, rows, false, stiffens);
  const scratch = openRows(engine, island, countRows(rows));
  if (scratch === 0) return false;
  const { bodies } = engine.tables;
  const rowsAt = kernels.jointedRows(scratch);
  const velocities = kernels.jointedVelocities(scratch) >> 3;
  const slots = kernels.jointedSlots(scratch) >> 2;
  const isLoose = kernels.isJointedLoose(scratch) !== 0;
  const isFree = bodies.islandPointCount[island] === 0 && !isLoose && !hasBounds(rows);
  const effort = bodies.islandPointCount[island] > FEW_POINTS ? COARSE : FINE;
  const isMachine = !isFree && bodies.islandBodyCount[island] <= MACHINE_BODIES && isHeldStill(engine, island);
  const solve = { engine, island, rows, scratch, isFree, effort, isMachine, rowsAt, velocities, slots };
  writeRows(engine, rows, rowsAt, isLoose);
  writeJointTerms(engine, rows, false);
  writeTargets(engine, rows, rowsAt);
  noteFreeMotion(engine, island);
  if (kernels.startJointed(scratch) === 0) return false;
  const { contactAdmm } = engine.report.solvers;
  contactAdmm.islands++;

  const { r } = rows.contacts;
  if (brakeMotors(engine, rows, () => tryBounds(solve))) aimAfresh(solve);
  iterate(solve, effort.sweeps);
  const scale = Math.max(kernels.settledScale(scratch), NOTHING);
  for (let k = 0; k < effort.further && kernels.settledResidual(scratch) > UNSETTLED * scale; k++) {
    iterate(solve, effort.sweeps);
  }
  refine(solve, r, true);
  bodies.islandResidual[island] = kernels.settledResidual(scratch);
  const slow = Math.min(effort.slow, effort.slowShare * scale);
  if (slow > 0) kernels.relaxJointed(scratch, slow);
  const isBouncing = kernels.moveSettled(scratch, false) !== 0;
  keepTrial(rows);
  let kept = r;
  if (isBouncing || rows.recovery > slow) {
    writeJointTerms(engine, rows, true);
    aim(solve);
    if (isBouncing) kernels.reflectJointed(scratch, effort.tolerance * scale);
    iterate(solve, effort.kept);
    refine(solve, rows.relaxed, false);
    kept = rows.relaxed;
    bodies.islandResidual[island] = Math.max(bodies.islandResidual[island], kernels.settledResidual(scratch));
  }
  kernels.keepSettled(scratch);
  storeReactions(engine, rows, kept, r);
  if (isLoose) storeErrors(engine, rows);
  else projectTrial(engine, island, rows, kept === r, scratch);
  return true;
}

/** Whether a joint of the island holds on to something that does not move by what happens in it. */
function isHeldStill({ tables }: Engine, island: number): boolean {
  const { bodies, joints } = tables;
  const start = bodies.islandJointStart[island];
  for (let i = start; i < start + bodies.islandJointCount[island]; i++) {
    const at = 2 * joints.islandJoints[i];
    for (let side = at; side < at + 2; side++) {
      if (joints.body[side] < 0 || bodies.inverseMass[joints.body[side]] === 0) return true;
    }
  }
  return false;
}

function noteFreeMotion({ tables }: Engine, island: number): void {
  const { bodies } = tables;
  if (freeMotion.length < 8 * bodies.capacity) freeMotion = new Float64Array(8 * bodies.capacity);
  const start = bodies.islandBodyStart[island];
  for (let i = start; i < start + bodies.islandBodyCount[island]; i++) {
    const at = 8 * bodies.islandBodies[i];
    for (let k = at; k < at + 8; k++) freeMotion[k] = bodies.motion[k];
  }
}

/** Hands the targets over. */
function aim({ engine, rows, rowsAt, scratch }: SparseSolve): void {
  writeTargets(engine, rows, rowsAt);
  engine.kernels.attainTargets(scratch);
}

/** Hands bounds and targets over again. */
function aimAfresh(solve: SparseSolve): void {
  const { engine, rows, rowsAt } = solve;
  writeBounds(engine, rows, rowsAt);
  writeJointTerms(engine, rows, false);
  aim(solve);
}

/** Velocities along the rows if the bounds were others. */
function tryBounds(solve: SparseSolve): void {
  aimAfresh(solve);
  iterate(solve, solve.effort.sweeps);
  tryVelocities(solve);
}

function iterate({ engine, scratch, effort, isMachine }: SparseSolve, sweeps: number): void {
  const { kernels, report } = engine;
  const scale = Math.max(kernels.settledScale(scratch), NOTHING);
  const { enough, tolerance } = effort;
  report.solvers.contactAdmm.iterations += kernels.sweepJointed(scratch, sweeps, enough * scale, tolerance * scale);
  // Worse than nothing: responses of thin bodies that rounding has spoilt.
  if (kernels.settledResidual(scratch) > scale && kernels.softenJointed(scratch) !== 0) {
    kernels.sweepJointed(scratch, effort.sweeps, enough * scale, tolerance * scale);
  }
  const finishes = sweeps > FURTHER_SWEEPS ? FIRST_FINISHES : FINISHES;
  if (isMachine) kernels.finishJointed(scratch, finishes, FINISHED * scale);
}

/** Brings the joints where they should be at the end of the step, for the impulses of the last solve, which go to r. */
function refine(solve: SparseSolve, r: Float64Array, isMade: boolean): void {
  const { engine, island, rows, rowsAt, scratch, isFree, isMachine } = solve;
  const reached = isFree || isMachine ? REACHED_EXACT : solve.effort.reached;
  let refinements = isFree ? REFINEMENTS_FREE : REFINEMENTS;
  if (isMachine) refinements = REFINEMENTS_MACHINE;
  const { kernels } = engine;
  let last = FARTHEST;
  for (let k = 0; ; k++) {
    readImpulses(engine, rows, rowsAt, r);
    tryVelocities(solve);
    const miss = refineBends(engine, island, rows, r, isMade);
    if (miss <= reached) break;
    // Near enough for heaps, and not on the way to much nearer: a bridge pulled straight cannot.
    if (isMachine && miss <= solve.effort.reached && !(miss < NEARER * last)) break;
    // What does not come nearer is not gone after.
    if (!(miss < last)) {
      solveUnbent(solve, r, isMade);
      return;
    }
    if (k === refinements) break;
    last = miss;
    const before = kernels.settledResidual(scratch);
    aim(solve);
    iterate(solve, FURTHER_SWEEPS);
    const scale = Math.max(kernels.settledScale(scratch), NOTHING);
    if (kernels.settledResidual(scratch) > Math.max(WORSE * before, GOOD * scale)) {
      solveUnbent(solve, r, isMade);
      return;
    }
  }
  if (worksTooMuch(engine, island, rows, r, isMade)) solveUnbent(solve, r, isMade);
}

/** Where joints cannot be: solves afresh, without what bends, for impulses to r. */
function solveUnbent(solve: SparseSolve, r: Float64Array, isMade: boolean): void {
  const { engine, island, rows, rowsAt, scratch } = solve;
  clearBends(engine, rows);
  writeJointTerms(engine, rows, !isMade);
  aim(solve);
  engine.kernels.relieveJoints(scratch);
  iterate(solve, FURTHER_SWEEPS);
  readImpulses(engine, rows, rowsAt, r);
  tryVelocities(solve);
  refineBends(engine, island, rows, r, isMade);
  clearBends(engine, rows);
}

/** Motion under trial by the velocities of the solve, and u of the joints' rows without softness and targets. */
function tryVelocities({ engine, island, rows, velocities, slots }: SparseSolve): void {
  const { arena, tables } = engine;
  const { bodies } = tables;
  if (rows.motion.length < 8 * bodies.capacity) rows.motion = new Float64Array(8 * bodies.capacity);
  const { motion } = rows;
  for (let i = 0; i < bodies.islandBodyCount[island]; i++) {
    const body = arena.i32[slots + i];
    const from = velocities + 6 * i;
    for (let k = 0; k < 3; k++) {
      motion[8 * body + k] = arena.f64[from + k] - bodies.linearVelocity[4 * body + k];
      motion[8 * body + ANGULAR + k] = arena.f64[from + 3 + k] - bodies.angularVelocity[4 * body + k];
    }
  }
  trySpeeds(rows, bodies.inverseMass);
  for (let i = 0; i < bodies.islandBodyCount[island]; i++) {
    const at = 8 * arena.i32[slots + i];
    for (let k = at; k < at + 8; k++) motion[k] += freeMotion[k];
  }
}

/** u of the joints' rows for the motion in `rows`, which what does not move by impulses has none of. */
function trySpeeds({ contacts, motion, u }: JointRows, inverseMass: Float64Array): void {
  const { frame, armA, armB, bodyA, bodyB, free } = contacts;
  for (let c = 0; c < contacts.problem.contactCount; c++) {
    // Numbers by themselves: this is done for every row in every trial, and copies took half of its time.
    const A = inverseMass[bodyA[c]] > 0 ? 8 * bodyA[c] : -1;
    const B = inverseMass[bodyB[c]] > 0 ? 8 * bodyB[c] : -1;
    const ax = A < 0 ? 0 : motion[A];
    const ay = A < 0 ? 0 : motion[A + 1];
    const az = A < 0 ? 0 : motion[A + 2];
    const arx = A < 0 ? 0 : motion[A + 4];
    const ary = A < 0 ? 0 : motion[A + 5];
    const arz = A < 0 ? 0 : motion[A + 6];
    const bx = B < 0 ? 0 : motion[B];
    const by = B < 0 ? 0 : motion[B + 1];
    const bz = B < 0 ? 0 : motion[B + 2];
    const brx = B < 0 ? 0 : motion[B + 4];
    const bry = B < 0 ? 0 : motion[B + 5];
    const brz = B < 0 ? 0 : motion[B + 6];
    for (let row = 3 * c; row < 3 * c + 3; row++) {
      const k = 3 * row;
      let speed = free[row];
      speed += frame[k] * bx + armB[k] * brx;
      speed -= frame[k] * ax + armA[k] * arx;
      speed += frame[k + 1] * by + armB[k + 1] * bry;
      speed -= frame[k + 1] * ay + armA[k + 1] * ary;
      speed += frame[k + 2] * bz + armB[k + 2] * brz;
      speed -= frame[k + 2] * az + armA[k + 2] * arz;
      u[row] = speed;
    }
  }
}
