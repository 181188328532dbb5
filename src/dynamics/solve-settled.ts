// Settled islands: exact at any size by contact-space ADMM on a kept factor (kernels/assembly/settled.ts).
//
// In: an island of the step. Out: true when its velocities, motion and impulses are written; false, and nothing written,
// when it is the sweeps' turn: somebody moves, the factor is being made or is too dear, or the residual did not fall.
// All memory of earlier steps lies in the arena: what happens is a function of the state.

import * as L from '../state/layout';
import type { Engine } from './engine';
import {
  analyseSettled,
  dropFactor,
  exchangeFactors,
  factorAge,
  factorContacts,
  factorOrder,
  factorProducts,
  factorProgress,
  findSettledEntry,
  lastIterations,
  noteIterations,
  outdateFactor,
  REFUSED,
} from './settled-factors';

/**
 * Bodies slower than this [m/s, rad/s] make an island settled: it is solved exactly. A step of sweeps would cost it
 * that (an arch of t/R 0.13 that was left to them for 20 steps crept 147 mm in 10 s).
 */
export const SETTLED_SPEED = 0.05;

/** Steps in a row that an island must have been settled before a factor is made for it. */
const CALM_STEPS = 4;

/** Block products of a factorisation in one step: about 1 ms. The rest waits for the next steps. */
const PRODUCTS_A_STEP = 30_000;
/** Most that are done at once when the contacts changed: about 3 ms. */
const PRODUCTS_AT_ONCE = 100_000;
const ALL_PRODUCTS = 0x7fffffff;

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
const GOOD_ENOUGH = 1e-4;

/** Most iterations, and those within which the residual must halve. */
const ITERATIONS = 30;
const PATIENCE = 8;
/** Iterations with a factor of other contacts. */
const TRIAL = 4;
/** The same when the solver is forced: islands in motion need more. */
const FORCED_ITERATIONS = 300;
const FORCED_PATIENCE = 100;

/** A factor that costs this many iterations, and is this many steps old, is made anew beside its use. */
const MANY_ITERATIONS = 5;
const OLD_STEPS = 30;

/** Steps that an island is left to the sweeps after a solve that failed; doubled with each failure, up to eight times. */
const BACK_OFF = 20;
const MOST_DOUBLINGS = 3;

/** Solves an island if it is settled, or whatever it does if `forced`. */
export function solveSettled(engine: Engine, island: number, forced: boolean): boolean {
  const { arena, tables, kernels, kernelScratch } = engine;
  const { contactAdmm } = engine.report.solvers;
  const speed = forced ? Number.POSITIVE_INFINITY : SETTLED_SPEED;
  const key = kernels.settledKey(island, speed);
  if (key === 0) return false;
  const bodies = tables.bodies.islandBodyCount[island];
  const entry = findSettledEntry(engine, key, bodies);
  if (entry < 0) return false;
  const step = arena.i32[L.STEP_INDEX >> 2];
  if (tables.settled.address[entry] === REFUSED) return false;
  if (!forced && (tables.settled.until[entry] > step || tables.settled.calm[entry] < CALM_STEPS)) return false;
  if (tables.settled.address[entry] === 0 && !analyseSettled(engine, island, entry)) return false;

  const scratch = kernelScratch.address(kernels.settledScratchSize(island));
  if (!kernels.openSettled(island, scratch, factorOrder(engine, tables.settled.address[entry]), speed)) return false;
  if (!prepareFactor(engine, entry, scratch, forced)) return false;

  kernels.warmStartSettled(scratch);
  const scale = kernels.settledScale(scratch);
  const { tolerance } = engine.settings;
  const target = Math.min(tolerance, SOLVE_TOLERANCE) * scale;
  // A solve removes velocities but leaves the loads that made them: the next one, from rest, puts those right.
  const isSteady = lastIterations(engine, tables.settled.address[entry]) === 0;
  const start = (isSteady ? 1 : UNSTEADY_SHARE) * Math.min(tolerance, START_TOLERANCE) * scale;
  const enough = ENOUGH * scale;
  const limit = forced ? FORCED_ITERATIONS : ITERATIONS;
  const patience = forced ? FORCED_PATIENCE : PATIENCE;
  kernels.solveSettled(scratch, 0, 0, 0, 0, 0);
  let iterations = 0;
  if (!(kernels.settledResidual(scratch) <= start)) {
    const own = tables.settled.address[entry];
    const isOther = kernels.settledContacts(scratch) !== factorContacts(engine, own);
    // Points that the factor does not know may make it diverge: a short try, then a new factor.
    iterations = kernels.solveSettled(scratch, own, isOther ? TRIAL : limit, isOther ? 2 : patience, enough, target);
    if (isOther && !(kernels.settledResidual(scratch) <= enough)) {
      updateFactor(engine, entry, scratch);
      kernels.openSettled(island, scratch, factorOrder(engine, tables.settled.address[entry]), speed);
      kernels.warmStartSettled(scratch);
      iterations += kernels.solveSettled(scratch, tables.settled.address[entry], limit, patience, enough, target);
    }
  }
  const factor = tables.settled.address[entry];
  contactAdmm.iterations += iterations;
  noteIterations(engine, factor, iterations);
  const isGood = kernels.settledResidual(scratch) <= GOOD_ENOUGH * scale;
  if (!isGood || (iterations >= MANY_ITERATIONS && factorAge(engine, factor) >= OLD_STEPS)) beginFactor(engine, entry);
  if (!isGood) {
    backOff(engine, entry, step);
    return false;
  }
  tables.settled.failures[entry] = 0;
  if (kernels.moveSettled(scratch)) {
    contactAdmm.iterations += kernels.solveSettled(scratch, factor, limit, patience, enough, target);
    if (!(kernels.settledResidual(scratch) <= GOOD_ENOUGH * scale)) {
      // Then what moved the bodies is kept, a little recovery in it.
      kernels.openSettled(island, scratch, factorOrder(engine, factor), speed);
      kernels.warmStartSettled(scratch);
    }
  }
  kernels.keepSettled(scratch);
  contactAdmm.islands++;
  return true;
}

/** Goes on with a factor that is being made, and uses it once it is complete. True if there is one to use. */
function prepareFactor(engine: Engine, entry: number, scratch: number, forced: boolean): boolean {
  const { kernels, tables } = engine;
  const { settled } = tables;
  const bodies = settled.bodies[entry];
  const isReady = factorProgress(engine, settled.address[entry]) === bodies;
  if (settled.making[entry] === 0 && isReady) return true;
  settled.making[entry] = 1;
  const next = settled.next[entry];
  if (factorProgress(engine, next) < 0 && !kernels.assembleSettled(scratch, next)) {
    // Bodies that did not touch before: a new pattern next time.
    dropFactor(engine, entry);
    settled.calm[entry] = 0;
    return false;
  }
  const state = kernels.factorSettled(scratch, next, forced ? ALL_PRODUCTS : PRODUCTS_A_STEP);
  if (state < 0) backOff(engine, entry, engine.arena.i32[L.STEP_INDEX >> 2]);
  if (state !== 1) return state === 0 && isReady;
  settled.making[entry] = 0;
  exchangeFactors(engine, entry);
  engine.report.solvers.contactAdmm.factorisations++;
  return true;
}

/** Makes the factor anew for the contacts as they are, at once if that is cheap enough. */
function updateFactor(engine: Engine, entry: number, scratch: number): void {
  const { kernels, tables } = engine;
  const { settled } = tables;
  const factor = settled.address[entry];
  if (factorProducts(engine, factor) > PRODUCTS_AT_ONCE) {
    beginFactor(engine, entry);
    return;
  }
  const next = settled.next[entry];
  if (!kernels.assembleSettled(scratch, next)) return;
  if (kernels.factorSettled(scratch, next, ALL_PRODUCTS) !== 1) return;
  settled.making[entry] = 0;
  exchangeFactors(engine, entry);
  engine.report.solvers.contactAdmm.factorisations++;
}

/** Begins a new factor beside the one in use, if none is being made. */
function beginFactor(engine: Engine, entry: number): void {
  const { settled } = engine.tables;
  if (settled.making[entry] !== 0) return;
  settled.making[entry] = 1;
  outdateFactor(engine, settled.next[entry]);
}

/** Leaves the island to the sweeps for a while. */
function backOff(engine: Engine, entry: number, step: number): void {
  const { settled } = engine.tables;
  settled.until[entry] = step + BACK_OFF * 2 ** Math.min(settled.failures[entry], MOST_DOUBLINGS);
  settled.failures[entry]++;
  engine.report.solvers.contactAdmm.fallbacks++;
}
