// Shape of one edge of two strands: tangent, length, what its rest curvature leans on. f64, two strands at a time.
//
// The matrix of a round rod does not depend on its material directors (see rod/assemble.ts); the forces do, where the
// rest shape is curved or twisted: by the rest binormal that an edge's directors carry along.

import { COLLAPSED_EDGE } from '../../../core/elastic-constants';
import {
  NODE_FRAME,
  NODE_POSITION,
  NODE_PREVIOUS,
  NODE_REST,
  NODE_STIFFNESS,
  NODE_STRAND,
  STRAND_FLAGS,
  STRAND_VARIES,
} from '../../../state/layout';
import { column, getI32 } from '../memory';
import * as N from './lanes';
import { carryDirector, normalDirection, turnBetween } from './turns';

// What the two lanes are: set by openPair, read within one exported call.
let position: usize = 0;
let previous: usize = 0;
let frames: usize = 0;
let rests: usize = 0;
let stiffnesses: usize = 0;
let guesses: usize = 0;
let firstA: i32 = 0;
let firstB: i32 = 0;
let countA: i32 = 0;
let countB: i32 = 0;
let step: f64 = 0;
/** Whether edges have directors, and material frames: forces of rods that are curved at rest ask for these. */
let framed: bool = false;
let curved: bool = false;
/** Whether the stiffness of one of the strands differs along it. */
let varied: bool = false;
// Byte offsets, in columns of 32 bytes a row, of the node in focus, its neighbours and its edge.
let backA: usize = 0;
let backB: usize = 0;
let hereA: usize = 0;
let hereB: usize = 0;
let nextA: usize = 0;
let nextB: usize = 0;
let edgeA: usize = 0;
let edgeB: usize = 0;

/** An edge: tangent (48), length (16), m1 (48), m2 (48), reference director d1 (48). */
export const EDGE_TANGENT: usize = 0;
export const EDGE_LENGTH: usize = 48;
export const EDGE_M1: usize = 64;
export const EDGE_M2: usize = 112;
const EDGE_D1: usize = 160;
export const EDGE_BYTES: usize = 208;

const trig = memory.data(32);
const lane = memory.data(160);
const DIRECTOR: usize = 0;
const NOW: usize = 24;
const THEN: usize = 48;
const OUT: usize = 72;
/** Rest curvatures up to here are rounding [-]. */
const STRAIGHT: f64 = 1e-12;

/**
 * Chooses two strands by first node and count; `guess`: f64×4 a node [m/s] or 0, the shape is then that at q +
 * dt·guess. Without `forces` edges are measured for the matrix only.
 */
export function openPair(a: i32, nA: i32, b: i32, nB: i32, guess: usize, dt: f64, forces: bool): void {
  position = column(NODE_POSITION);
  previous = column(NODE_PREVIOUS);
  frames = column(NODE_FRAME);
  rests = column(NODE_REST);
  stiffnesses = column(NODE_STIFFNESS);
  guesses = guess;
  firstA = a;
  firstB = b;
  countA = nA;
  countB = nB;
  step = dt;
  framed = forces;
  curved = forces && (isCurved(a, nA) || isCurved(b, nB));
  varied = varies(a) || varies(b);
}

function varies(first: i32): bool {
  return (getI32(column(STRAND_FLAGS), getI32(column(NODE_STRAND), first)) & STRAND_VARIES) != 0;
}

/** Whether a node of a strand has a rest curvature worth the name [-]. */
function isCurved(first: i32, count: i32): bool {
  const from = rests + ((<usize>first) << 6);
  const end = from + ((<usize>count) << 6);
  let most = f64x2.splat(0);
  for (let row = from; row < end; row += 64) {
    most = f64x2.pmax(f64x2.pmax(f64x2.abs(v128.load(row, 16)), f64x2.abs(v128.load(row, 32))), most);
  }
  return v128.any_true(f64x2.gt(most, f64x2.splat(STRAIGHT)));
}

/** Whether the forces of the two strands need the material frames of their edges. */
export function hasFrames(): bool {
  return curved;
}

/** Whether the functions below that give shares of stiffness have to be asked: else all are 1. */
export function isVaried(): bool {
  return varied;
}

/** Stretch stiffness of the edge, of its rod's [1]. */
export function stretchShare(): v128 {
  return N.gather(stiffnesses + edgeA, stiffnesses + edgeB);
}

/** Bending stiffness of the node, of its rod's [1]. */
export function bendShare(): v128 {
  return here(stiffnesses, 8);
}

/** Twist stiffness of the node, of its rod's [1]. */
export function twistShare(): v128 {
  return here(stiffnesses, 16);
}

/** Chooses the node (and its edge) that the functions below speak of; lanes that have ended stay at their last. */
export function focus(i: i32): void {
  const a = min(i, countA - 1);
  const b = min(i, countB - 1);
  backA = (<usize>(firstA + max(a - 1, 0))) << 5;
  backB = (<usize>(firstB + max(b - 1, 0))) << 5;
  hereA = (<usize>(firstA + a)) << 5;
  hereB = (<usize>(firstB + b)) << 5;
  nextA = (<usize>(firstA + min(a + 1, countA - 1))) << 5;
  nextB = (<usize>(firstB + min(b + 1, countB - 1))) << 5;
  edgeA = (<usize>(firstA + min(a, countA - 2))) << 5;
  edgeB = (<usize>(firstB + min(b, countB - 2))) << 5;
}

/** Value at byte `k` of the node's row in a column of f64×4. */
export function here(base: usize, k: usize): v128 {
  return N.gather(base + hereA + k, base + hereB + k);
}

/** Likewise of the node before, of the node after. */
export function back(base: usize, k: usize): v128 {
  return N.gather(base + backA + k, base + backB + k);
}

export function next(base: usize, k: usize): v128 {
  return N.gather(base + nextA + k, base + nextB + k);
}

/** Value at byte `k` of the node's NODE_REST. */
export function restOfNode(k: usize): v128 {
  return N.gather(rests + 2 * hereA + k, rests + 2 * hereB + k);
}

/** Rest length of the edge. */
export function restLength(): v128 {
  return N.gather(rests + 2 * edgeA, rests + 2 * edgeB);
}

/** Value at byte `k` of the node's NODE_MASS. */
export function massOfNode(column: usize, k: usize): v128 {
  return N.gather(column + (hereA >> 1) + k, column + (hereB >> 1) + k);
}

/** 1 in the lanes for which `i` < count − `less`, else 0. */
export function present(i: i32, less: i32): v128 {
  const a: f64 = i < countA - less ? 1 : 0;
  const b: f64 = i < countB - less ? 1 : 0;
  return f64x2.replace_lane(f64x2.splat(a), 1, b);
}

/** Fills an edge record for the edge in focus. */
export function measureEdge(out: usize): void {
  const x = N.sub(placeAfter(0), place(0));
  const y = N.sub(placeAfter(8), place(8));
  const z = N.sub(placeAfter(16), place(16));
  const length = f64x2.sqrt(N.addMul(N.addMul(N.mul(x, x), y, y), z, z));
  v128.store(out, length, EDGE_LENGTH);
  const inverse = N.invert(length);
  N.setVector(out + EDGE_TANGENT, N.mul(x, inverse), N.mul(y, inverse), N.mul(z, inverse));
  const short = f64x2.le(length, N.mul(f64x2.splat(COLLAPSED_EDGE), restLength()));
  if (v128.any_true(short)) {
    collapse(out, 0, edgeA);
    collapse(out, 8, edgeB);
  }
  if (!framed) return;
  if (guesses == 0) {
    if (!curved) return;
    const f = frames;
    N.setVector(
      out + EDGE_D1,
      N.gather(f + edgeA, f + edgeB),
      N.gather(f + edgeA + 8, f + edgeB + 8),
      N.gather(f + edgeA + 16, f + edgeB + 16),
    );
  } else {
    guessDirector(out, 0, edgeA);
    guessDirector(out, 8, edgeB);
  }
  if (curved) materialFrame(out, place(24));
}

/** Value at byte `k` of the shape's first node of the edge in focus, and of its second. */
function place(k: usize): v128 {
  const x = N.gather(position + edgeA + k, position + edgeB + k);
  return guesses == 0 ? x : N.addMul(x, f64x2.splat(step), N.gather(guesses + edgeA + k, guesses + edgeB + k));
}

function placeAfter(k: usize): v128 {
  return place(k + 32);
}

/**
 * Length at which the edge in focus would have the tension, viscous part included, that its last linearisation gave
 * it [m]: along the direction that it had there (before the last step; with a guess: at the start of this one).
 */
export function seenLength(viscous: v128): v128 {
  const last = guesses == 0 ? previous : position;
  const x = N.sub(endOf(last, 0), startOf(last, 0));
  const y = N.sub(endOf(last, 8), startOf(last, 8));
  const z = N.sub(endOf(last, 16), startOf(last, 16));
  const length = f64x2.sqrt(N.addMul(N.addMul(N.mul(x, x), y, y), z, z));
  let along = N.mul(x, N.sub(placeAfter(0), place(0)));
  along = N.addMul(along, y, N.sub(placeAfter(8), place(8)));
  along = N.addMul(along, z, N.sub(placeAfter(16), place(16)));
  along = N.mul(along, N.invert(length));
  return N.addMul(along, viscous, N.sub(along, length));
}

function startOf(column: usize, k: usize): v128 {
  return N.gather(column + edgeA + k, column + edgeB + k);
}

function endOf(column: usize, k: usize): v128 {
  return startOf(column, k + 32);
}

/** An edge without length gets a tangent normal to its director, in one lane (`at`: 0 or 8). */
function collapse(out: usize, at: usize, row: usize): void {
  if (load<f64>(out + at, EDGE_LENGTH) > COLLAPSED_EDGE * load<f64>(rests + 2 * row)) return;
  normalDirection(lane + THEN, frames + row);
  for (let k: usize = 0; k < 3; k++) store<f64>(out + at + (k << 4), load<f64>(lane + THEN + (k << 3)), EDGE_TANGENT);
}

/** Reference director of one lane, carried from the edge as it is to the edge as guessed. */
function guessDirector(out: usize, at: usize, row: usize): void {
  for (let k: usize = 0; k < 3; k++) {
    store<f64>(lane + THEN + (k << 3), load<f64>(out + at + (k << 4), EDGE_TANGENT));
    store<f64>(lane + DIRECTOR + (k << 3), load<f64>(frames + row + (k << 3)));
  }
  edgeDirection(lane + NOW, position + row, frames + row, load<f64>(rests + 2 * row));
  carryDirector(lane + OUT, lane + DIRECTOR, lane + NOW, lane + THEN);
  for (let k: usize = 0; k < 3; k++) store<f64>(out + at + (k << 4), load<f64>(lane + OUT + (k << 3)), EDGE_D1);
}

/** Unit tangent from the node at `from` to the next row; without length, a direction normal to the director. */
export function edgeDirection(out: usize, from: usize, director: usize, rest: f64): void {
  const x = load<f64>(from, 32) - load<f64>(from);
  const y = load<f64>(from, 40) - load<f64>(from, 8);
  const z = load<f64>(from, 48) - load<f64>(from, 16);
  const length = Math.sqrt(x * x + y * y + z * z);
  if (length > COLLAPSED_EDGE * rest) {
    const inverse = 1 / length;
    store<f64>(out, x * inverse);
    store<f64>(out, y * inverse, 8);
    store<f64>(out, z * inverse, 16);
  } else normalDirection(out, director);
}

/** m1, m2 = (d1, t × d1) turned by θ about the tangent. */
function materialFrame(out: usize, theta: v128): void {
  N.sineCosine(trig, theta);
  const s = v128.load(trig);
  const c = v128.load(trig, 16);
  N.cross(out + EDGE_M2, out + EDGE_TANGENT, out + EDGE_D1);
  // m2 holds d2 until m1 is made of it.
  N.scale(out + EDGE_M1, c, out + EDGE_D1);
  N.addScaled(out + EDGE_M1, out + EDGE_M1, s, out + EDGE_M2);
  N.scale(out + EDGE_M2, c, out + EDGE_M2);
  N.addScaled(out + EDGE_M2, out + EDGE_M2, f64x2.neg(s), out + EDGE_D1);
}

/** Twist at the node in focus between the edges at e0 and e1: θ_i − θ_{i−1} + reference twist [rad]. */
export function nodeTwist(e0: usize, e1: usize): v128 {
  let theta = N.sub(here(position, 24), back(position, 24));
  let reference = here(frames, 24);
  if (guesses != 0) {
    theta = N.addMul(theta, f64x2.splat(step), N.sub(here(guesses, 24), back(guesses, 24)));
    const a = laneTwist(0, e0, e1, f64x2.extract_lane(reference, 0));
    const b = laneTwist(8, e0, e1, f64x2.extract_lane(reference, 1));
    reference = f64x2.replace_lane(f64x2.splat(a), 1, b);
  }
  return N.add(theta, reference);
}

/** Reference twist of one lane between two edges, the turn nearest to `last`. */
function laneTwist(at: usize, e0: usize, e1: usize, last: f64): f64 {
  for (let k: usize = 0; k < 3; k++) {
    store<f64>(lane + DIRECTOR + (k << 3), load<f64>(e0 + at + (k << 4), EDGE_D1));
    store<f64>(lane + NOW + (k << 3), load<f64>(e0 + at + (k << 4), EDGE_TANGENT));
    store<f64>(lane + THEN + (k << 3), load<f64>(e1 + at + (k << 4), EDGE_TANGENT));
    store<f64>(lane + OUT + (k << 3), load<f64>(e1 + at + (k << 4), EDGE_D1));
  }
  return turnBetween(lane + DIRECTOR, lane + NOW, lane + OUT, lane + THEN, last);
}
