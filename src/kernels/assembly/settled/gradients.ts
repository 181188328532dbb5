// Bilateral rows of islands whose joints have no factor worth its price: preconditioned conjugate gradients on
//
//   (H M⁻¹ Hᵀ + R + SOFT) dr = −(u + R r),   R = λ / penalty
//
// (Hestenes and Stiefel 1952), from the impulses of the last step. A cloth of ten thousand balls fills a factor with
// hundreds of thousands of blocks in any order; an iteration costs two walks over its rows. R keeps apart what rows say
// twice, and bounds what those that contradict each other bear. What is not reached within the iterations is in the
// residual.
//
// In: an opened island with linked rows, impulses, and the velocities that they make. Out: both.

import * as S from './layout';
import { isBilateral, speedOfRow, straddle } from './rows';
import { addPush } from './settled';

/** Iterations at most. */
const ITERATIONS: i32 = 96;
/** Error of a row that ends them, relative to the largest free velocity [-]. */
const ENOUGH: f64 = 1e-5;
/** Response of a row that nothing moves [1/kg]. */
const LEAST: f64 = 1e-20;

/** Numbers kept for each row, apart from the rows: walks over these cost a twentieth of one over rows. */
const LEFT: usize = 0; // error that is left, negated
const WAY: usize = 1; // direction
const ANSWER: usize = 2; // response to it
const GAINED: usize = 3; // change of the impulse
const CONDITION: usize = 4; // inverse of the row's own response; 0 for one that is not solved here
const SOFT: usize = 5; // R + SOFT [1/kg]
const NUMBERS: usize = 6;

/** Bytes of work space for so many rows. */
export function gradientBytes(rows: i32): i32 {
  return <i32>NUMBERS * 8 * rows;
}

/** Brings the bilateral rows to `tolerance` [m/s], or as near as may be. */
export function holdByGradients(h: usize, tolerance: f64): void {
  const start = load<usize>(h, S.ROWS);
  const end = load<usize>(h, S.ROWS_END);
  const bytes = ((end - start) / S.ROW_BYTES) << 3;
  const left = load<usize>(h, S.GRADIENTS) + LEFT * bytes;
  const way = left + WAY * bytes;
  const answer = left + ANSWER * bytes;
  const gained = left + GAINED * bytes;
  const condition = left + CONDITION * bytes;
  const enough = max(tolerance, ENOUGH * load<f64>(h, S.SCALE));
  memory.fill(gained, 0, bytes);
  let worst = begin(h, left, bytes);
  let product = measure(left, condition, bytes);

  for (let k = 0; k < ITERATIONS && worst > enough; k++) {
    const curvature = multiply(h, left, bytes);
    if (!(curvature > 0)) break;
    const share = product / curvature;
    addStep(h, share);
    worst = 0;
    let next: f64 = 0;
    for (let i: usize = 0; i < bytes; i += 8) {
      store<f64>(gained + i, load<f64>(gained + i) + share * load<f64>(way + i));
      const e = load<f64>(left + i) - share * load<f64>(answer + i);
      store<f64>(left + i, e);
      next += e * e * load<f64>(condition + i);
      worst = max(worst, abs(e));
    }
    const beta = next / product;
    product = next;
    for (let i: usize = 0; i < bytes; i += 8) {
      store<f64>(way + i, load<f64>(left + i) * load<f64>(condition + i) + beta * load<f64>(way + i));
    }
  }
  for (let row = start, i: usize = 0; row < end; row += S.ROW_BYTES, i += 8) {
    store<f64>(row, load<f64>(row, S.ROW_IMPULSE) + load<f64>(gained + i), S.ROW_IMPULSE);
  }
}

/** Errors, first directions and what is kept of the rows; returns the largest error [m/s]. */
function begin(h: usize, left: usize, bytes: usize): f64 {
  const start = load<usize>(h, S.ROWS);
  const end = load<usize>(h, S.ROWS_END);
  let worst: f64 = 0;
  for (let row = start, i = left; row < end; row += S.ROW_BYTES, i += 8) {
    let e: f64 = 0;
    let condition: f64 = 0;
    const soft = 1 / load<f64>(row, S.ROW_RHO);
    const lambda = load<f64>(row, S.ROW_LAMBDA);
    // One that nothing moves is left to its residual.
    if (isBilateral(row) && lambda > LEAST) {
      const r = load<f64>(row, S.ROW_IMPULSE);
      e = -speedOfRow(row, load<usize>(h, S.VELOCITY)) - (soft - load<f64>(row, S.ROW_SOFT)) * r;
      condition = 1 / lambda;
    }
    store<f64>(i + LEFT * bytes, e);
    store<f64>(i + WAY * bytes, e * condition);
    // Of a row that is not solved here nobody writes another.
    store<f64>(i + ANSWER * bytes, 0);
    store<f64>(i + CONDITION * bytes, condition);
    store<f64>(i + SOFT * bytes, soft);
    worst = max(worst, abs(e));
  }
  return worst;
}

function measure(left: usize, condition: usize, bytes: usize): f64 {
  let product: f64 = 0;
  for (let i: usize = 0; i < bytes; i += 8) {
    product += load<f64>(left + i) * load<f64>(left + i) * load<f64>(condition + i);
  }
  return product;
}

/** STEP := M⁻¹ Hᵀ way, answer := (H M⁻¹ Hᵀ + R + SOFT) way; returns way · answer. */
function multiply(h: usize, left: usize, bytes: usize): f64 {
  const step = load<usize>(h, S.STEP);
  const start = load<usize>(h, S.ROWS);
  const end = load<usize>(h, S.ROWS_END);
  pushWay(load<usize>(h, S.PUSH), start, end, left + WAY * bytes);
  memory.fill(step, 0, <usize>load<i32>(h, S.RECORDS) * S.VELOCITY_BYTES);
  addPush(h, step);
  return answerWay(step, start, end, left, bytes);
}

/**
 * Adds Hᵀ way to PUSH. Rows of one joint follow each other: what is done to its two bodies stays at hand meanwhile,
 * as in rows.ts.
 */
function pushWay(push: usize, start: usize, end: usize, way: usize): void {
  for (let row = start, i = way; row < end; ) {
    const bodies = load<i64>(row, S.ROW_BODY_A);
    const a = push + <usize>load<i32>(row, S.ROW_BODY_A) * S.VELOCITY_BYTES;
    const b = push + <usize>load<i32>(row, S.ROW_BODY_B) * S.VELOCITY_BYTES;
    let a0 = v128.load(a);
    let a1 = v128.load(a, 16);
    let a2 = v128.load(a, 32);
    let b0 = v128.load(b);
    let b1 = v128.load(b, 16);
    let b2 = v128.load(b, 32);
    for (; row < end && load<i64>(row, S.ROW_BODY_A) == bodies; row += S.ROW_BYTES, i += 8) {
      const k = v128.load64_splat(i);
      const own = f64x2.mul(k, v128.load(row, S.ROW_D));
      a0 = f64x2.sub(a0, own);
      a1 = f64x2.sub(a1, f64x2.mul(k, v128.load(row, S.ROW_D + 16)));
      a2 = f64x2.sub(a2, f64x2.mul(k, v128.load(row, S.ROW_TURN_A + 8)));
      b0 = f64x2.add(b0, own);
      b1 = f64x2.add(b1, f64x2.mul(k, straddle(row)));
      b2 = f64x2.add(b2, f64x2.mul(k, v128.load(row, S.ROW_TURN_B + 8)));
    }
    v128.store(a, a0);
    v128.store(a, a1, 16);
    v128.store(a, a2, 32);
    v128.store(b, b0);
    v128.store(b, b1, 16);
    v128.store(b, b2, 32);
  }
}

/** ANSWER := H STEP + (R + SOFT) way of the rows that are solved here; returns way · answer. */
function answerWay(step: usize, start: usize, end: usize, left: usize, bytes: usize): f64 {
  let product: f64 = 0;
  for (let row = start, i = left; row < end; ) {
    const bodies = load<i64>(row, S.ROW_BODY_A);
    const a = step + <usize>load<i32>(row, S.ROW_BODY_A) * S.VELOCITY_BYTES;
    const b = step + <usize>load<i32>(row, S.ROW_BODY_B) * S.VELOCITY_BYTES;
    const linear = f64x2.sub(v128.load(b), v128.load(a));
    const middleA = v128.load(a, 16);
    const middleB = v128.load(b, 16);
    const lastA = v128.load(a, 32);
    const lastB = v128.load(b, 32);
    for (; row < end && load<i64>(row, S.ROW_BODY_A) == bodies; row += S.ROW_BYTES, i += 8) {
      if (load<f64>(i + CONDITION * bytes) == 0) continue;
      const x = f64x2.mul(v128.load(row, S.ROW_D), linear);
      const ofB = f64x2.mul(straddle(row), middleB);
      const y = f64x2.sub(ofB, f64x2.mul(v128.load(row, S.ROW_D + 16), middleA));
      const turnB = f64x2.mul(v128.load(row, S.ROW_TURN_B + 8), lastB);
      const z = f64x2.sub(turnB, f64x2.mul(v128.load(row, S.ROW_TURN_A + 8), lastA));
      const sum = f64x2.add(f64x2.add(x, y), z);
      const r = load<f64>(i + WAY * bytes);
      const own = f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
      const q = own + r * load<f64>(i + SOFT * bytes);
      store<f64>(i + ANSWER * bytes, q);
      product += r * q;
    }
  }
  return product;
}

/** VELOCITY += share · STEP. */
function addStep(h: usize, share: f64): void {
  const k = f64x2.splat(share);
  const step = load<usize>(h, S.STEP);
  const velocity = load<usize>(h, S.VELOCITY);
  const bytes = <usize>load<i32>(h, S.BODIES) * S.VELOCITY_BYTES;
  for (let i: usize = 0; i < bytes; i += 16) {
    v128.store(velocity + i, f64x2.add(v128.load(velocity + i), f64x2.mul(k, v128.load(step + i))));
  }
}
