// Numbers that others nearly tell, as what they differ by: the colliders' poses are those of their bodies at the start
// of the step, and from there a body moves by its velocity, as integrate-motion has it; inner nodes of the tree hold
// their children; unit vectors have one number too many, a tangent is across its normal, and the impulse of a touch is
// the sum of its points'. Bits xor bits of the guess: any guess gives back every bit, however bad it is.
//
// In and out: COLLIDER_POSITION, COLLIDER_ROTATION, COLLIDER_BOX, BODY_POSITION, BODY_ROTATION, BODY_PREVIOUS_ROTATION
// of dynamic bodies that are awake; TREE_BOX of inner nodes; PAIR_NORMAL, PAIR_TANGENT, PAIR_HIT of
// manifolds with points.

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
  COLLIDER_BOX,
  COLLIDER_NEXT,
  COLLIDER_POSITION,
  COLLIDER_ROTATION,
  PAIR_COUNT,
  PAIR_HIT,
  PAIR_IMPULSE,
  PAIR_NORMAL,
  PAIR_POINTS,
  PAIR_TANGENT,
  TIME_STEP,
  TREE_BOX,
  TREE_CHILD,
  TREE_ROOT,
} from '../../../state/layout';
import { BOX_BYTES, boundCollider, boxRow, placeAt, row4 } from '../math/boxes';
import { expRotation, turnRotation } from '../math/rotation';
import { cell, column, copy32, getI32, parameter } from '../memory';

const POSITION: usize = memory.data(32, 16);
const ROTATION: usize = memory.data(32, 16);
const SUM: usize = memory.data(24, 16);
const BOX: usize = memory.data(48, 16);

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
    if (isBack) guessLength(row4(BODY_PREVIOUS_ROTATION, body), true);
    guessEnd(body);
    if (!isBack) guessBoxes(body);
    guessColliders(body);
    if (isBack) guessBoxes(body);
    if (!isBack) guessLength(row4(BODY_PREVIOUS_ROTATION, body), false);
  }
}

/** Boxes hold the shapes where the step began, and their way by the velocities: those of before it in free flight. */
function guessBoxes(body: i32): void {
  for (let collider = getI32(column(BODY_COLLIDER), body); collider >= 0; ) {
    boundCollider(collider, body, row4(BODY_PREVIOUS_POSITION, body), BOX);
    differ(boxRow(COLLIDER_BOX, collider), BOX, BOX_BYTES);
    collider = getI32(column(COLLIDER_NEXT), collider);
  }
}

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
    guessHit(pair, count);
  }
}

function guessNormal(n: usize, isBack: bool): void {
  const x = load<f64>(n);
  const z = load<f64>(n, 16);
  differUnsigned(n + 8, Math.sqrt(max(0, 1 - x * x - z * z)), isBack);
}

/** Its y, where the normal is steep enough to tell it. */
function guessTangent(t: usize, n: usize): void {
  const y = load<f64>(n, 8);
  if (Math.abs(y) > STEEP) differBy(t + 8, -(load<f64>(n) * load<f64>(t) + load<f64>(n, 16) * load<f64>(t, 16)) / y);
}

/** Least y of a normal for that. */
const STEEP: f64 = 0.1;

function guessHit(pair: i32, count: i32): void {
  const impulse = column(PAIR_IMPULSE) + ((<usize>pair) << 7);
  for (let x: usize = 0; x < 24; x += 8) {
    let sum: f64 = 0;
    for (let k: usize = 0; k < <usize>count; k++) sum += load<f64>(impulse + (k << 5) + x);
    store<f64>(SUM + x, sum);
  }
  differ(row4(PAIR_HIT, pair), SUM, 24);
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
  const w = row4(BODY_ANGULAR_VELOCITY, body);
  for (let k: usize = 0; k < 24; k += 8) store<f64>(POSITION + k, load<f64>(p + k) + dt * load<f64>(v + k));
  copy32(ROTATION, row4(BODY_PREVIOUS_ROTATION, body));
  expRotation(dt * load<f64>(w), dt * load<f64>(w, 8), dt * load<f64>(w, 16));
  turnRotation(ROTATION, 0);
  differ(row4(BODY_POSITION, body), POSITION, 24);
  differ(row4(BODY_ROTATION, body), ROTATION, 32);
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
