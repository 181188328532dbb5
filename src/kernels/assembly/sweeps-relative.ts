// What all manifolds of the sweeps share: the relative motion of two bodies at their contact, and the speeds that a
// gap asks for.

import { ARM_A, ARM_B, MOVED, TURNED, V, W } from './sweeps-layout';
import { crossLanes, splat3 } from './vector';

// Parameters of a substep, set by setSubstep.
/** A gap up to `slack` or a penetration is closed or opened at this rate [1/s]. */
export let recovery: f32 = 0;
/** What a gap has beyond `slack` may be closed at this rate [1/s]. */
export let closing: f32 = 0;
/** Gap that counts as none [m]. */
export let slack: f32 = 0;
/** Most that recovery may part two bodies [m/s]. */
export let fastest: f32 = 0;

/**
 * Target speeds of a substep: a gap up to `slack` [m] or a penetration is recovered at `rate` [1/s], at most at
 * `speed` [m/s]; what a gap has beyond may be closed within `h` [s].
 */
export function setSubstep(h: f32, rate: f32, speed: f32, slackLength: f32): void {
  recovery = rate;
  closing = 1 / h;
  slack = slackLength;
  fastest = speed;
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
