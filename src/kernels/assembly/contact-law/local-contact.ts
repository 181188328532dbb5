// Friction problems in the one memory: one contact at a time by a local solver of choice, or all of them by block
// Gauss–Seidel on the assembled W with contact freezing (Daviet, Bertails-Descoubes, Boissieux 2011, §5 and §6).
//
// In: a job, the list of addresses and numbers below, and arrays in f64 or in f32. Out: r, counts, the residual.
// The problem is that of solvers/contact-problem: compressed rows of 3×3 blocks, row-major. Nothing is kept between
// calls but what lies in the job's arrays. `dynamics/block-sweeps` fills the job.

import { FAILURE, LAW_BILATERAL, MISSED, NO_SOLUTION } from '../../../core/contact-law-constants';
import * as J from '../../../state/problem-job-layout';
import { get, getI32, put, setI32 } from '../memory';
import { solveBracketed, stepIsotropic } from './bracketed';
import { solveEnumerative } from './enumerative';
import { frictionalError, goodError, length3, localError } from './law';
import { solveNewton } from './newton';

const ISOTROPIC: i32 = 0;
const BRACKETED: i32 = 1;
const NEWTON: i32 = 2;
const ENUMERATIVE: i32 = 3;
/** Computed in the type of the data; plain bracketed computes in f64. Hybrid is any other code. */
const BRACKETED_PLAIN: i32 = 5;

const SECOND = memory.data(24);
const THIRD = memory.data(24);
const LOCAL = memory.data(24);

function addTo(job: usize, offset: usize): void {
  store<i32>(job + offset, load<i32>(job + offset) + 1);
}

function copyImpulse<T>(to: usize, from: usize): void {
  for (let i = 0; i < 3; i++) put<T>(to, i, get<T>(from, i));
}

/** Newton, enumeration, bracketed root: the next where one misses, the better answer kept. See solvers/local/hybrid. */
function solveHybrid<T>(job: usize, r: usize, W: usize, b: usize, mu: T): i32 {
  let state = solveNewton<T>(r, W, b, mu);
  if (state >= 0) return state;
  addTo(job, J.FAIL_SAFES);
  let error = localError<T>(r, W, b, mu);
  const enumerated = solveEnumerative<T>(SECOND, W, b, mu);
  const secondError = localError<T>(SECOND, W, b, mu);
  if (secondError < error) {
    copyImpulse<T>(r, SECOND);
    error = secondError;
    state = enumerated;
  }
  if (enumerated >= 0 && error <= goodError<T>()) return state < 0 ? enumerated : state;
  addTo(job, J.LAST_CALLS);
  const bracketed = solveBracketed<T, f64>(THIRD, W, b, mu);
  const thirdError = localError<T>(THIRD, W, b, mu);
  if (thirdError < error) {
    copyImpulse<T>(r, THIRD);
    error = thirdError;
    state = bracketed;
  }
  if (enumerated == NO_SOLUTION && error > goodError<T>()) return NO_SOLUTION;
  return error > FAILURE ? MISSED : state < 0 ? bracketed : state;
}

/** One contact by the job's solver, from the r there. */
function solveOne<T>(job: usize, solver: i32, r: usize, W: usize, b: usize, mu: T): i32 {
  if (solver == BRACKETED) return solveBracketed<T, f64>(r, W, b, mu);
  if (solver == BRACKETED_PLAIN) return solveBracketed<T, T>(r, W, b, mu);
  if (solver == ISOTROPIC) return stepIsotropic<T>(r, W, b, mu);
  if (solver == NEWTON) return solveNewton<T>(r, W, b, mu);
  if (solver == ENUMERATIVE) return solveEnumerative<T>(r, W, b, mu);
  return solveHybrid<T>(job, r, W, b, mu);
}

/** Books one local answer. */
function count<T>(job: usize, state: i32, r: usize, W: usize, b: usize, mu: T): void {
  addTo(job, J.CALLS);
  if (localError<T>(r, W, b, mu) > FAILURE) addTo(job, J.FAILURES);
  if (state == NO_SOLUTION) addTo(job, J.UNSOLVABLE);
}

/** Solves each contact on its own: block c, b and r of place c; what couples them is not looked at. */
function solveApart<T>(job: usize): void {
  const n = load<i32>(job + J.CONTACT_COUNT);
  const solver = load<i32>(job + J.SOLVER);
  const isCounted = load<i32>(job + J.WITH_ERRORS) != 0;
  const values = <usize>load<u32>(job + J.VALUES);
  const offset = <usize>load<u32>(job + J.OFFSET);
  const friction = <usize>load<u32>(job + J.FRICTION);
  const impulse = <usize>load<u32>(job + J.IMPULSE);
  for (let c = 0; c < n; c++) {
    const W = values + <usize>(9 * c) * sizeof<T>();
    const b = offset + <usize>(3 * c) * sizeof<T>();
    const r = impulse + <usize>(3 * c) * sizeof<T>();
    const mu: T = get<T>(friction, c);
    const state = solveOne<T>(job, solver, r, W, b, mu);
    if (isCounted) count<T>(job, state, r, W, b, mu);
  }
}

/** LOCAL := row c of W r + b. */
function rowVelocity<T>(values: usize, column: usize, impulse: usize, b: usize, first: i32, end: i32): void {
  let u0: T = get<T>(b, 0);
  let u1: T = get<T>(b, 1);
  let u2: T = get<T>(b, 2);
  let block = values + <usize>(9 * first) * sizeof<T>();
  for (let k = first; k < end; k++) {
    const r = impulse + <usize>(3 * getI32(column, k)) * sizeof<T>();
    const r0: T = get<T>(r, 0);
    const r1: T = get<T>(r, 1);
    const r2: T = get<T>(r, 2);
    u0 += get<T>(block, 0) * r0 + get<T>(block, 1) * r1 + get<T>(block, 2) * r2;
    u1 += get<T>(block, 3) * r0 + get<T>(block, 4) * r1 + get<T>(block, 5) * r2;
    u2 += get<T>(block, 6) * r0 + get<T>(block, 7) * r1 + get<T>(block, 8) * r2;
    block += 9 * sizeof<T>();
  }
  put<T>(LOCAL, 0, u0);
  put<T>(LOCAL, 1, u1);
  put<T>(LOCAL, 2, u2);
}

/** r := −W⁻¹ b for one 3×3 symmetric block, by elimination with a small floor. */
function solveBlock<T>(r: usize, W: usize, b: usize): void {
  const relative: T = sizeof<T>() == 8 ? <T>1e-14 : <T>1e-6;
  const floor: T = relative * (get<T>(W, 0) + get<T>(W, 4) + get<T>(W, 8));
  if (floor == <T>0) return;
  const w1: T = get<T>(W, 1);
  const w2: T = get<T>(W, 2);
  const d0: T = get<T>(W, 0) + floor;
  const l1: T = get<T>(W, 3) / d0;
  const l2: T = get<T>(W, 6) / d0;
  const d1: T = get<T>(W, 4) - l1 * w1 + floor;
  const m12: T = get<T>(W, 5) - l1 * w2;
  const l3: T = m12 / d1;
  const d2: T = get<T>(W, 8) - l2 * w2 - l3 * m12 + floor;
  const b0: T = get<T>(b, 0);
  const y1: T = -get<T>(b, 1) + l1 * b0;
  const y2: T = -get<T>(b, 2) + l2 * b0 - l3 * y1;
  const r2: T = y2 / d2;
  const r1: T = (y1 - m12 * r2) / d1;
  put<T>(r, 0, (-b0 - w1 * r1 - w2 * r2) / d0);
  put<T>(r, 1, r1);
  put<T>(r, 2, r2);
}

/** One sweep over all contacts that do not rest. */
function sweepOnce<T>(job: usize): void {
  const n = load<i32>(job + J.CONTACT_COUNT);
  const rowStart = <usize>load<u32>(job + J.ROW_START);
  const column = <usize>load<u32>(job + J.COLUMN);
  const diagonal = <usize>load<u32>(job + J.DIAGONAL);
  const values = <usize>load<u32>(job + J.VALUES);
  const offset = <usize>load<u32>(job + J.OFFSET);
  const friction = <usize>load<u32>(job + J.FRICTION);
  const law = <usize>load<u32>(job + J.LAW);
  const impulse = <usize>load<u32>(job + J.IMPULSE);
  const rest = <usize>load<u32>(job + J.REST);
  const solver = load<i32>(job + J.SOLVER);
  const isCounted = load<i32>(job + J.WITH_ERRORS) != 0;
  const freezeSweeps = load<i32>(job + J.FREEZE_SWEEPS);
  const quiet = <T>(load<f64>(job + J.FREEZE_THRESHOLD) * load<f64>(job + J.LARGEST));

  let largest: T = <T>0;
  let skipped = 0;
  for (let c = 0; c < n; c++) {
    if (freezeSweeps > 0) {
      const left = getI32(rest, c);
      if (left > 0) {
        setI32(rest, c, left - 1);
        skipped++;
        continue;
      }
    }

    // The contact alone: its impulse, its velocity at rest, its block of the matrix.
    const r = impulse + <usize>(3 * c) * sizeof<T>();
    const b = offset + <usize>(3 * c) * sizeof<T>();
    const W = values + <usize>(9 * getI32(diagonal, c)) * sizeof<T>();
    const r0: T = get<T>(r, 0);
    const r1: T = get<T>(r, 1);
    const r2: T = get<T>(r, 2);

    // Velocity without the contact's own impulse, which is taken out before the sum: no digits are lost to it.
    put<T>(r, 0, <T>0);
    put<T>(r, 1, <T>0);
    put<T>(r, 2, <T>0);
    rowVelocity<T>(values, column, impulse, b, getI32(rowStart, c), getI32(rowStart, c + 1));
    if (solver != BRACKETED && solver != BRACKETED_PLAIN) {
      put<T>(r, 0, r0);
      put<T>(r, 1, r1);
      put<T>(r, 2, r2);
    }

    if (law != 0 && getI32(law, c) == LAW_BILATERAL) {
      solveBlock<T>(r, W, LOCAL);
    } else {
      const mu: T = get<T>(friction, c);
      const state = solveOne<T>(job, solver, r, W, LOCAL, mu);
      if (isCounted) count<T>(job, state, r, W, LOCAL, mu);
    }

    if (freezeSweeps > 0) {
      // Changes as velocities, λ‖Δr‖, so that heavy and light contacts count alike.
      const scale: T = (get<T>(W, 0) + get<T>(W, 4) + get<T>(W, 8)) / <T>3;
      const change: T = scale * length3<T>(get<T>(r, 0) - r0, get<T>(r, 1) - r1, get<T>(r, 2) - r2);
      largest = max<T>(largest, change);
      if (change <= quiet) setI32(rest, c, freezeSweeps);
    }
  }

  if (largest > <T>0) store<f64>(job + J.LARGEST, <f64>largest);
  store<i32>(job + J.SKIPPED, load<i32>(job + J.SKIPPED) + skipped);
}

/** Largest error of all contacts [m/s]; see solvers/residual. The sums are of type T. */
function measure<T>(job: usize): f64 {
  const n = load<i32>(job + J.CONTACT_COUNT);
  const rowStart = <usize>load<u32>(job + J.ROW_START);
  const column = <usize>load<u32>(job + J.COLUMN);
  const diagonal = <usize>load<u32>(job + J.DIAGONAL);
  const values = <usize>load<u32>(job + J.VALUES);
  const offset = <usize>load<u32>(job + J.OFFSET);
  const friction = <usize>load<u32>(job + J.FRICTION);
  const law = <usize>load<u32>(job + J.LAW);
  const impulse = <usize>load<u32>(job + J.IMPULSE);
  let worst: f64 = 0;
  for (let c = 0; c < n; c++) {
    const r = impulse + <usize>(3 * c) * sizeof<T>();
    const b = offset + <usize>(3 * c) * sizeof<T>();
    rowVelocity<T>(values, column, impulse, b, getI32(rowStart, c), getI32(rowStart, c + 1));
    const u0 = <f64>get<T>(LOCAL, 0);
    const u1 = <f64>get<T>(LOCAL, 1);
    const u2 = <f64>get<T>(LOCAL, 2);
    let error: f64 = 0;
    if (law != 0 && getI32(law, c) == LAW_BILATERAL) {
      error = sqrt<f64>(u0 * u0 + u1 * u1 + u2 * u2);
    } else {
      const W = values + <usize>(9 * getI32(diagonal, c)) * sizeof<T>();
      const scale = <f64>(get<T>(W, 0) + get<T>(W, 4) + get<T>(W, 8)) / 3;
      const mu = <f64>get<T>(friction, c);
      error = frictionalError(scale, mu, <f64>get<T>(r, 0), <f64>get<T>(r, 1), <f64>get<T>(r, 2), u0, u1, u2);
    }
    // A NaN must not pass for a perfect answer.
    if (!(error >= 0)) return Infinity;
    worst = max<f64>(worst, error);
  }
  return worst;
}

/** Sweeps until the target or the last sweep; with checks, r := the best that was met. */
function sweepBlocks<T>(job: usize): void {
  const sweeps = load<i32>(job + J.SWEEPS);
  const interval = load<i32>(job + J.CHECK_INTERVAL);
  const target = load<f64>(job + J.TARGET);
  let done = 0;
  if (interval <= 0) {
    for (; done < sweeps; done++) sweepOnce<T>(job);
    store<f64>(job + J.RESIDUAL, Infinity);
    store<i32>(job + J.SWEEPS_DONE, done);
    return;
  }
  const bytes = <usize>(3 * load<i32>(job + J.CONTACT_COUNT)) * sizeof<T>();
  const impulse = <usize>load<u32>(job + J.IMPULSE);
  const best = <usize>load<u32>(job + J.BEST);
  let residual = measure<T>(job);
  memory.copy(best, impulse, bytes);
  while (done < sweeps && residual > target) {
    const until = min<i32>(sweeps, done + interval);
    for (; done < until; done++) sweepOnce<T>(job);
    const now = measure<T>(job);
    if (now < residual) {
      residual = now;
      memory.copy(best, impulse, bytes);
    }
  }
  memory.copy(impulse, best, bytes);
  store<f64>(job + J.RESIDUAL, residual);
  store<i32>(job + J.SWEEPS_DONE, done);
}

export function solveLocalContacts64(job: usize): void {
  solveApart<f64>(job);
}

export function solveLocalContacts32(job: usize): void {
  solveApart<f32>(job);
}

export function sweepContactBlocks64(job: usize): void {
  sweepBlocks<f64>(job);
}

export function sweepContactBlocks32(job: usize): void {
  sweepBlocks<f32>(job);
}
