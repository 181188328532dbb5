// Poses that others nearly tell, as what they differ by: the colliders' poses are those of their bodies at the start of
// the step, and that start lies back along the velocity. Bits xor bits of the guess: any guess gives back every bit.
//
// In and out: COLLIDER_POSITION, COLLIDER_ROTATION, BODY_PREVIOUS_POSITION, BODY_PREVIOUS_ROTATION of dynamic bodies
// that are awake.

import {
  AWAKE_COUNT,
  AWAKE_LIST,
  BODY_ANGULAR_VELOCITY,
  BODY_COLLIDER,
  BODY_DYNAMIC,
  BODY_FLAGS,
  BODY_LINEAR_VELOCITY,
  BODY_POSITION,
  BODY_PREVIOUS_POSITION,
  BODY_PREVIOUS_ROTATION,
  BODY_ROTATION,
  COLLIDER_NEXT,
  COLLIDER_POSITION,
  COLLIDER_ROTATION,
  TIME_STEP,
} from '../../../state/layout';
import { placeAt, row4 } from '../math/boxes';
import { expRotation, turnRotation } from '../math/rotation';
import { cell, column, copy32, getI32, parameter } from '../memory';

const POSITION: usize = memory.data(32, 16);
const ROTATION: usize = memory.data(32, 16);

/** Poses become what they differ by from the guesses; `isBack`: they become poses again. */
export function guessPoses(isBack: bool): void {
  const list = column(AWAKE_LIST);
  const flags = column(BODY_FLAGS);
  for (let i = cell(AWAKE_COUNT) - 1; i >= 0; i--) {
    const body = getI32(list, i);
    if ((getI32(flags, body) & BODY_DYNAMIC) == 0) continue;
    if (isBack) guessStart(body);
    guessColliders(body);
    if (!isBack) guessStart(body);
  }
}

function guessColliders(body: i32): void {
  const p = row4(BODY_PREVIOUS_POSITION, body);
  const q = row4(BODY_PREVIOUS_ROTATION, body);
  for (let collider = getI32(column(BODY_COLLIDER), body); collider >= 0; ) {
    placeAt(collider, p, q, POSITION, ROTATION);
    differ(row4(COLLIDER_POSITION, collider), POSITION, 24);
    differ(row4(COLLIDER_ROTATION, collider), ROTATION, 32);
    collider = getI32(column(COLLIDER_NEXT), collider);
  }
}

function guessStart(body: i32): void {
  const dt = parameter(TIME_STEP);
  const p = row4(BODY_POSITION, body);
  const v = row4(BODY_LINEAR_VELOCITY, body);
  const w = row4(BODY_ANGULAR_VELOCITY, body);
  for (let k: usize = 0; k < 24; k += 8) store<f64>(POSITION + k, load<f64>(p + k) - dt * load<f64>(v + k));
  copy32(ROTATION, row4(BODY_ROTATION, body));
  expRotation(-dt * load<f64>(w), -dt * load<f64>(w, 8), -dt * load<f64>(w, 16));
  turnRotation(ROTATION, 0);
  differ(row4(BODY_PREVIOUS_POSITION, body), POSITION, 24);
  differ(row4(BODY_PREVIOUS_ROTATION, body), ROTATION, 32);
}

/** What is not finite may have different bits on different machines: 0 is guessed then. */
function differ(at: usize, guess: usize, bytes: usize): void {
  for (let k: usize = 0; k < bytes; k += 8) {
    const g = load<f64>(guess + k);
    store<u64>(at + k, load<u64>(at + k) ^ (g - g == 0 ? reinterpret<u64>(g) : 0));
  }
}
