// solve-contacts, settled islands: exact at any size by splitting in contact space with one kept factor.
//
// In: an island in the scratch (settled/gather.ts), its factor of A = M + Σ ρ_c H_cᵀH_c (settled/factor.ts). Out:
// PAIR_IMPULSE, PAIR_HIT, BODY_MOTION, velocities, ISLAND_RESIDUAL.
//
// Law and dynamics are two relations between the impulses r and contact velocities u, R = 1/ρ a number per contact:
//
//   dynamics:  u + R r = p,  u = H v + w,  v = v_free + M⁻¹ Hᵀ r
//   law:       z = R s + (u − R r),  (s, z) obeys Signorini–Coulomb
//   p := p + R (s − r) (Douglas–Rachford; TypeScript twin: solvers/contact-admm.ts)
//
// Eliminating p leaves a step in the velocities of the bodies: A dv = Hᵀ(s − r), dr = s − r − ρ H dv.
// Over-relaxed, a stuck island would halve its error in an iteration; as it is, one nearly removes it. Only changes
// pass through the factor, and the velocities are summed up from the impulses (dv = M⁻¹ Hᵀ dr, the same when A is
// up to date): so a factor made for the poses of a minute ago costs convergence, never exactness. A warm start that is
// good enough already costs one pass over the contacts and no triangular solve.

import { RELAX_SPEED, WILD_GAIN, WILD_SPEED } from '../../../core/engine-constants';
import {
  BODY_ANGULAR_VELOCITY,
  BODY_LINEAR_VELOCITY,
  BODY_MOTION,
  BODY_VELOCITY_CHANGE,
  ISLAND_RESIDUAL,
  PAIR_HIT,
  PAIR_IMPULSE,
  PAIR_MATERIAL,
  PAIR_POINT,
  PAIR_TANGENT,
  RESTITUTION_THRESHOLD,
  TIME_STEP,
} from '../../../state/layout';
import { dot3 } from '../math/vector';
import { column, parameter, setF64 } from '../memory';
import { turnMotion } from '../motion/motion';
import { solveFactor } from './blocks';
import { impulsePass, lawPass, wrenchPass } from './law';
import * as S from './layout';
import { clearRows } from './rows';

export { assembleSettled, factorSettled } from './factor';
export { openSettled, settledKey, settledScratchSize } from './gather';

/** Fall of the residual within the patience that is not a stall [-]. */
const FALL: f64 = 0.5;

/** What the impulses at hand do to the velocities; once before the first solve of an opened island. */
export function warmStartSettled(h: usize): void {
  wrenchPass(h, false);
  applyPush(h);
}

/** Takes all impulses back: an opened island starts from nothing, with its free velocities. */
export function coldStartSettled(h: usize): void {
  const end = load<usize>(h, S.MANIFOLDS_END);
  for (let m = load<usize>(h, S.MANIFOLDS); m < end; m += S.MANIFOLD_BYTES) memory.fill(m + S.IMPULSE, 0, 96);
  clearRows(h);
  resetVelocities(h);
}

/** Keeps the impulses at hand if no better ones were. */
export function noteSettled(h: usize): void {
  const residual = load<f64>(h, S.RESIDUAL);
  if (!(residual < load<f64>(h, S.BEST))) return;
  store<f64>(h, residual, S.BEST);
  const end = load<usize>(h, S.MANIFOLDS_END);
  for (let m = load<usize>(h, S.MANIFOLDS); m < end; m += S.MANIFOLD_BYTES) {
    memory.copy(m + S.KEPT, m + S.IMPULSE, 96);
  }
}

/** Goes on from the best impulses that were noted; from those at hand where none were. */
export function recallSettled(h: usize): void {
  if (load<f64>(h, S.BEST) < Infinity) {
    const end = load<usize>(h, S.MANIFOLDS_END);
    for (let m = load<usize>(h, S.MANIFOLDS); m < end; m += S.MANIFOLD_BYTES) {
      memory.copy(m + S.IMPULSE, m + S.KEPT, 96);
    }
  }
  resetVelocities(h);
  warmStartSettled(h);
  store<f64>(h, lawPass(h, false), S.RESIDUAL);
}

/**
 * Notes which points press by the impulses that were kept: those that gaps and loads bring to bear in this step get the
 * stiff penalty when the island is opened again, and those that part lose it. Returns how many changed.
 */
export function markSettled(h: usize): i32 {
  let changed = 0;
  const least = S.CLOSED_SHARE * load<f64>(h, S.SCALE);
  const end = load<usize>(h, S.MANIFOLDS_END);
  for (let m = load<usize>(h, S.MANIFOLDS); m < end; m += S.MANIFOLD_BYTES) {
    const nx = load<f64>(m, S.NORMAL);
    const ny = load<f64>(m, S.NORMAL + 8);
    const nz = load<f64>(m, S.NORMAL + 16);
    const before = load<i32>(m, S.CARRIES);
    let carries = 0;
    const count = load<i32>(m, S.COUNT);
    for (let k = 0; k < count; k++) {
      const lane = m + ((<usize>k) << 3);
      const x = load<f64>(lane, S.KEPT);
      const y = load<f64>(lane, S.KEPT + 32);
      const z = load<f64>(lane, S.KEPT + 64);
      const bit = (nx * x + ny * y + nz * z) * load<f64>(lane, S.LAMBDA) > least ? 1 << k : 0;
      carries |= bit;
      if (load<f64>(lane, S.TARGET) > least && bit != (before & (1 << k))) changed++;
    }
    store<i32>(m, carries, S.CARRIES);
  }
  return changed;
}

/** VELOCITY += M⁻¹ PUSH, PUSH := 0. */
export function applyPush(h: usize): void {
  addPush(h, load<usize>(h, S.VELOCITY));
}

/** The same to other velocities, six numbers a body at `v`. */
export function addPush(h: usize, v: usize): void {
  const n = load<i32>(h, S.BODIES);
  const records = load<i32>(h, S.RECORDS);
  const push = load<usize>(h, S.PUSH);
  let info = load<usize>(h, S.INFO);
  let p = push;
  for (let i = 0; i < n; i++) {
    const share = load<f64>(info, S.INVERSE_MASS);
    const tx = load<f64>(p, 24);
    const ty = load<f64>(p, 32);
    const tz = load<f64>(p, 40);
    const xx = load<f64>(info, S.INVERSE_INERTIA);
    const yy = load<f64>(info, S.INVERSE_INERTIA + 8);
    const zz = load<f64>(info, S.INVERSE_INERTIA + 16);
    const xy = load<f64>(info, S.INVERSE_INERTIA + 24);
    const xz = load<f64>(info, S.INVERSE_INERTIA + 32);
    const yz = load<f64>(info, S.INVERSE_INERTIA + 40);
    store<f64>(v, load<f64>(v) + share * load<f64>(p));
    store<f64>(v, load<f64>(v, 8) + share * load<f64>(p, 8), 8);
    store<f64>(v, load<f64>(v, 16) + share * load<f64>(p, 16), 16);
    store<f64>(v, load<f64>(v, 24) + xx * tx + xy * ty + xz * tz, 24);
    store<f64>(v, load<f64>(v, 32) + xy * tx + yy * ty + yz * tz, 32);
    store<f64>(v, load<f64>(v, 40) + xz * tx + yz * ty + zz * tz, 40);
    v += S.VELOCITY_BYTES;
    p += S.VELOCITY_BYTES;
    info += S.INFO_BYTES;
  }
  memory.fill(push, 0, <usize>records * S.VELOCITY_BYTES);
}

/**
 * Solves until the residual is at most `tolerance` [m/s]; from `enough` on only while it halves each time. Returns the
 * iterations; what was reached is at RESIDUAL. Gives up when the residual does not fall within `patience` iterations.
 */
export function solveSettled(h: usize, factor: usize, limit: i32, patience: i32, enough: f64, tolerance: f64): i32 {
  const n = load<i32>(h, S.BODIES);
  const fixed = <usize>(load<i32>(h, S.RECORDS) - n) * S.VELOCITY_BYTES;
  const step = load<usize>(h, S.STEP);
  let residual = lawPass(h, false);
  let iterations = 0;
  if (limit > 0 && residual > tolerance) {
    let best = residual;
    let bestAt = 0;
    for (; iterations < limit; iterations++) {
      memory.fill(step, 0, <usize>n * S.VELOCITY_BYTES);
      residual = lawPass(h, true);
      if (residual <= tolerance || !(residual < Infinity)) break;
      // The first step trades one error for another and may make it larger.
      if (residual <= FALL * best || iterations == 1) {
        best = residual;
        bestAt = iterations;
      } else if (iterations - bestAt >= (residual <= enough ? 1 : patience)) break;
      memory.fill(step + <usize>n * S.VELOCITY_BYTES, 0, fixed);
      solveFactor(factor, step);
      impulsePass(h);
      applyPush(h);
    }
    if (iterations > 0) {
      // Into the cones, and the velocities afresh, without what rounding left on the way.
      resetVelocities(h);
      wrenchPass(h, true);
      applyPush(h);
      residual = lawPass(h, false);
    }
  }
  store<f64>(h, residual, S.RESIDUAL);
  return iterations;
}

/** Free velocities from the tables. */
export function resetVelocities(h: usize): void {
  const n = load<i32>(h, S.BODIES);
  let v = load<usize>(h, S.VELOCITY);
  let info = load<usize>(h, S.INFO);
  for (let i = 0; i < n; i++, v += S.VELOCITY_BYTES, info += S.INFO_BYTES) {
    const at = (<usize>load<i32>(info, S.SLOT)) << 5;
    for (let k: usize = 0; k < 24; k += 8) {
      store<f64>(v + k, load<f64>(column(BODY_LINEAR_VELOCITY) + at + k));
      store<f64>(v + k, load<f64>(column(BODY_ANGULAR_VELOCITY) + at + k), 24);
    }
  }
}

/**
 * Takes the answer: writes impulses, motion and residual, and sets the targets of the kept velocity. Returns 1 when
 * that needs a solve of its own, because a penetration is being parted or a contact bounces, else 0. So it does with
 * `stopsLanding` where a gap is closed: what lands then has lost its approach in this step, not in the next one.
 */
export function moveSettled(h: usize, stopsLanding: bool): i32 {
  writeMotion(h);
  const end = load<usize>(h, S.MANIFOLDS_END);
  let hasTwo = load<i32>(h, S.IS_RECOVERING) != 0;
  for (let m = load<usize>(h, S.MANIFOLDS); m < end; m += S.MANIFOLD_BYTES) {
    storeImpulses(m);
    if (stopsLanding && !hasTwo) hasTwo = isLanding(m);
  }
  let bounces = false;
  for (let m = load<usize>(h, S.MANIFOLDS); m < end; m += S.MANIFOLD_BYTES) {
    if (hasTwo || load<f64>(column(PAIR_MATERIAL) + ((<usize>load<i32>(m, S.PAIR)) << 5), 8) > 0) {
      if (setKeptTargets(h, m)) bounces = true;
    }
  }
  return hasTwo || bounces ? 1 : 0;
}

/** Whether the motion closes a gap of the manifold faster than matters (as in few.ts). */
function isLanding(m: usize): bool {
  const open = RELAX_SPEED * parameter(TIME_STEP);
  const pair = <usize>load<i32>(m, S.PAIR);
  const count = load<i32>(m, S.COUNT);
  for (let k = 0; k < count; k++) {
    const isPressed = load<f64>(column(PAIR_IMPULSE) + (pair << 7) + ((<usize>k) << 5)) > 0;
    if (isPressed && load<f64>(column(PAIR_POINT) + (pair << 7) + ((<usize>k) << 5), 24) > open) return true;
  }
  return false;
}

/** Residual of the island, and the velocity that its bodies move with. */
export function writeMotion(h: usize): void {
  setF64(column(ISLAND_RESIDUAL), load<i32>(h, S.ISLAND), load<f64>(h, S.RESIDUAL));
  const n = load<i32>(h, S.BODIES);
  let v = load<usize>(h, S.VELOCITY);
  let info = load<usize>(h, S.INFO);
  for (let i = 0; i < n; i++, v += S.VELOCITY_BYTES, info += S.INFO_BYTES) {
    const slot = <usize>load<i32>(info, S.SLOT);
    const motion = column(BODY_MOTION) + (slot << 6);
    const linear = column(BODY_LINEAR_VELOCITY) + (slot << 5);
    const angular = column(BODY_ANGULAR_VELOCITY) + (slot << 5);
    for (let k: usize = 0; k < 24; k += 8) {
      store<f64>(motion + k, load<f64>(motion + k) + (load<f64>(v + k) - load<f64>(linear + k)));
      store<f64>(motion + k, load<f64>(motion + k, 32) + (load<f64>(v + k, 24) - load<f64>(angular + k)), 32);
    }
    turnMotion(<i32>slot, v + 24);
  }
}

export function storeImpulses(m: usize): void {
  const pair = <usize>load<i32>(m, S.PAIR);
  const nx = load<f64>(m, S.NORMAL);
  const ny = load<f64>(m, S.NORMAL + 8);
  const nz = load<f64>(m, S.NORMAL + 16);
  const tangent = column(PAIR_TANGENT) + (pair << 5);
  const tx = load<f64>(tangent);
  const ty = load<f64>(tangent, 8);
  const tz = load<f64>(tangent, 16);
  const sx = ny * tz - nz * ty;
  const sy = nz * tx - nx * tz;
  const sz = nx * ty - ny * tx;
  const count = load<i32>(m, S.COUNT);
  for (let k = 0; k < count; k++) {
    const lane = m + ((<usize>k) << 3);
    const x = load<f64>(lane, S.IMPULSE);
    const y = load<f64>(lane, S.IMPULSE + 32);
    const z = load<f64>(lane, S.IMPULSE + 64);
    const to = column(PAIR_IMPULSE) + (pair << 7) + ((<usize>k) << 5);
    store<f64>(to, max(0, nx * x + ny * y + nz * z));
    store<f64>(to, tx * x + ty * y + tz * z, 8);
    store<f64>(to, sx * x + sy * y + sz * z, 16);
  }
}

/** Sum of the impulses at hand over the points of a pair: normal, tangents. */
function storeHit(m: usize): void {
  let x: f64 = 0;
  let y: f64 = 0;
  let z: f64 = 0;
  const count = load<i32>(m, S.COUNT);
  for (let k = 0; k < count; k++) {
    const lane = m + ((<usize>k) << 3);
    x += load<f64>(lane, S.IMPULSE);
    y += load<f64>(lane, S.IMPULSE + 32);
    z += load<f64>(lane, S.IMPULSE + 64);
  }
  const pair = <usize>load<i32>(m, S.PAIR);
  const nx = load<f64>(m, S.NORMAL);
  const ny = load<f64>(m, S.NORMAL + 8);
  const nz = load<f64>(m, S.NORMAL + 16);
  const tangent = column(PAIR_TANGENT) + (pair << 5);
  const tx = load<f64>(tangent);
  const ty = load<f64>(tangent, 8);
  const tz = load<f64>(tangent, 16);
  const hit = column(PAIR_HIT) + (pair << 5);
  store<f64>(hit, max(0.0, dot3(nx, ny, nz, x, y, z)));
  store<f64>(hit, dot3(tx, ty, tz, x, y, z), 8);
  store<f64>(hit, dot3(ny * tz - nz * ty, nz * tx - nx * tz, nx * ty - ny * tx, x, y, z), 16);
}

/** Targets at the end of the step: gaps as they are then, no recovery, restitution. Returns whether a point bounces. */
function setKeptTargets(h: usize, m: usize): bool {
  const dt = parameter(TIME_STEP);
  const pair = <usize>load<i32>(m, S.PAIR);
  const restitution = load<f64>(column(PAIR_MATERIAL) + (pair << 5), 8);
  const velocity = load<usize>(h, S.VELOCITY);
  const a = velocity + <usize>load<i32>(m, S.BODY_A) * S.VELOCITY_BYTES;
  const b = velocity + <usize>load<i32>(m, S.BODY_B) * S.VELOCITY_BYTES;
  const count = load<i32>(m, S.COUNT);
  let bounces = false;
  for (let k = 0; k < count; k++) {
    const lane = m + ((<usize>k) << 3);
    const gap = load<f64>(column(PAIR_POINT) + (pair << 7) + ((<usize>k) << 5), 24);
    const left = gap + dt * normalSpeed(m, lane, a, a + 24, b, b + 24);
    let target = max(left, 0) / dt;
    if (restitution > 0 && load<f64>(column(PAIR_IMPULSE) + (pair << 7) + ((<usize>k) << 5)) > 0) {
      const speed = reboundSpeed(h, m, lane, gap, restitution);
      if (speed > 0) {
        target = -speed;
        bounces = true;
      }
    }
    store<f64>(lane, target, S.TARGET);
  }
  return bounces;
}

/** Normal speed of B over A for two velocities, each a linear and an angular part [m/s]. */
export function normalSpeed(
  m: usize,
  lane: usize,
  linearA: usize,
  angularA: usize,
  linearB: usize,
  angularB: usize,
): f64 {
  let speed: f64 = 0;
  for (let side = 0; side < 2; side++) {
    const arm = side ? lane + S.ARM_B : lane + S.ARM_A;
    const v = side ? linearB : linearA;
    const w = side ? angularB : angularA;
    const x = load<f64>(arm);
    const y = load<f64>(arm, 32);
    const z = load<f64>(arm, 64);
    const ux = load<f64>(v) + load<f64>(w, 8) * z - load<f64>(w, 16) * y;
    const uy = load<f64>(v, 8) + load<f64>(w, 16) * x - load<f64>(w) * z;
    const uz = load<f64>(v, 16) + load<f64>(w) * y - load<f64>(w, 8) * x;
    const along = load<f64>(m, S.NORMAL) * ux + load<f64>(m, S.NORMAL + 8) * uy + load<f64>(m, S.NORMAL + 16) * uz;
    speed += side ? along : -along;
  }
  return speed;
}

/** Speed after an impact [m/s], 0 when the approach was too slow (dynamics/solve-contacts.ts has the reasoning). */
function reboundSpeed(h: usize, m: usize, lane: usize, gap: f64, e: f64): f64 {
  const info = load<usize>(h, S.INFO);
  const a = <usize>load<i32>(info + <usize>load<i32>(m, S.BODY_A) * S.INFO_BYTES, S.SLOT);
  const b = <usize>load<i32>(info + <usize>load<i32>(m, S.BODY_B) * S.INFO_BYTES, S.SLOT);
  const changes = column(BODY_VELOCITY_CHANGE);
  const change = normalSpeed(
    m,
    lane,
    changes + (a << 6),
    changes + (a << 6) + 32,
    changes + (b << 6),
    changes + (b << 6) + 32,
  );
  const linear = column(BODY_LINEAR_VELOCITY);
  const angular = column(BODY_ANGULAR_VELOCITY);
  const free = normalSpeed(m, lane, linear + (a << 5), angular + (a << 5), linear + (b << 5), angular + (b << 5));
  const before = free - change;
  if (before >= -parameter(RESTITUTION_THRESHOLD)) return 0;
  const fall = min(change, 0);
  const twice = before * before + fall * before - (2 * fall * max(gap, 0)) / parameter(TIME_STEP);
  const c = -fall / 2;
  return c + sqrt(c * c + e * e * twice);
}

/** Writes the velocities that the bodies keep, and the hits: impulses of those velocities. */
export function keepSettled(h: usize): void {
  const end = load<usize>(h, S.MANIFOLDS_END);
  for (let m = load<usize>(h, S.MANIFOLDS); m < end; m += S.MANIFOLD_BYTES) storeHit(m);
  const n = load<i32>(h, S.BODIES);
  let v = load<usize>(h, S.VELOCITY);
  let info = load<usize>(h, S.INFO);
  for (let i = 0; i < n; i++, v += S.VELOCITY_BYTES, info += S.INFO_BYTES) {
    const at = (<usize>load<i32>(info, S.SLOT)) << 5;
    for (let k: usize = 0; k < 24; k += 8) {
      store<f64>(column(BODY_LINEAR_VELOCITY) + at + k, load<f64>(v + k));
      store<f64>(column(BODY_ANGULAR_VELOCITY) + at + k, load<f64>(v + k, 24));
    }
  }
}

/** Residual that the last solve reached [m/s]. */
export function settledResidual(h: usize): f64 {
  return load<f64>(h, S.RESIDUAL);
}

/**
 * Whether the answer throws a body about: a wedge has none, or one of enormous speeds. Sweeps share what cannot be had.
 * `cap`: what driven bodies can give [m/s].
 */
export function isWildSettled(h: usize, cap: f64): bool {
  const n = load<i32>(h, S.BODIES);
  const records = load<i32>(h, S.RECORDS);
  const linear = column(BODY_LINEAR_VELOCITY);
  let before: f64 = 0;
  let after: f64 = 0;
  let v = load<usize>(h, S.VELOCITY);
  let info = load<usize>(h, S.INFO);
  for (let i = 0; i < records; i++, v += S.VELOCITY_BYTES, info += S.INFO_BYTES) {
    // Record n stands for all that is static, and need not be filled.
    if (i != n) before = max(before, squareAt(linear + ((<usize>load<i32>(info, S.SLOT)) << 5)));
    if (i < n) after = max(after, squareAt(v));
  }
  const limit = min(WILD_GAIN * sqrt(before) + WILD_SPEED, cap);
  return !(after <= limit * limit);
}

function squareAt(v: usize): f64 {
  return dot3(load<f64>(v), load<f64>(v, 8), load<f64>(v, 16), load<f64>(v), load<f64>(v, 8), load<f64>(v, 16));
}

/** Largest free velocity of the island in the scratch [m/s]. */
export function settledScale(h: usize): f64 {
  return load<f64>(h, S.SCALE);
}

/** Hash of the contacts of the island in the scratch: pairs and features. */
export function settledContacts(h: usize): i32 {
  return load<i32>(h, S.CONTACT_KEY);
}
