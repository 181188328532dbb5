// Numbers that others nearly tell, as what they differ by: the colliders' poses are those of their bodies at the start
// of the step, and from there a body moves by its velocity, as integrate-motion has it, which turns back what it
// turned (motion/free-spin.ts: the rule is the same in both directions); inner nodes of the tree hold their children;
// unit vectors have one number too many, a tangent is across its normal, and the impulse of a touch is the sum of its
// points'. Bits xor bits of the guess: any guess gives back every bit, however bad it is.
//
// In and out: COLLIDER_POSITION, COLLIDER_ROTATION, BODY_POSITION, BODY_ROTATION,
// BODY_PREVIOUS_ROTATION of dynamic bodies that are awake; TREE_BOX of inner nodes; PAIR_NORMAL, PAIR_TANGENT,
// PAIR_POINT, PAIR_HIT, PAIR_LOAD of manifolds with points.

import {
  AWAKE_COUNT,
  AWAKE_LIST,
  BODY_ANGULAR_VELOCITY,
  BODY_COLLIDER,
  BODY_DYNAMIC,
  BODY_FLAGS,
  BODY_LINEAR_VELOCITY,
  BODY_LOCAL_INERTIA,
  BODY_LOCAL_INVERSE_INERTIA,
  BODY_LOCKS,
  BODY_POSITION,
  BODY_PREVIOUS_POSITION,
  BODY_PREVIOUS_ROTATION,
  BODY_ROTATION,
  COLLIDER_NEXT,
  COLLIDER_POSITION,
  COLLIDER_ROTATION,
  PAIR_COUNT,
  PAIR_HIT,
  PAIR_IMPULSE,
  PAIR_LOAD,
  PAIR_NORMAL,
  PAIR_POINT,
  PAIR_POINTS,
  PAIR_TANGENT,
  TIME_STEP,
  TREE_BOX,
  TREE_CHILD,
  TREE_ROOT,
} from '../../../state/layout';
import { boxRow, placeAt, row4 } from '../math/boxes';
import * as R from '../math/rotation';
import { cell, column, copy32, getI32, parameter } from '../memory';
import * as Spin from '../motion/free-spin';
import { NORMAL_STEPS } from './round';

const POSITION: usize = memory.data(32, 16);
const ROTATION: usize = memory.data(32, 16);

/** Numbers become what they differ by from the guesses; `isBack`: they become themselves again. */
export function guessNumbers(isBack: bool): void {
  guessPoses(isBack);
  guessNode(cell(TREE_ROOT), isBack);
  guessManifolds(isBack);
}

function guessPoses(isBack: bool): void {
  const list = column(AWAKE_LIST);
  const flags = column(BODY_FLAGS);
  for (let i = cell(AWAKE_COUNT) - 1; i >= 0; i--) {
    const body = getI32(list, i);
    if ((getI32(flags, body) & BODY_DYNAMIC) == 0) continue;
    // What a guess is made of is itself meanwhile.
    if (isBack) {
      guessLength(row4(BODY_ROTATION, body), true);
      guessStart(body);
      guessColliders(body);
    } else {
      guessColliders(body);
      guessStart(body);
      guessLength(row4(BODY_ROTATION, body), false);
    }
    guessEnd(body);
  }
}

/** Whether the spin of the body changes as it turns: so much that it counts here. */
function turnsFreely(body: i32): bool {
  const w = row4(BODY_ANGULAR_VELOCITY, body);
  const square = load<f64>(w) * load<f64>(w) + load<f64>(w, 8) * load<f64>(w, 8) + load<f64>(w, 16) * load<f64>(w, 16);
  if (!(square * parameter(TIME_STEP) * parameter(TIME_STEP) > SMALL_TURN * SMALL_TURN)) return false;
  const isLocked = (getI32(column(BODY_FLAGS), body) & BODY_LOCKS) != 0;
  return !isLocked && Spin.isAnisotropic(column(BODY_LOCAL_INERTIA) + ((<usize>body) << 6));
}

/** Turn of a step below which the spin at its end tells enough [rad]. */
const SMALL_TURN: f64 = 1e-3;

/** The w of a unit quaternion follows from the others, but for its sign. */
function guessLength(q: usize, isBack: bool): void {
  const x = load<f64>(q);
  const y = load<f64>(q, 8);
  const z = load<f64>(q, 16);
  differUnsigned(q + 24, Math.sqrt(max(0, 1 - x * x - y * y - z * z)), isBack);
}

/** Boxes of inner nodes are the union of their children's. */
function guessNode(node: i32, isBack: bool): void {
  if (node < 0) return;
  const children = column(TREE_CHILD);
  const first = getI32(children, 2 * node);
  if (first < 0) return;
  const second = getI32(children, 2 * node + 1);
  if (isBack) guessChildren(first, second, true);
  const box = boxRow(TREE_BOX, node);
  const a = boxRow(TREE_BOX, first);
  const b = boxRow(TREE_BOX, second);
  for (let k: usize = 0; k < 24; k += 8) {
    differBy(box + k, min(load<f64>(a + k), load<f64>(b + k)));
    differBy(box + k + 24, max(load<f64>(a + k, 24), load<f64>(b + k, 24)));
  }
  if (!isBack) guessChildren(first, second, false);
}

function guessChildren(first: i32, second: i32, isBack: bool): void {
  guessNode(first, isBack);
  guessNode(second, isBack);
}

function guessManifolds(isBack: bool): void {
  const points = column(PAIR_POINTS);
  for (let pair = cell(PAIR_COUNT) - 1; pair >= 0; pair--) {
    const count = getI32(points, pair);
    if (count <= 0) continue;
    const normal = row4(PAIR_NORMAL, pair);
    if (isBack) guessNormal(normal, true);
    guessTangent(row4(PAIR_TANGENT, pair), normal);
    if (!isBack) guessNormal(normal, false);
    guessTouch(pair, count, isBack);
    const point = column(PAIR_POINT) + ((<usize>pair) << 7);
    for (let k: usize = 0; k < (<usize>count) << 5; k += 8) turn(point + k, POINT_TURN, isBack);
  }
}

function guessNormal(n: usize, isBack: bool): void {
  if (isBack) for (let k: usize = 0; k < 24; k += 8) turn(n + k, NORMAL_TURN, true);
  const x = load<f64>(n);
  const z = load<f64>(n, 16);
  const y = Math.sqrt(max(0, 1 - x * x - z * z));
  differUnsigned(n + 8, nearest(y * NORMAL_STEPS) / NORMAL_STEPS, isBack);
  if (!isBack) for (let k: usize = 0; k < 24; k += 8) turn(n + k, NORMAL_TURN, false);
}

/**
 * Bits of numbers below 64 m, and of normals, that are 0 (round.ts), and of f32: turned, so that the high ones are,
 * which cost nothing.
 */
const POINT_TURN: u64 = 23;
const NORMAL_TURN: u64 = 18;
const SHORT_TURN: u64 = 29;

function turn(at: usize, bits: u64, isBack: bool): void {
  const now = load<u64>(at);
  store<u64>(at, isBack ? rotl<u64>(now, bits) : rotr<u64>(now, bits));
}

/** Its y, where the normal is steep enough to tell it. */
function guessTangent(t: usize, n: usize): void {
  const y = load<f64>(n, 8);
  if (Math.abs(y) > STEEP) differBy(t + 8, -(load<f64>(n) * load<f64>(t) + load<f64>(n, 16) * load<f64>(t, 16)) / y);
}

/** Least y of a normal for that. */
const STEEP: f64 = 0.1;

/** The impulses of its points together, about. */
function guessTouch(pair: i32, count: i32, isBack: bool): void {
  const impulse = column(PAIR_IMPULSE) + ((<usize>pair) << 7);
  const hit = row4(PAIR_HIT, pair);
  for (let x: usize = 0; x < 24; x += 8) {
    let sum: f64 = 0;
    for (let k: usize = 0; k < <usize>count; k++) sum += load<f64>(impulse + (k << 5) + x);
    differShort(hit + x, sum, isBack);
    if (x == 0) differShort(column(PAIR_LOAD) + ((<usize>pair) << 3), sum, isBack);
  }
}

/** Of what has the digits of f32. */
function differShort(at: usize, guess: f64, isBack: bool): void {
  const other = bitsOf(<f64>(<f32>guess));
  const bits = load<u64>(at);
  store<u64>(at, isBack ? rotl<u64>(bits, SHORT_TURN) ^ other : rotr<u64>(bits ^ other, SHORT_TURN));
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

/** Where the step ended: exact where nothing but the velocity moved the body. */
function guessEnd(body: i32): void {
  const dt = parameter(TIME_STEP);
  const p = row4(BODY_PREVIOUS_POSITION, body);
  const v = row4(BODY_LINEAR_VELOCITY, body);
  for (let k: usize = 0; k < 24; k += 8) store<f64>(POSITION + k, load<f64>(p + k) + dt * load<f64>(v + k));
  differ(row4(BODY_POSITION, body), POSITION, 24);
}

/** How the body was turned when the step began: but for rounding, where it turned freely. */
function guessStart(body: i32): void {
  const dt = parameter(TIME_STEP);
  const w = row4(BODY_ANGULAR_VELOCITY, body);
  const x = load<f64>(w);
  const y = load<f64>(w, 8);
  const z = load<f64>(w, 16);
  copy32(ROTATION, row4(BODY_ROTATION, body));
  if (turnsFreely(body)) {
    const local = column(BODY_LOCAL_INERTIA) + ((<usize>body) << 6);
    R.loadRotation(ROTATION, 0);
    const inverse = column(BODY_LOCAL_INVERSE_INERTIA) + ((<usize>body) << 6);
    const bx = R.r00 * x + R.r10 * y + R.r20 * z;
    const by = R.r01 * x + R.r11 * y + R.r21 * z;
    const bz = R.r02 * x + R.r12 * y + R.r22 * z;
    Spin.turnFreely(dt, local, inverse, -bx, -by, -bz);
    const tx = Spin.turnX;
    const ty = Spin.turnY;
    const tz = Spin.turnZ;
    R.expRotation(
      R.r00 * tx + R.r01 * ty + R.r02 * tz,
      R.r10 * tx + R.r11 * ty + R.r12 * tz,
      R.r20 * tx + R.r21 * ty + R.r22 * tz,
    );
  } else R.expRotation(-dt * x, -dt * y, -dt * z);
  R.turnRotation(ROTATION, 0);
  differ(row4(BODY_PREVIOUS_ROTATION, body), ROTATION, 32);
}

function differ(at: usize, guess: usize, bytes: usize): void {
  for (let k: usize = 0; k < bytes; k += 8) differBy(at + k, load<f64>(guess + k));
}

function differBy(at: usize, guess: f64): void {
  store<u64>(at, load<u64>(at) ^ bitsOf(guess));
}

/** The same where the guess does not know the sign, which becomes the lowest bit. */
function differUnsigned(at: usize, guess: f64, isBack: bool): void {
  const bits = load<u64>(at);
  store<u64>(at, isBack ? rotr<u64>(bits, 1) ^ bitsOf(guess) : rotl<u64>(bits ^ bitsOf(guess), 1));
}

/** What is not finite may have different bits on different machines: 0 is guessed then. */
function bitsOf(guess: f64): u64 {
  return guess - guess == 0 ? reinterpret<u64>(guess) : 0;
}
