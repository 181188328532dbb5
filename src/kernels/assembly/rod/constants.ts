// What the implicit step needs of the rods of two strands, as f64 of both side by side.
//
// In: ROD_PARAMETER, ROD_EXTRA, wind, gravity, the time step. Out: the values below, good until the next pair.

import { GRAVITY, ROD_EXTRA, ROD_PARAMETER, STRAND_ROD, WIND } from '../../../state/layout';
import { column, getI32 } from '../memory';
import * as N from './lanes';

const values = memory.data(11 * 16);
export const STRETCH: usize = 0;
export const BEND: usize = 16;
export const TWIST: usize = 32;
export const STIFFNESS: usize = 48; // dt² + dt·damping: scale of K in A
const REACTION: usize = 64; // scale of K base in b
export const DRAG: usize = 80; // dt·c
export const PULL: usize = 96; // dt·g, three values
export const SHARE: usize = 144; // REACTION/STIFFNESS
export const VISCOUS: usize = 160; // damping/dt

export function constant(k: usize): v128 {
  return v128.load(values + k);
}

/**
 * Takes the rods of two strands. `guessed`: the step is linearised at a guess, whose
 * velocities hold dt² K base already.
 */
export function setConstants(strandA: i32, strandB: i32, dt: f64, guessed: bool): void {
  const p = column(ROD_PARAMETER) + ((<usize>getI32(column(STRAND_ROD), strandA)) << 6);
  const q = column(ROD_PARAMETER) + ((<usize>getI32(column(STRAND_ROD), strandB)) << 6);
  const x = column(ROD_EXTRA) + ((<usize>getI32(column(STRAND_ROD), strandA)) << 5);
  const y = column(ROD_EXTRA) + ((<usize>getI32(column(STRAND_ROD), strandB)) << 5);
  const radius = N.gather(p, q);
  const area = N.mul(f64x2.splat(Math.PI), N.mul(radius, radius));
  const moment = N.mul(f64x2.splat(0.25), N.mul(area, N.mul(radius, radius)));
  v128.store(values, N.mul(N.gather(p + 32, q + 32), area), STRETCH);
  v128.store(values, N.mul(N.gather(p + 16, q + 16), moment), BEND);
  v128.store(values, N.mul(f64x2.splat(2), N.mul(N.gather(p + 24, q + 24), moment)), TWIST);
  const damped = N.mul(f64x2.splat(dt), N.gather(p + 40, q + 40));
  const square = f64x2.splat(dt * dt);
  v128.store(values, N.add(square, damped), STIFFNESS);
  v128.store(values, guessed ? damped : N.add(square, damped), REACTION);
  v128.store(values, f64x2.div(constant(REACTION), constant(STIFFNESS)), SHARE);
  v128.store(values, N.mul(damped, f64x2.splat(1 / (dt * dt))), VISCOUS);
  const drag = N.mul(f64x2.splat(dt), N.gather(x + 8, y + 8));
  v128.store(values, drag, DRAG);
  const weight = N.mul(f64x2.splat(dt), N.gather(x, y));
  for (let k: usize = 0; k < 3; k++) {
    const air = N.mul(drag, f64x2.splat(load<f64>(<usize>WIND + (k << 3))));
    v128.store(values + (k << 4), N.addMul(air, weight, f64x2.splat(load<f64>(<usize>GRAVITY + (k << 3)))), PULL);
  }
}
