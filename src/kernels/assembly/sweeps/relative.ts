// What all manifolds of the sweeps share: the relative motion of two bodies at their contact, and the speeds that a
// gap asks for.

import { addMul, crossLanes, splat3 } from '../math/vector';
import { ARM_A, ARM_B, MOVED, TURNED, V, W } from './layout';

// Parameters of a substep, set by setSubstep.
/** A gap up to `slack` or a penetration is closed or opened at this rate [1/s]. */
export let recovery: f32 = 0;
/** What a gap has beyond `slack` may be closed at this rate [1/s]. */
export let closing: f32 = 0;
/** Gap that counts as none [m]. */
export let slack: f32 = 0;
/** Substeps of the step. */
let perStep: f32 = 1;
/** Most that recovery may part two bodies [m/s]. */
export let fastest: f32 = 0;

/**
 * Target speeds of one of `count` substeps: a gap up to `slack` [m] or a penetration is recovered at `rate` [1/s], at
 * most at `speed` [m/s]; what a gap has beyond may be closed within `h` [s].
 */
export function setSubstep(h: f32, count: i32, rate: f32, speed: f32, slackLength: f32): void {
  perStep = <f32>count;
  recovery = rate;
  closing = 1 / h;
  slack = slackLength;
  fastest = speed;
}

/** What is apart at the end of a step may close this fast: the next one sees to it [m/s]. */
export const APART: f32 = 1e6;

/**
 * Speeds after impacts [m/s], 0 where the approach was too slow. `before` = normal velocities before the step, `change`
 * = what loads add to them in a substep, `gap` at the start of the step [m], `e` the restitution. Scales the invariant
 * of the stepping scheme by e², as the exact solver does (dynamics/solve-contacts.ts,
 * reboundSpeed, has the reasoning).
 */
export function reboundLanes(before: v128, change: v128, gap: v128, e: v128): v128 {
  const zero = f32x4.splat(0);
  const fall = f32x4.mul(f32x4.min(change, zero), f32x4.splat(perStep));
  const open = f32x4.mul(f32x4.max(gap, zero), f32x4.splat((2 * closing) / perStep));
  // A step in substeps falls less than one at once, by fall dt (1 − 1/n) / 2: at the
  // landing. (What departs flies freely.)
  const spared = f32x4.mul(f32x4.mul(fall, fall), f32x4.splat(1 - 1 / perStep));
  const twice = f32x4.sub(f32x4.sub(f32x4.mul(before, f32x4.add(before, fall)), f32x4.mul(fall, open)), spared);
  const c = f32x4.mul(fall, f32x4.splat(-0.5));
  const square = addMul(f32x4.mul(c, c), f32x4.mul(e, e), f32x4.max(twice, zero));
  return f32x4.max(f32x4.add(c, f32x4.sqrt(f32x4.max(square, zero))), zero);
}

/** Relative linear velocity at the manifold `m` of the bodies `a`, `b`, world. */
export function relativeLinear(m: usize, a: usize, b: usize): v128 {
  const atB = f32x4.add(v128.load(b, V), crossLanes(v128.load(b, W), v128.load(m, ARM_B)));
  const atA = f32x4.add(v128.load(a, V), crossLanes(v128.load(a, W), v128.load(m, ARM_A)));
  return f32x4.sub(atB, atA);
}

/** The normal in the axes of a body that turned by the quaternion at `body`, minus the normal: (Rᵀ − 1) n. */
export function turnBack(body: usize, n: v128): v128 {
  const q = v128.load(body, TURNED);
  const c = crossLanes(q, n);
  const twice = f32x4.splat(2);
  return f32x4.mul(twice, f32x4.sub(crossLanes(q, c), f32x4.mul(splat3(q), c)));
}

/** Displacement of B against A since the step began, world. */
export function relativeMoved(a: usize, b: usize): v128 {
  return f32x4.sub(v128.load(b, MOVED), v128.load(a, MOVED));
}
