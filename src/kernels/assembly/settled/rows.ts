// Rows of joints beside the contact points of law.ts: bilateral, one-sided and bounded.
//
// A row has bounds in place of a cone: (r, u) with low <= r <= high, u = 0 inside, u >= 0 at low, u <= 0 at high,
// its softness times r a part of u. Bilateral rows are solved all at once, as settled.ts would with a penalty 1/R
// for them alone:
//
//   A = M + Σ HᵀH/(R + SOFT),   A dv = −Hᵀ u/(R + SOFT),   dr = −(u + H dv)/(R + SOFT)
//
// Rows that contradict each other, or say the same twice (two ball joints of one hinge), share what they bear: A
// exists.

import { findBlock } from './blocks';
import * as S from './layout';

/** Whether a row bears any impulse. */
export function isBilateral(row: usize): bool {
  return load<f64>(row, S.ROW_LOW) == -Infinity && load<f64>(row, S.ROW_HIGH) == Infinity;
}

/** Part of H on the turn of end B, behind the third number of D: (d_z, turn_x). */
export function straddle(row: usize): v128 {
  return v128.shuffle<f64>(v128.load(row, S.ROW_D + 16), v128.load(row, S.ROW_TURN_B), 0, 2);
}

/** H v of a row, for velocities at `v` [m/s, rad/s]. */
export function along(row: usize, v: usize): f64 {
  // D and the turn of A lie one after the other, as the six numbers of a velocity do.
  const a = v + <usize>load<i32>(row, S.ROW_BODY_A) * S.VELOCITY_BYTES;
  const b = v + <usize>load<i32>(row, S.ROW_BODY_B) * S.VELOCITY_BYTES;
  const x = f64x2.mul(v128.load(row, S.ROW_D), f64x2.sub(v128.load(b), v128.load(a)));
  const ofB = f64x2.mul(straddle(row), v128.load(b, 16));
  const y = f64x2.sub(ofB, f64x2.mul(v128.load(row, S.ROW_D + 16), v128.load(a, 16)));
  const turnB = f64x2.mul(v128.load(row, S.ROW_TURN_B + 8), v128.load(b, 32));
  const z = f64x2.sub(turnB, f64x2.mul(v128.load(row, S.ROW_TURN_A + 8), v128.load(a, 32)));
  const sum = f64x2.add(f64x2.add(x, y), z);
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
}

/** u of a row: with its target and softness. */
export function speedOfRow(row: usize, velocity: usize): f64 {
  return (
    along(row, velocity) + load<f64>(row, S.ROW_TARGET) + load<f64>(row, S.ROW_SOFT) * load<f64>(row, S.ROW_IMPULSE)
  );
}

/** Hᵀ r of a row added to the wrenches at `to`. */
function addImpulse(row: usize, to: usize, r: f64): void {
  const a = to + <usize>load<i32>(row, S.ROW_BODY_A) * S.VELOCITY_BYTES;
  const b = to + <usize>load<i32>(row, S.ROW_BODY_B) * S.VELOCITY_BYTES;
  const k = f64x2.splat(r);
  const d = f64x2.mul(k, v128.load(row, S.ROW_D));
  v128.store(a, f64x2.sub(v128.load(a), d));
  v128.store(a, f64x2.sub(v128.load(a, 16), f64x2.mul(k, v128.load(row, S.ROW_D + 16))), 16);
  v128.store(a, f64x2.sub(v128.load(a, 32), f64x2.mul(k, v128.load(row, S.ROW_TURN_A + 8))), 32);
  v128.store(b, f64x2.add(v128.load(b), d));
  v128.store(b, f64x2.add(v128.load(b, 16), f64x2.mul(k, straddle(row))), 16);
  v128.store(b, f64x2.add(v128.load(b, 32), f64x2.mul(k, v128.load(row, S.ROW_TURN_B + 8))), 32);
}

/** Square of the largest error of a row (twin: boundedError in solvers/row-law.ts). */
export function rowLaw(h: usize): f64 {
  const velocity = load<usize>(h, S.VELOCITY);
  const end = load<usize>(h, S.ROWS_END);
  let worst: f64 = 0;
  for (let row = load<usize>(h, S.ROWS); row < end; row += S.ROW_BYTES) {
    const u = speedOfRow(row, velocity);
    // An unbounded row: what rounding does to a large impulse is not its error.
    let miss = u;
    if (!isBilateral(row)) {
      const lambda = load<f64>(row, S.ROW_LAMBDA);
      const own = lambda * load<f64>(row, S.ROW_IMPULSE);
      miss = own - min(max(own - u, lambda * load<f64>(row, S.ROW_LOW)), lambda * load<f64>(row, S.ROW_HIGH));
    }
    const square = miss * miss;
    // Not a number counts as the worst.
    if (!(square <= worst)) worst = square >= 0 ? square : Infinity;
  }
  return worst;
}

/**
 * CHANGE of the bilateral rows, and Hᵀ of it added to STEP. Returns their largest |u| [m/s]. Rows of one joint follow
 * each other: what its two bodies do, and what is done to them, stays at hand meanwhile, here and in the two passes
 * below.
 */
export function bilateralLaw(h: usize): f64 {
  const velocity = load<usize>(h, S.VELOCITY);
  const step = load<usize>(h, S.STEP);
  const end = load<usize>(h, S.ROWS_END);
  let worst: f64 = 0;
  for (let row = load<usize>(h, S.ROWS); row < end; ) {
    const bodies = load<i64>(row, S.ROW_BODY_A);
    const a = <usize>load<i32>(row, S.ROW_BODY_A) * S.VELOCITY_BYTES;
    const b = <usize>load<i32>(row, S.ROW_BODY_B) * S.VELOCITY_BYTES;
    const linear = f64x2.sub(v128.load(velocity + b), v128.load(velocity + a));
    const middleA = v128.load(velocity + a, 16);
    const middleB = v128.load(velocity + b, 16);
    const lastA = v128.load(velocity + a, 32);
    const lastB = v128.load(velocity + b, 32);
    let a0 = v128.load(step + a);
    let a1 = v128.load(step + a, 16);
    let a2 = v128.load(step + a, 32);
    let b0 = v128.load(step + b);
    let b1 = v128.load(step + b, 16);
    let b2 = v128.load(step + b, 32);
    for (; row < end && load<i64>(row, S.ROW_BODY_A) == bodies; row += S.ROW_BYTES) {
      if (!isBilateral(row)) continue;
      const d = v128.load(row, S.ROW_D);
      const d1 = v128.load(row, S.ROW_D + 16);
      const e1 = straddle(row);
      const turnA = v128.load(row, S.ROW_TURN_A + 8);
      const turnB = v128.load(row, S.ROW_TURN_B + 8);

      // u, and what brings it to nothing.
      const x = f64x2.mul(d, linear);
      const y = f64x2.sub(f64x2.mul(e1, middleB), f64x2.mul(d1, middleA));
      const z = f64x2.sub(f64x2.mul(turnB, lastB), f64x2.mul(turnA, lastA));
      const sum = f64x2.add(f64x2.add(x, y), z);
      const own = f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1) + load<f64>(row, S.ROW_TARGET);
      const u = own + load<f64>(row, S.ROW_SOFT) * load<f64>(row, S.ROW_IMPULSE);
      worst = max(worst, abs(u));
      const change = -u * load<f64>(row, S.ROW_RHO);
      store<f64>(row, change, S.ROW_CHANGE);

      const k = f64x2.splat(change);
      const push = f64x2.mul(k, d);
      a0 = f64x2.sub(a0, push);
      a1 = f64x2.sub(a1, f64x2.mul(k, d1));
      a2 = f64x2.sub(a2, f64x2.mul(k, turnA));
      b0 = f64x2.add(b0, push);
      b1 = f64x2.add(b1, f64x2.mul(k, e1));
      b2 = f64x2.add(b2, f64x2.mul(k, turnB));
    }
    v128.store(step + a, a0);
    v128.store(step + a, a1, 16);
    v128.store(step + a, a2, 32);
    v128.store(step + b, b0);
    v128.store(step + b, b1, 16);
    v128.store(step + b, b2, 32);
  }
  return worst;
}

/** H v of a row of the driven bodies alone, those from `n` on. */
function alongDriven(row: usize, v: usize, n: i32): f64 {
  let u: f64 = 0;
  for (let side: usize = 0; side < 2; side++) {
    const body = load<i32>(row + S.ROW_BODY_A + (side << 2));
    if (body < n) continue;
    const at = v + <usize>body * S.VELOCITY_BYTES;
    let own: f64 = 0;
    for (let k: usize = 0; k < 24; k += 8) {
      own += load<f64>(row + k, S.ROW_D) * load<f64>(at + k);
      own += load<f64>(row + S.ROW_TURN_A + side * 24 + k) * load<f64>(at + k, 24);
    }
    u += side == 0 ? -own : own;
  }
  return u;
}

/** CHANGE of the bilateral rows becomes what they aim at: their TARGET, and what driven bodies do along them. */
export function noteTargets(h: usize): void {
  const velocity = load<usize>(h, S.VELOCITY);
  const n = load<i32>(h, S.BODIES);
  const end = load<usize>(h, S.ROWS_END);
  for (let row = load<usize>(h, S.ROWS); row < end; row += S.ROW_BYTES) {
    if (isBilateral(row)) store<f64>(row, load<f64>(row, S.ROW_TARGET) + alongDriven(row, velocity, n), S.ROW_CHANGE);
  }
}

/** Adds −Hᵀ ρ CHANGE of the bilateral rows to STEP. */
export function pushTargets(h: usize): void {
  const step = load<usize>(h, S.STEP);
  const end = load<usize>(h, S.ROWS_END);
  for (let row = load<usize>(h, S.ROWS); row < end; row += S.ROW_BYTES) {
    if (isBilateral(row)) addImpulse(row, step, -load<f64>(row, S.ROW_CHANGE) * load<f64>(row, S.ROW_DAMPED));
  }
}

/** Takes off CHANGE of the bilateral rows what STEP does of it. */
export function takeAttained(h: usize): void {
  const step = load<usize>(h, S.STEP);
  const end = load<usize>(h, S.ROWS_END);
  for (let row = load<usize>(h, S.ROWS); row < end; row += S.ROW_BYTES) {
    if (isBilateral(row)) store<f64>(row, load<f64>(row, S.ROW_CHANGE) + along(row, step), S.ROW_CHANGE);
  }
}

/** Takes off the targets of the bilateral rows what is left of them in CHANGE. */
export function dropUnattained(h: usize): void {
  const end = load<usize>(h, S.ROWS_END);
  for (let row = load<usize>(h, S.ROWS); row < end; row += S.ROW_BYTES) {
    if (isBilateral(row)) store<f64>(row, load<f64>(row, S.ROW_TARGET) - load<f64>(row, S.ROW_CHANGE), S.ROW_TARGET);
  }
}

/** r += CHANGE − ρ H STEP of the bilateral rows, and Hᵀ of that change added to PUSH. */
export function bilateralImpulses(h: usize): void {
  const step = load<usize>(h, S.STEP);
  const push = load<usize>(h, S.PUSH);
  const end = load<usize>(h, S.ROWS_END);
  for (let row = load<usize>(h, S.ROWS); row < end; ) {
    const bodies = load<i64>(row, S.ROW_BODY_A);
    const a = <usize>load<i32>(row, S.ROW_BODY_A) * S.VELOCITY_BYTES;
    const b = <usize>load<i32>(row, S.ROW_BODY_B) * S.VELOCITY_BYTES;
    const linear = f64x2.sub(v128.load(step + b), v128.load(step + a));
    const middleA = v128.load(step + a, 16);
    const middleB = v128.load(step + b, 16);
    const lastA = v128.load(step + a, 32);
    const lastB = v128.load(step + b, 32);
    let a0 = v128.load(push + a);
    let a1 = v128.load(push + a, 16);
    let a2 = v128.load(push + a, 32);
    let b0 = v128.load(push + b);
    let b1 = v128.load(push + b, 16);
    let b2 = v128.load(push + b, 32);
    for (; row < end && load<i64>(row, S.ROW_BODY_A) == bodies; row += S.ROW_BYTES) {
      if (!isBilateral(row)) continue;
      const d = v128.load(row, S.ROW_D);
      const d1 = v128.load(row, S.ROW_D + 16);
      const e1 = straddle(row);
      const turnA = v128.load(row, S.ROW_TURN_A + 8);
      const turnB = v128.load(row, S.ROW_TURN_B + 8);

      const x = f64x2.mul(d, linear);
      const y = f64x2.sub(f64x2.mul(e1, middleB), f64x2.mul(d1, middleA));
      const z = f64x2.sub(f64x2.mul(turnB, lastB), f64x2.mul(turnA, lastA));
      const sum = f64x2.add(f64x2.add(x, y), z);
      const done = f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
      const change = load<f64>(row, S.ROW_CHANGE) - load<f64>(row, S.ROW_RHO) * done;
      store<f64>(row, load<f64>(row, S.ROW_IMPULSE) + change, S.ROW_IMPULSE);

      const k = f64x2.splat(change);
      const own = f64x2.mul(k, d);
      a0 = f64x2.sub(a0, own);
      a1 = f64x2.sub(a1, f64x2.mul(k, d1));
      a2 = f64x2.sub(a2, f64x2.mul(k, turnA));
      b0 = f64x2.add(b0, own);
      b1 = f64x2.add(b1, f64x2.mul(k, e1));
      b2 = f64x2.add(b2, f64x2.mul(k, turnB));
    }
    v128.store(push + a, a0);
    v128.store(push + a, a1, 16);
    v128.store(push + a, a2, 32);
    v128.store(push + b, b0);
    v128.store(push + b, b1, 16);
    v128.store(push + b, b2, 32);
  }
}

/** Adds Hᵀ r to PUSH. With `clamps`, r is first taken between its bounds. */
export function rowWrenches(h: usize, clamps: bool): void {
  const push = load<usize>(h, S.PUSH);
  const end = load<usize>(h, S.ROWS_END);
  for (let row = load<usize>(h, S.ROWS); row < end; ) {
    const bodies = load<i64>(row, S.ROW_BODY_A);
    const a = push + <usize>load<i32>(row, S.ROW_BODY_A) * S.VELOCITY_BYTES;
    const b = push + <usize>load<i32>(row, S.ROW_BODY_B) * S.VELOCITY_BYTES;
    let a0 = v128.load(a);
    let a1 = v128.load(a, 16);
    let a2 = v128.load(a, 32);
    let b0 = v128.load(b);
    let b1 = v128.load(b, 16);
    let b2 = v128.load(b, 32);
    for (; row < end && load<i64>(row, S.ROW_BODY_A) == bodies; row += S.ROW_BYTES) {
      let r = load<f64>(row, S.ROW_IMPULSE);
      if (clamps) {
        r = min(max(r, load<f64>(row, S.ROW_LOW)), load<f64>(row, S.ROW_HIGH));
        store<f64>(row, r, S.ROW_IMPULSE);
      }
      const k = f64x2.splat(r);
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

export function clearRows(h: usize): void {
  const end = load<usize>(h, S.ROWS_END);
  for (let row = load<usize>(h, S.ROWS); row < end; row += S.ROW_BYTES) store<f64>(row, 0, S.ROW_IMPULSE);
}

/**
 * Thin bodies turn so easily about their length that the factor's inverse holds numbers κ times what its rows respond
 * by; rounded, and taken times the square of the penalty p by the elimination of the next body, they are an error of
 * p² κ 1e-16 in that body's mass. So p is less by the root of κ beyond this [-].
 */
const THIN: f64 = 16;

/**
 * Gives each row, bodies by slot, the numbers of its bodies, its response, and the penalties of the bilateral ones in
 * units of 1/λ: that of what they can do together is `looped` where the body is marked in COLUMNS.
 */
export function linkRows(h: usize, stiff: f64, looped: f64): void {
  const map = load<usize>(h, S.MAP);
  const info = load<usize>(h, S.INFO);
  const world = load<i32>(h, S.BODIES);
  const end = load<usize>(h, S.ROWS_END);
  for (let row = load<usize>(h, S.ROWS); row < end; row += S.ROW_BYTES) {
    const soft = load<f64>(row, S.ROW_SOFT);
    let lambda = soft;
    let own = stiff;
    let thin: f64 = 0;
    for (let side: usize = 0; side < 2; side++) {
      const at = row + S.ROW_BODY_A + (side << 2);
      const slot = load<i32>(at);
      const body = slot < 0 ? world : load<i32>(map + ((<usize>slot) << 2));
      store<i32>(at, body);
      if (body >= world) continue;
      const turn = row + S.ROW_TURN_A + side * 24;
      lambda += responseOf(row, turn, info + <usize>body * S.INFO_BYTES);
      thin = max(thin, largestTurn(turn, info + <usize>body * S.INFO_BYTES));
      if (load<i32>(load<usize>(h, S.COLUMNS) + ((<usize>body) << 2)) != 0) own = looped;
    }
    store<f64>(row, lambda, S.ROW_LAMBDA);
    // Locked axes of bodies may leave a row nothing to move.
    const least = max(lambda, 1e-30);
    const share = min(1, sqrt((THIN * least) / max(thin, 1e-30)));
    store<f64>(row, 1 / (least / (share * stiff) + soft), S.ROW_RHO);
    store<f64>(row, 1 / (least / (share * own) + soft), S.ROW_DAMPED);
  }
}

/** What the moment of a row would turn its body by about the axis that turns most easily, at most. */
function largestTurn(turn: usize, info: usize): f64 {
  const x = load<f64>(turn);
  const y = load<f64>(turn, 8);
  const z = load<f64>(turn, 16);
  const trace =
    load<f64>(info, S.INVERSE_INERTIA) +
    load<f64>(info, S.INVERSE_INERTIA + 8) +
    load<f64>(info, S.INVERSE_INERTIA + 16);
  return trace * (x * x + y * y + z * z);
}

/** H M⁻¹ Hᵀ of one body. */
function responseOf(row: usize, turn: usize, info: usize): f64 {
  const dx = load<f64>(row, S.ROW_D);
  const dy = load<f64>(row, S.ROW_D + 8);
  const dz = load<f64>(row, S.ROW_D + 16);
  const x = load<f64>(turn);
  const y = load<f64>(turn, 8);
  const z = load<f64>(turn, 16);
  const xx = load<f64>(info, S.INVERSE_INERTIA);
  const yy = load<f64>(info, S.INVERSE_INERTIA + 8);
  const zz = load<f64>(info, S.INVERSE_INERTIA + 16);
  const xy = load<f64>(info, S.INVERSE_INERTIA + 24);
  const xz = load<f64>(info, S.INVERSE_INERTIA + 32);
  const yz = load<f64>(info, S.INVERSE_INERTIA + 40);
  const turned = xx * x * x + yy * y * y + zz * z * z + 2 * (xy * x * y + xz * x * z + yz * y * z);
  return load<f64>(info, S.INVERSE_MASS) * (dx * dx + dy * dy + dz * dz) + turned;
}

/** A += Σ ρ HᵀH of the bilateral rows, ρ their field of that name. False if a pair of bodies has no block. */
export function assembleRows(h: usize, factor: usize, field: usize): bool {
  const n = load<i32>(h, S.BODIES);
  const diagonal = load<usize>(factor, S.FACTOR_DIAGONAL);
  const lower = load<usize>(factor, S.FACTOR_LOWER);
  const end = load<usize>(h, S.ROWS_END);
  let lastA = -1;
  let lastB = -1;
  let block = -1;
  for (let row = load<usize>(h, S.ROWS); row < end; row += S.ROW_BYTES) {
    if (!isBilateral(row)) continue;
    const a = load<i32>(row, S.ROW_BODY_A);
    const b = load<i32>(row, S.ROW_BODY_B);
    const rho = load<f64>(row + field);
    const turnA = row + S.ROW_TURN_A;
    const turnB = row + S.ROW_TURN_B;
    if (a < n) addOuter(diagonal + <usize>a * S.BLOCK_BYTES, rho, row + S.ROW_D, turnA, turnA);
    if (b < n) addOuter(diagonal + <usize>b * S.BLOCK_BYTES, rho, row + S.ROW_D, turnB, turnB);
    if (a >= n || b >= n) continue;
    if (a != lastA || b != lastB) {
      block = findBlock(factor, max(a, b), min(a, b));
      if (block < 0) return false;
      lastA = a;
      lastB = b;
    }
    const to = lower + <usize>block * S.BLOCK_BYTES;
    if (a > b) addOuter(to, -rho, row + S.ROW_D, turnA, turnB);
    else addOuter(to, -rho, row + S.ROW_D, turnB, turnA);
  }
  return true;
}

/** block += ρ (d; turn of its row)(d; turn of its column)ᵀ, column after column. */
export function addOuter(block: usize, rho: f64, d: usize, turnRow: usize, turnColumn: usize): void {
  const x = v128.load(d);
  const y = v128.shuffle<f64>(v128.load(d, 16), v128.load(turnRow), 0, 2);
  const z = v128.load(turnRow, 8);
  for (let j: usize = 0; j < 6; j++) {
    const f = rho * (j < 3 ? load<f64>(d + (j << 3)) : load<f64>(turnColumn + ((j - 3) << 3)));
    if (f == 0) continue;
    const to = block + j * 48;
    const k = f64x2.splat(f);
    v128.store(to, f64x2.add(v128.load(to), f64x2.mul(k, x)));
    v128.store(to, f64x2.add(v128.load(to, 16), f64x2.mul(k, y)), 16);
    v128.store(to, f64x2.add(v128.load(to, 32), f64x2.mul(k, z)), 32);
  }
}
