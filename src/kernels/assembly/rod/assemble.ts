// The implicit Euler step of two strands: A and the right-hand side of A d = b, d = v − base, by nodes. f64.
//
// In: two strands opened by openPair, base velocity (that of the step's start, or the guess). Out: A, 38 values a node
// (rod/work.ts), b, 4 a node. The same equations as mechanics/rod/assemble-strand.ts,
// written for the change of velocity:
//   b = M (v − base) + dt (F(q) + M g + M c (wind − base)) − (dt·damping + [no guess] dt²) K base
// so that a fast strand that merely flies has b small, and f32 solves lose nothing against its speed.
// Bending and twist: rod/bend.ts. One pass: a node's row of A is written by the bending at the node before
// and added to until the one after.

import { NODE_FORCE, NODE_MASS, NODE_VELOCITY } from '../../../state/layout';
import { column } from '../memory';
import { addDiagonal, bendNode, blocks, forces, H0, H1, motion, P00, P10, P11, W0, W1 } from './bend';
import { constant, DRAG, PULL, SHARE, STIFFNESS, STRETCH, setConstants, VISCOUS } from './constants';
import * as E from './edges';
import * as N from './lanes';
import { NODE_BYTES, RIGHT_BYTES, ROW_T, ROW_X, ROW_Y, ROW_Z } from './work';

// Two edge records, used in turn.
const edges = memory.data(2 * 208);

/**
 * A and b (`right`, 0: A alone) of the two strands opened by openPair, `nodes` nodes each (the shorter padded with
 * identity rows). `base`: f64×4 a node of the tables: NODE_VELOCITY or the guess.
 */
export function assemblePair(
  strandA: i32,
  strandB: i32,
  nodes: i32,
  matrix: usize,
  right: usize,
  base: usize,
  guessed: bool,
  dt: f64,
): void {
  setConstants(strandA, strandB, dt, guessed);
  // What later nodes add to begins here; each bending node writes the rows of the one after it.
  memory.fill(matrix, 0, 2 * NODE_BYTES);
  if (right != 0) memory.fill(right, 0, 2 * RIGHT_BYTES);
  let e0 = edges;
  let e1: usize = edges + E.EDGE_BYTES;
  for (let i = 0; i < nodes - 1; i++) {
    E.focus(i);
    E.measureEdge(e1);
    const row = matrix + <usize>i * NODE_BYTES;
    const b = right == 0 ? 0 : right + <usize>i * RIGHT_BYTES;
    if (b != 0) baseChange(motion + W1, base);
    if (i > 0) bendNode(i, e0, e1, base, row, b, dt);
    else {
      memory.fill(blocks + P11, 0, 144);
      memory.fill(forces, 0, 2 * N.VECTOR);
    }
    stretchEdge(i, e1, b != 0, dt);
    spread(row, i > 0);
    if (b != 0) spreadForces(b, i > 0);
    addInertia(i, row, b, base, dt);
    copyVector(motion + W0, motion + W1);
    const swap = e0;
    e0 = e1;
    e1 = swap;
  }
  const last = nodes - 1;
  E.focus(last);
  addInertia(last, matrix + <usize>last * NODE_BYTES, right == 0 ? 0 : right + <usize>last * RIGHT_BYTES, base, dt);
}

function copyVector(to: usize, from: usize): void {
  N.setVector(to, v128.load(from), v128.load(from, 16), v128.load(from, 32));
}

/** out = base velocity of the node after the one in focus less that of the node. */
function baseChange(out: usize, base: usize): void {
  N.setVector(
    out,
    N.sub(E.next(base, 0), E.here(base, 0)),
    N.sub(E.next(base, 8), E.here(base, 8)),
    N.sub(E.next(base, 16), E.here(base, 16)),
  );
}

/**
 * Stretch of edge i into P11 and H1: k/l̄ (t tᵀ + max(0, (s − l̄)/l)(I − t tᵀ)), tension k (l/l̄ − 1); s
 * the length that the last linearisation saw (mechanics/rod/assemble-strand says why).
 */
function stretchEdge(i: i32, edge: usize, forced: bool, dt: f64): void {
  const t = edge + E.EDGE_TANGENT;
  const w1 = motion + W1;
  const length = v128.load(edge, E.EDGE_LENGTH);
  const rest = E.restLength();
  const zero = f64x2.splat(0);
  let k = N.mul(E.present(i, 1), constant(STRETCH));
  if (E.isVaried()) k = N.mul(k, E.stretchShare());
  // Pressed edges keep no stiffness across: it would be negative.
  const tight = f64x2.pmax(N.sub(E.seenLength(constant(VISCOUS)), rest), zero);
  const slack = f64x2.pmin(f64x2.div(tight, f64x2.pmax(length, f64x2.splat(1e-300))), f64x2.splat(1));
  const along = N.mul(constant(STIFFNESS), f64x2.div(k, rest));
  const across = N.mul(along, slack);
  const stiff = N.sub(along, across);
  if (forced) {
    const strain = N.sub(f64x2.div(length, rest), f64x2.splat(1));
    const share = constant(SHARE);
    const pull = N.mul(N.mul(f64x2.splat(dt), k), strain);
    const more = N.addMul(pull, N.mul(share, stiff), N.dot(t, w1));
    N.addScaled(forces + H1, forces + H1, more, t);
    N.addScaled(forces + H1, forces + H1, N.mul(share, across), w1);
  }
  for (let at: usize = 0; at < N.VECTOR; at += N.LANE) {
    const x = N.mul(stiff, v128.load(t + at));
    const row = blocks + P11 + 3 * at;
    v128.store(row, N.addMul(v128.load(row), x, v128.load(t)));
    v128.store(row, N.addMul(v128.load(row, 16), x, v128.load(t, 16)), 16);
    v128.store(row, N.addMul(v128.load(row, 32), x, v128.load(t, 32)), 32);
  }
  addDiagonal(P11, across);
}

/** Edge forces to the nodes i − 1 (where `inner`), i, i + 1. */
function spreadForces(b: usize, inner: bool): void {
  const after = b + RIGHT_BYTES;
  for (let at: usize = 0; at < N.VECTOR; at += N.LANE) {
    const h0 = v128.load(forces + H0 + at);
    const h1 = v128.load(forces + H1 + at);
    if (inner) N.accumulate(b - RIGHT_BYTES + at, h0);
    N.accumulate(b + at, N.sub(h1, h0));
    v128.store(after + at, f64x2.neg(h1));
  }
  v128.store(after, f64x2.splat(0), 48);
}

/** Blocks to the nodes i − 1 (where `inner`), i, i + 1. */
function spread(row: usize, inner: bool): void {
  if (inner) {
    spreadInner(row, ROW_X << 4, 0);
    spreadInner(row, ROW_Y << 4, 1);
    spreadInner(row, ROW_Z << 4, 2);
  } else {
    spreadFirst(row, ROW_X << 4, 0);
    spreadFirst(row, ROW_Y << 4, 1);
    spreadFirst(row, ROW_Z << 4, 2);
  }
}

/** Row r of the blocks of the first edge, which no bending node precedes: P11 only. */
function spreadFirst(row: usize, line: usize, r: usize): void {
  const here = row + line;
  const after = here + NODE_BYTES;
  const p = blocks + P11 + r * N.VECTOR;
  for (let c: usize = 0; c < 3; c++) {
    const p11 = v128.load(p + (c << 4));
    N.deduct(after + ((4 + c) << 4), p11);
    if (c > r) continue;
    N.accumulate(here + ((8 + c) << 4), p11);
    N.accumulate(after + ((8 + c) << 4), p11);
  }
}

/** Row r of the blocks of an inner node, to the rows of nodes i − 1, i, i + 1, the last of which it writes first. */
function spreadInner(row: usize, line: usize, r: usize): void {
  const here = row + line;
  const before = here - NODE_BYTES;
  const after = here + NODE_BYTES;
  const p = blocks + r * N.VECTOR;
  for (let c: usize = 0; c < 3; c++) {
    const k = c << 4;
    const p00 = v128.load(p + k, P00);
    const p11 = v128.load(p + k, P11);
    const p10 = v128.load(p + k, P10);
    v128.store(after + k, f64x2.neg(p10));
    N.accumulate(here + k + 64, N.sub(p10, p00));
    v128.store(after + k + 64, N.sub(p10, p11));
    if (c > r) continue;
    const p01 = v128.load(blocks + P10 + c * N.VECTOR + (r << 4));
    N.accumulate(before + k + 128, p00);
    N.accumulate(here + k + 128, N.sub(N.add(p00, p11), N.add(p10, p01)));
    v128.store(after + k + 128, p11);
  }
}

/**
 * Mass, gravity, wind, user force of node i, what its base lacks of the step's first velocity; identity in idle rows.
 * `row`, `b` (0: none): those of the node, which is in focus.
 */
function addInertia(i: i32, row: usize, b: usize, base: usize, dt: f64): void {
  const masses = column(NODE_MASS);
  const one = f64x2.splat(1);
  const drag = constant(DRAG);
  const on = E.present(i, 0);
  const turning = E.present(i, 1);
  const mass = N.mul(on, E.massOfNode(masses, 0));
  const inertia = N.mul(turning, E.massOfNode(masses, 8));
  const heavy = N.add(N.addMul(mass, mass, drag), N.sub(one, on));
  N.accumulate(row + ((ROW_X + 8) << 4), heavy);
  N.accumulate(row + ((ROW_Y + 9) << 4), heavy);
  N.accumulate(row + ((ROW_Z + 10) << 4), heavy);
  N.accumulate(row + ((ROW_T + 7) << 4), N.add(N.addMul(inertia, inertia, drag), N.sub(one, turning)));
  if (b == 0) return;
  const velocities = column(NODE_VELOCITY);
  const pushes = column(NODE_FORCE);
  const time = N.mul(on, f64x2.splat(dt));
  for (let k: usize = 0; k < 3; k++) {
    const now = E.here(base, k << 3);
    let push = N.subMul(constant(PULL + (k << 4)), drag, now);
    if (base != velocities) push = N.add(push, N.sub(E.here(velocities, k << 3), now));
    N.accumulate(b + (k << 4), N.addMul(N.mul(mass, push), time, E.here(pushes, k << 3)));
  }
  const now = E.here(base, 24);
  const push = N.subMul(N.sub(E.here(velocities, 24), now), drag, now);
  const moment = N.mul(N.mul(turning, f64x2.splat(dt)), E.here(pushes, 24));
  N.accumulate(b + 48, N.addMul(moment, inertia, push));
}
