// Islands of any size, exact by contact-space ADMM on a kept factor (kernels/assembly/settled/settled.ts).
//
// In: an island of the step. Out: true when its velocities, motion and impulses are written; false, and nothing
// written, when it is another solver's turn: the factor is being made or is too dear, or the residual did not fall. An
// island that stands gets its factor in its first step; one in motion when its bodies have stayed together for a few
// steps. All memory of earlier steps lies in the arena: what happens is a function of the state.

import * as L from '../state/layout';
import type { Engine } from './engine';
import { capOf } from './limit-driven';
import {
  analyseSettled,
  dropFactor,
  exchangeFactors,
  factorAge,
  factorBlocks,
  factorContacts,
  factorOrder,
  factorProducts,
  factorProgress,
  factorStiffness,
  findSettledEntry,
  lastIterations,
  noteIterations,
  outdateFactor,
  REFUSED,
  REFUSED_IN_MOTION,
  STIFFEST,
  setStiffness,
} from './settled-factors';

/**
 * Bodies slower than this [m/s, rad/s] make an island settled: it is solved exactly. A step of sweeps would cost it
 * that (an arch of t/R 0.13 that was left to them for 20 steps crept 147 mm in 10 s).
 */
export const SETTLED_SPEED = 0.05;

/** Steps in a row that bodies in motion must have been one island before a factor is made for them. */
const CALM_STEPS = 4;

/** Block products of a factorisation in one step: about 1 ms. The rest waits for the next steps. */
const PRODUCTS_A_STEP = 30_000;
/** Most that are done at once when the contacts changed: about 3 ms. */
const PRODUCTS_AT_ONCE = 100_000;
/**
 * The same for the first factor of an island that stands: what sweeps would leave meanwhile, it would have to live with
 * (a pyramid of base 100 moved by 3 mm in half a second, and on its way down in ten). At most some 60 ms, once, of a
 * step that takes ten times that to begin with so many bodies.
 */
const FIRST_PRODUCTS = 2_000_000;
const ALL_PRODUCTS = 0x7fffffff;
/**
 * Softest penalty in units of 1/λ [-], that up to which many iterations are worth their
 * price, and by how much it gives way.
 */
const SOFTEST = 10;
const SOFT = 100;
const SOFTENING = 100;

/**
 * Residuals relative to the largest free velocity [-]: good enough to begin with, aimed at by a solve, and no longer
 * good enough to keep. An unbalanced load adds its velocity in each step, so that a solve aims well below the first:
 * many steps then pass without one.
 */
const START_TOLERANCE = 1e-7;
const SOLVE_TOLERANCE = 1e-9;
/** From here on a solve ends with the first iteration that does not halve the residual. */
const ENOUGH = 1e-6;
/** The first is tightened by this in the step after a solve. */
const UNSTEADY_SHARE = 0.5;
/**
 * With more than this an island in motion is tried from nothing, and with a new factor; one
 * that stands with more than ENOUGH.
 */
const WELL_ENOUGH = 1e-4;
/**
 * With up to this an island that stands may be left for a few steps once all was tried. More
 * would tip what stands on little.
 */
const BEARABLE = 1e-4;
const GOOD_ENOUGH = 1e-2;

/** Most iterations with a stiff penalty, which converges soon or not at all. */
const ITERATIONS = 60;
/** Iterations with a factor of other contacts. */
const TRIAL = 4;
/** The same with a softer one, and when the solver is forced. */
const SOFT_ITERATIONS = 300;
const FORCED_ITERATIONS = 300;
/** Share of its iterations within which a solve must halve its residual. */
const PATIENT_SHARE = 1 / 3;
/**
 * Points and blocks passed through in all iterations: about 3 ms for all islands in motion of a step, which the next
 * step asks again, and four times that in one that stands, whose impulses last. Large islands get fewer iterations;
 * what stands gets some in any case, and what moves and would get fewer than a stiff penalty needs is left to the
 * sweeps.
 */
const MOVING_WORK = 60_000;
const STANDING_WORK = 240_000;
const FEWEST_STANDING = 20;
const FEWEST_MOVING = 12;
/** Residual relative to the largest free velocity that an island in motion may keep [-]: sweeps would leave more. */
const MOVING_ENOUGH = 5e-2;

/** A factor that costs this many iterations, and is this many steps old, is made anew beside its use. */
const MANY_ITERATIONS = 5;
const OLD_STEPS = 30;

/** Steps for which an answer that is good enough is kept after all ways to a better one were tried. */
const WEARY_STEPS = 8;

/** Steps that an island is left alone after a solve that failed; doubled with each failure. */
const BACK_OFF = 1;
const MOST_DOUBLINGS = 6;

/** What islands in motion have passed through in this step so far. */
let movingWork = 0;

/** Begins a step. */
export function beginSettledStep(): void {
  movingWork = 0;
}

/** Solves an island if its factor is at hand or cheap; however dear if `forced`. */
export function solveSettled(engine: Engine, island: number, forced: boolean): boolean {
  const { arena, tables, kernels, kernelScratch } = engine;
  const { contactAdmm } = engine.report.solvers;
  const key = kernels.settledKey(island, Number.POSITIVE_INFINITY);
  if (key === 0) return false;
  const stands = kernels.settledKey(island, SETTLED_SPEED) !== 0;
  const bodies = tables.bodies.islandBodyCount[island];
  // A factor has at least as many blocks as bodies.
  const isMoving = !forced && !stands;
  if (isMoving && FEWEST_MOVING * (tables.bodies.islandPointCount[island] + bodies) > MOVING_WORK - movingWork) {
    return false;
  }
  const entry = findSettledEntry(engine, key, bodies);
  if (entry < 0) return false;
  const step = arena.i32[L.STEP_INDEX >> 2];
  if (tables.settled.address[entry] === REFUSED) return false;
  if (!forced && tables.settled.failures[entry] > 0 && tables.settled.until[entry] > step) return false;
  if (isMoving && tables.settled.address[entry] === REFUSED_IN_MOTION) return false;
  if (tables.settled.address[entry] === 0 || tables.settled.address[entry] === REFUSED_IN_MOTION) {
    if (isMoving && tables.settled.calm[entry] < CALM_STEPS) return false;
    // One that stays in motion would be told below that it is too dear, after a step of many times the usual length.
    const most = isMoving ? MOVING_WORK / FEWEST_MOVING - tables.bodies.islandPointCount[island] : Infinity;
    if (!analyseSettled(engine, island, entry, most)) return false;
  }

  if (isMoving && workOf(engine, island, entry) * FEWEST_MOVING > MOVING_WORK - movingWork) return false;

  const solve: Solve = { island, entry, scratch: kernelScratch.address(kernels.settledScratchSize(island)) };
  const { scratch } = solve;
  if (!openWith(engine, solve, tables.settled.address[entry], 1)) return false;
  if (!prepareFactor(engine, solve, forced ? ALL_PRODUCTS : productsNow(engine, entry, stands))) return false;

  kernels.warmStartSettled(scratch);
  // Made only where something is to be done: an island that stands leaves no garbage.
  let limits: Limits | null = null;
  let iterations = 0;
  kernels.solveSettled(scratch, 0, 0, 0, 0, 0);
  if (!isSteadilySolved(engine, solve)) {
    limits = limitsOf(engine, solve, stands, forced);
    iterations = iterateLong(engine, solve, limits);
  }
  const factor = tables.settled.address[entry];
  if (isMoving) movingWork += (iterations + 1) * (tables.bodies.islandPointCount[island] + bodies);
  if (factor <= 0) return false;
  contactAdmm.iterations += iterations;
  noteIterations(engine, factor, iterations);
  const isSolved = limits === null || kernels.settledResidual(scratch) <= limits.goodEnough;
  const isGood = isSolved && !kernels.isWildSettled(scratch, capOf(island));
  if (!isGood || (iterations >= MANY_ITERATIONS && factorAge(engine, factor) >= OLD_STEPS)) {
    beginFactor(engine, entry, stands || !isGood ? STIFFEST : factorStiffness(engine, factor));
  }
  if (!isGood) {
    backOff(engine, entry, step);
    return false;
  }
  tables.settled.failures[entry] = 0;
  // In large heaps of 'auto' something lands in most steps: a second solve for it would double their time.
  if (kernels.moveSettled(scratch, forced)) {
    limits ??= limitsOf(engine, solve, stands, forced);
    // What the velocity that moved the bodies is worth as the one that they keep.
    kernels.solveSettled(scratch, 0, 0, 0, 0, 0);
    let left = kernels.settledResidual(scratch);
    contactAdmm.iterations += iterate(engine, solve, limits);
    if (!isKeepable(engine, solve, limits)) {
      // What parts an overlap is many times what bears a load: a stiff penalty need not find the way back.
      kernels.coldStartSettled(scratch);
      contactAdmm.iterations += iterate(engine, solve, limits);
    }
    if (isKeepable(engine, solve, limits)) left = kernels.settledResidual(scratch);
    else {
      // What moved the bodies is kept, a little recovery in it.
      openWith(engine, solve, factor);
      kernels.warmStartSettled(scratch);
    }
    const { islandResidual } = tables.bodies;
    islandResidual[island] = Math.max(islandResidual[island], left);
  }
  kernels.keepSettled(scratch);
  contactAdmm.islands++;
  return true;
}

/** Whether the answer at hand is good enough for the velocities that the bodies keep. */
function isKeepable({ kernels }: Engine, { island, scratch }: Solve, { goodEnough }: Limits): boolean {
  return kernels.settledResidual(scratch) <= goodEnough && !kernels.isWildSettled(scratch, capOf(island));
}

/** One island's solve: its entry in the table, and the scratch where it lies open. */
interface Solve {
  readonly island: number;
  readonly entry: number;
  readonly scratch: number;
}

/** Residuals [m/s] and iterations of one solve. */
interface Limits {
  readonly target: number;
  readonly enough: number;
  readonly wellEnough: number;
  readonly bearable: number;
  readonly goodEnough: number;
  readonly iterations: number;
  /** Whether the island stands: then a penalty that was softened is made stiff again. */
  readonly stands: boolean;
}

/**
 * Whether the impulses at hand solve the island well enough to begin with. A solve removes velocities but leaves the
 * loads that made them: the next one, from rest, puts those right.
 */
function isSteadilySolved(engine: Engine, { entry, scratch }: Solve): boolean {
  const { kernels, settings, tables } = engine;
  const share = lastIterations(engine, tables.settled.address[entry]) === 0 ? 1 : UNSTEADY_SHARE;
  const tolerance = Math.min(settings.tolerance, START_TOLERANCE);
  return kernels.settledResidual(scratch) <= share * tolerance * kernels.settledScale(scratch);
}

function limitsOf(engine: Engine, { island, entry, scratch }: Solve, stands: boolean, forced: boolean): Limits {
  const { kernels, settings } = engine;
  const scale = kernels.settledScale(scratch);
  return {
    target: Math.min(settings.tolerance, SOLVE_TOLERANCE) * scale,
    enough: ENOUGH * scale,
    wellEnough: (stands ? ENOUGH : WELL_ENOUGH) * scale,
    bearable: (stands ? BEARABLE : GOOD_ENOUGH) * scale,
    goodEnough: (stands ? GOOD_ENOUGH : MOVING_ENOUGH) * scale,
    iterations: forced ? FORCED_ITERATIONS : iterationLimit(workOf(engine, island, entry), stands),
    stands,
  };
}

/** Takes the island into the scratch with the order and the penalty of a factor. */
function openWith(engine: Engine, { island, scratch }: Solve, factor: number, fresh = 0): boolean {
  const order = factorOrder(engine, factor);
  return engine.kernels.openSettled(island, scratch, order, factorStiffness(engine, factor), fresh) !== 0;
}

/** The same, and goes on from the best impulses so far. */
function reopen(engine: Engine, solve: Solve): void {
  const factor = engine.tables.settled.address[solve.entry];
  if (factor <= 0) return;
  openWith(engine, solve, factor);
  engine.kernels.recallSettled(solve.scratch);
}

/**
 * Iterates in whatever way it takes, and ends with the best of all answers: with the factor at hand; with one of the
 * points that turned out to press; from nothing; with softer penalties.
 */
function iterateLong(engine: Engine, solve: Solve, limits: Limits): number {
  const { kernels } = engine;
  const { scratch } = solve;
  const isAtMost = (limit: number) => {
    kernels.noteSettled(scratch);
    return kernels.settledResidual(scratch) <= limit;
  };
  isAtMost(0);
  let iterations = iterateWarm(engine, solve, limits);
  if (isAtMost(limits.wellEnough)) return iterations;
  const stiffness = factorStiffness(engine, engine.tables.settled.address[solve.entry]);
  if (renewFactor(engine, solve, stiffness, limits.stands)) {
    reopen(engine, solve);
    iterations += iterate(engine, solve, limits);
    if (isAtMost(limits.wellEnough)) return iterations;
  }
  if (engine.tables.settled.address[solve.entry] <= 0) return iterations;
  reopen(engine, solve);
  if (isAtMost(limits.bearable) && isWeary(engine, solve)) return iterations;
  if (limits.stands && stiffness < STIFFEST && renewFactor(engine, solve, STIFFEST, true)) {
    reopen(engine, solve);
    iterations += iterate(engine, solve, limits);
    if (isAtMost(limits.wellEnough)) return iterations;
  }
  iterations += iterateCold(engine, solve, limits);
  if (isAtMost(limits.wellEnough)) return iterations;
  reopen(engine, solve);
  const least = limits.stands ? limits.wellEnough : limits.goodEnough;
  while (!isAtMost(least) && soften(engine, solve)) iterations += iterate(engine, solve, limits);
  reopen(engine, solve);
  if (!isAtMost(limits.wellEnough)) weary(engine, solve);
  return iterations;
}

/** Whether everything was tried a few steps ago, and did not help. */
function isWeary(engine: Engine, { entry }: Solve): boolean {
  return engine.tables.settled.until[entry] > engine.arena.i32[L.STEP_INDEX >> 2];
}

function weary(engine: Engine, { entry }: Solve): void {
  engine.tables.settled.until[entry] = engine.arena.i32[L.STEP_INDEX >> 2] + WEARY_STEPS;
}

function iterate(engine: Engine, { entry, scratch }: Solve, limits: Limits): number {
  const factor = engine.tables.settled.address[entry];
  const { enough, target } = limits;
  const isStiff = factorStiffness(engine, factor) > SOFT;
  const iterations = isStiff ? Math.min(limits.iterations, ITERATIONS) : limits.iterations;
  const patience = Math.ceil(PATIENT_SHARE * iterations);
  return engine.kernels.solveSettled(scratch, factor, iterations, patience, enough, target);
}

/**
 * Iterates from the warm start with the factor at hand. One of other points may
 * diverge: a short try, then a new factor.
 */
function iterateWarm(engine: Engine, solve: Solve, limits: Limits): number {
  const { kernels, tables } = engine;
  const { entry, scratch } = solve;
  const factor = tables.settled.address[entry];
  if (kernels.settledContacts(scratch) === factorContacts(engine, factor)) return iterate(engine, solve, limits);
  return kernels.solveSettled(scratch, factor, TRIAL, 2, limits.enough, limits.target);
}

/**
 * Makes the factor for the points that press, by the best impulses so far. It is outdated where others do, and for an
 * island that stands where it was softened or made in an earlier step: points of the same features may lie elsewhere,
 * and a stiff penalty then diverges. False where it is as good as new, or where a new one takes more than this step.
 */
function renewFactor(engine: Engine, solve: Solve, stiffness: number, stands: boolean): boolean {
  const { kernels, tables } = engine;
  const factor = tables.settled.address[solve.entry];
  const isOther = kernels.settledContacts(solve.scratch) !== factorContacts(engine, factor);
  const hasChanged = kernels.markSettled(solve.scratch) > 0;
  const isOld = stands && (factorAge(engine, factor) > 0 || factorStiffness(engine, factor) !== stiffness);
  return (isOther || hasChanged || isOld) && updateFactor(engine, solve, stiffness);
}

/**
 * Iterates from nothing with a stiff factor: where a point was lost, loads that must find another way keep
 * a stiff penalty from converging, and without them it does (arch of 51 stones that lost one of
 * 208 points: 235 iterations, or 11).
 */
function iterateCold(engine: Engine, solve: Solve, limits: Limits): number {
  const factor = engine.tables.settled.address[solve.entry];
  if (factor <= 0 || factorStiffness(engine, factor) <= SOFT || !openWith(engine, solve, factor)) return 0;
  engine.kernels.coldStartSettled(solve.scratch);
  return iterate(engine, solve, limits);
}

/**
 * A softer penalty, for contacts that slide or open, and its factor if that is cheap. False when there is none to try.
 */
function soften(engine: Engine, solve: Solve): boolean {
  const factor = engine.tables.settled.address[solve.entry];
  if (factor <= 0) return false;
  const stiffness = factorStiffness(engine, factor);
  if (stiffness <= SOFTEST) return false;
  engine.kernels.markSettled(solve.scratch);
  const isMade = updateFactor(engine, solve, Math.max(SOFTEST, Math.floor(stiffness / SOFTENING)));
  reopen(engine, solve);
  return isMade;
}

/** Iterations that an island may take in a step, by the points and blocks of each. */
function iterationLimit(work: number, stands: boolean): number {
  const most = stands ? STANDING_WORK : MOVING_WORK - movingWork;
  const fewest = stands ? FEWEST_STANDING : FEWEST_MOVING;
  return Math.max(fewest, Math.min(SOFT_ITERATIONS, Math.floor(most / work)));
}

/** Points and blocks that one iteration of an island passes through. */
function workOf(engine: Engine, island: number, entry: number): number {
  const { bodies, settled } = engine.tables;
  return bodies.islandPointCount[island] + factorBlocks(engine, settled.address[entry]);
}

/**
 * Block products that may be done now: the first factor of an island that stands is
 * made at once where that is bearable.
 */
function productsNow(engine: Engine, entry: number, stands: boolean): number {
  const { settled } = engine.tables;
  const address = settled.address[entry];
  const isFirst = factorProgress(engine, address) !== settled.bodies[entry];
  return isFirst && stands && factorProducts(engine, address) <= FIRST_PRODUCTS ? ALL_PRODUCTS : PRODUCTS_A_STEP;
}

/** Goes on with a factor that is being made, and uses it once it is complete. True if there is one to use. */
function prepareFactor(engine: Engine, solve: Solve, products: number): boolean {
  const { kernels, tables } = engine;
  const { entry, scratch } = solve;
  const { settled } = tables;
  const bodies = settled.bodies[entry];
  const isReady = factorProgress(engine, settled.address[entry]) === bodies;
  if (settled.making[entry] === 0 && isReady) return true;
  settled.making[entry] = 1;
  const next = settled.next[entry];
  // Bodies that did not touch before need a new pattern.
  if (factorProgress(engine, next) < 0 && !assemble(engine, solve, next)) return renewPattern(engine, solve, STIFFEST);
  const state = kernels.factorSettled(scratch, next, products);
  if (state < 0) backOff(engine, entry, engine.arena.i32[L.STEP_INDEX >> 2]);
  if (state !== 1) return state === 0 && isReady;
  useFactor(engine, solve);
  return true;
}

/** Assembles the matrix of a factor with its own penalty; the island is open with that of the one in use afterwards. */
function assemble(engine: Engine, solve: Solve, next: number): boolean {
  const factor = engine.tables.settled.address[solve.entry];
  const isOther = factorStiffness(engine, next) !== factorStiffness(engine, factor);
  if (isOther && !openWith(engine, solve, next)) return false;
  const isAssembled = engine.kernels.assembleSettled(solve.scratch, next) !== 0;
  return (!isOther || openWith(engine, solve, factor)) && isAssembled;
}

/** The factor that was being made is the one in use from now on. */
function useFactor(engine: Engine, solve: Solve): void {
  const { settled } = engine.tables;
  const { entry } = solve;
  const before = factorStiffness(engine, settled.address[entry]);
  settled.making[entry] = 0;
  exchangeFactors(engine, entry);
  engine.report.solvers.contactAdmm.factorisations++;
  if (factorStiffness(engine, settled.address[entry]) !== before) openWith(engine, solve, settled.address[entry]);
}

/** Makes the factor anew for the contacts as they are, at once if that is cheap enough: then it is in use. */
function updateFactor(engine: Engine, solve: Solve, stiffness: number): boolean {
  const { kernels, tables } = engine;
  const { entry, scratch } = solve;
  const { settled } = tables;
  if (factorProducts(engine, settled.address[entry]) > PRODUCTS_AT_ONCE) {
    beginFactor(engine, entry, stiffness);
    return false;
  }
  const next = settled.next[entry];
  setStiffness(engine, next, stiffness);
  if (!openWith(engine, solve, next)) return false;
  if (!assemble(engine, solve, next)) return renewPattern(engine, solve, stiffness);
  if (kernels.factorSettled(scratch, next, ALL_PRODUCTS) !== 1) return false;
  useFactor(engine, solve);
  return true;
}

/**
 * Makes pattern and factor anew, at once: bodies have come to touch that did not. False where that is too dear; then
 * the entry has no factor, and the island needs some calm steps to get one if it moves.
 */
function renewPattern(engine: Engine, solve: Solve, stiffness: number): boolean {
  const { entry, island, scratch } = solve;
  const { kernels, tables } = engine;
  if (!analyseSettled(engine, island, entry)) return false;
  const { settled } = tables;
  const next = settled.next[entry];
  setStiffness(engine, next, stiffness);
  const isCheap = factorProducts(engine, next) <= PRODUCTS_AT_ONCE;
  if (isCheap && openWith(engine, solve, next) && kernels.assembleSettled(scratch, next) !== 0) {
    if (kernels.factorSettled(scratch, next, ALL_PRODUCTS) === 1) {
      useFactor(engine, solve);
      return openWith(engine, solve, settled.address[entry]);
    }
  }
  dropFactor(engine, entry);
  settled.calm[entry] = 0;
  return false;
}

/** Begins a new factor beside the one in use, if none is being made. */
function beginFactor(engine: Engine, entry: number, stiffness: number): void {
  const { settled } = engine.tables;
  if (settled.making[entry] !== 0) return;
  settled.making[entry] = 1;
  setStiffness(engine, settled.next[entry], stiffness);
  outdateFactor(engine, settled.next[entry]);
}

/** Leaves the island alone for a while. */
function backOff(engine: Engine, entry: number, step: number): void {
  const { settled } = engine.tables;
  settled.until[entry] = step + BACK_OFF * 2 ** Math.min(settled.failures[entry], MOST_DOUBLINGS);
  settled.failures[entry]++;
  engine.report.solvers.contactAdmm.fallbacks++;
}
